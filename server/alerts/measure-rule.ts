import { peopleIn } from '../identity/people.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { AlertRule } from '../store/alert-rules.ts';
import type { KnownRepository } from '../store/repositories.ts';
import { isUpToDate } from '../sync/cursor.ts';
import type { AlertServices } from './evaluate.ts';
import { judge } from './judge.ts';
import { type AlertMetric, measureNow } from './metric.ts';
import { findAlertMetric } from './metrics.ts';
import { parseScope } from './scope.ts';

/** Repositories of an organization that are measured at once; the others at their next synchronization. */
const maxRepositories = 20;

/**
 * Measures a rule that was just saved, from what is stored, so that it shows its value at once. It fires nothing: that
 * is for the next evaluation, when something new was read. Never rejects: the rule is saved, and the next evaluation
 * measures it.
 */
export async function measureRule(rule: AlertRule, services: AlertServices): Promise<void> {
  await measured(rule, services).catch((error: unknown) =>
    services.log.warn({ err: error, rule: rule.id }, 'a rule that was saved could not be measured'),
  );
}

async function measured(rule: AlertRule, services: AlertServices): Promise<void> {
  const { store } = services;
  const [metric, scope] = [findAlertMetric(rule.metric), parseScope(rule.scope)];
  if (!metric || !scope) return;
  const repositories = (await store.repositories.tracked(scope.owner)).filter(
    ({ repo }) => scope.repo === null || repo.toLowerCase() === scope.repo.toLowerCase(),
  );
  const people = await peopleIn(services);
  const { threshold, windowHours } = rule;
  const minSample = Math.max(metric.minSample, rule.minSample ?? 0);
  for (const repository of repositories.slice(0, maxRepositories)) {
    const now = await readThrough(rule, repository, metric, services);
    if (now === null) continue;
    const target = { repoId: repository.id, defaultBranch: repository.defaultBranch, people, now, windowHours };
    const evaluation = await measureNow(metric, target, store);
    const judgement = judge({ threshold, minSample, quietHours: 0, lastFiredAt: null }, evaluation, now);
    await store.alertEvents.measured({
      rule,
      repoId: repository.id,
      now,
      value: evaluation.value,
      sample: evaluation.sample,
      incomplete: evaluation.incomplete ?? null,
      breaching: judgement.breaching,
      isBelow: judgement.reason === 'below',
    });
  }
}

/**
 * As of when a value can be reported: now, or where runs were not read lately, when they last were or the rule was last
 * evaluated over what a webhook delivered. Null where never.
 */
async function readThrough(
  rule: AlertRule,
  { id }: KnownRepository,
  { dataSource }: AlertMetric,
  { store, clock }: AlertServices,
): Promise<Instant | null> {
  const now = clock.now();
  const cursor = dataSource === 'workflow-runs' ? await store.cursors.get(id) : null;
  if (dataSource !== 'workflow-runs' || (cursor && isUpToDate(cursor, now))) return now;
  const [status] = await store.alertRules.statuses([{ id: rule.id, freshSince: 0 }], [id]);
  const latest = Math.max(cursor?.syncedThrough ?? 0, status?.lastEvaluatedAt ?? 0);
  return latest === 0 ? null : latest;
}
