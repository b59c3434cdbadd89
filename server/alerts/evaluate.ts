import type { Services } from '../access/context.ts';
import { peopleIn } from '../identity/people.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { AlertRule } from '../store/alert-rules.ts';
import type { AlertEventSource } from '../store/entities/alert-event.ts';
import type { Store } from '../store/orm.ts';
import { createEnqueue, prepareDelivery } from './deliver.ts';
import { computeQuietHours, judge } from './judge.ts';
import type { AlertFacts, AlertMetric, Feed } from './metric.ts';
import { alertMetrics } from './metrics.ts';

/** A repository whose facts have just come in. */
export interface EvaluatedRepository {
  id: number;
  owner: string;
  repo: string;
  defaultBranch: string | null;
}

export interface Evaluation {
  /** Rules that were measured. */
  evaluated: number;
  fired: number;
}

export type AlertServices = Pick<Services, 'clock' | 'env' | 'log' | 'queue'> & { store: Store };

const nothing: Evaluation = { evaluated: 0, fired: 0 };
/**
 * Evaluates the rules that live on these facts over a repository, and fires what breaches. From stored facts alone; a
 * repository that no rule watches costs one short question.
 */
export async function evaluateAlerts(
  repository: EvaluatedRepository,
  feed: Feed,
  source: Exclude<AlertEventSource, 'test'>,
  services: AlertServices,
): Promise<Evaluation> {
  const { store, clock } = services;
  const now = clock.now();
  const rules = await store.alertRules.watching(repository, now);
  const metrics = alertMetrics.filter(
    ({ key, dataSource }) => dataSource === feed && rules.some(({ metric }) => metric === key),
  );
  if (metrics.length === 0) return nothing;
  await prepareDelivery(rules, services);
  const people = await peopleIn(services);
  const total = { ...nothing };
  for (const metric of metrics) {
    const mine = rules.filter((rule) => rule.metric === metric.key);
    const longest = Math.max(...mine.map(({ windowHours }) => windowHours));
    const scope = { repoId: repository.id, defaultBranch: repository.defaultBranch, people };
    const facts = await metric.load({ ...scope, from: now, until: now, windowHours: longest }, store);
    for (const rule of mine) {
      const fired = await evaluateRule({ rule, metric, facts, repoId: repository.id, source, now }, services);
      total.evaluated++;
      if (fired) total.fired++;
    }
  }
  return total;
}

interface Evaluating {
  rule: AlertRule;
  metric: AlertMetric;
  facts: AlertFacts;
  repoId: number;
  source: AlertEventSource;
  now: Instant;
}

async function evaluateRule(
  { rule, metric, facts, repoId, source, now }: Evaluating,
  { store, queue }: AlertServices,
): Promise<boolean> {
  const evaluation = metric.measure(facts, { now, windowHours: rule.windowHours });
  const { threshold, windowHours } = rule;
  const minSample = Math.max(metric.minSample, rule.minSample ?? 0);
  const quietHours = computeQuietHours(windowHours, metric.dataSource);
  // The cooldown is decided where it is written, because two may evaluate at once.
  const { breaching, reason } = judge({ threshold, minSample, quietHours, lastFiredAt: null }, evaluation, now);
  const { value, sample, incomplete = null, details = {} } = evaluation;
  const isBelow = reason === 'below';
  const outcome = { rule, repoId, quietHours, value, sample, breaching, isBelow, incomplete, details, source, now };
  return (await store.alertEvents.record(outcome, createEnqueue(queue))) !== null;
}
