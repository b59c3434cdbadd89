import type { Context } from '../access/context.ts';
import { peopleIn } from '../identity/people.ts';
import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import { dayMs, isWithin } from '../metrics/kernel/window.ts';
import type { AlertEvent } from '../store/alert-events.ts';
import type { AlertRule, AlertRuleStatus } from '../store/alert-rules.ts';
import type { DeliveryStatus } from '../store/entities/alert-event.ts';
import type { AlertChannel } from '../store/entities/alert-rule.ts';
import { readSampleSource } from './demo-facts.ts';
import { type SampleRule, sampleRules } from './demo-rules.ts';
import { listEvaluationInstants, type ReplayedValue, replay } from './replay.ts';
import type { AlertSource } from './source.ts';

/** The sample organization has no database: what its rules would have stored is replayed over its history. */
export async function sampleAlerts(context: Context): Promise<AlertSource> {
  const { answers, clock } = context.services;
  const key = 'sample alerts';
  const known = await answers.get<Outcome[]>(key);
  const outcomes = known?.value ?? (await replayRules(context));
  if (!known) await answers.put(key, outcomes, clock.now(), clock.now() + dayMs);
  const events = outcomes
    .flatMap((one) => one.events)
    .sort((a, b) => b.firedAt - a.firedAt)
    .map((event, index, all): AlertEvent => ({ ...event, id: all.length - index }));
  const isOf = (key: string | null) => (one: { scopeKey: string }) => key === null || one.scopeKey === key;
  return {
    alertRules: {
      list: async (scopeKey = null) => outcomes.map(({ rule }) => rule).filter(isOf(scopeKey)),
      statuses: async () => outcomes.map(({ status }) => status),
      days: async () => outcomes.map(({ rule, highest }) => ({ ruleId: rule.id, highest })),
    },
    alertEvents: {
      // The ids of the sample are in the order of its events.
      list: async (limit, scopeKey = null, _seen = null, after = null) =>
        events.filter((one) => isOf(scopeKey)(one) && (after === null || one.id < after.id)).slice(0, limit),
      countOpen: async (since, scopeKey = null) =>
        events.filter((one) => isOf(scopeKey)(one) && one.resolvedAt === null && one.firedAt > since).length,
    },
    firedAlerts: {
      list: async ({ repoIds, window }, limit) =>
        events.filter((one) => repoIds.includes(one.repoId ?? 0) && isWithin(one.firedAt, window)).slice(0, limit),
    },
    repositories: {
      async tracked() {
        const { items } = await (await context.codehost()).repositories.mine();
        return items.map(({ owner, repo }) => ({ owner, repo, unreachableSince: null }));
      },
    },
  };
}

/** What a rule came to. */
interface Outcome extends Pick<SampleRule, 'rule'> {
  status: AlertRuleStatus;
  highest: (number | null)[];
  events: Omit<AlertEvent, 'id'>[];
}

/** What a rule came to over a repository, oldest first. */
interface Course {
  repository: Repository;
  values: ReplayedValue[];
}

async function replayRules(context: Context): Promise<Outcome[]> {
  const codehost = await context.codehost();
  const now = context.services.clock.now();
  const { items } = await codehost.repositories.mine();
  const source = await readSampleSource(context);
  const people = await peopleIn(context.services);
  const outcomes: Outcome[] = [];
  for (const { rule, metric } of sampleRules(now)) {
    const { windowHours, createdAt, updatedAt, mutedUntil } = rule;
    // A muted rule is not evaluated.
    const until = mutedUntil === null ? now : updatedAt;
    const courses: Course[] = [];
    for (const repository of items.filter(({ repo }) => rule.scopeKind === 'org' || rule.scope.endsWith(`/${repo}`))) {
      const { id: repoId, defaultBranch } = repository;
      const facts = await metric.load({ repoId, defaultBranch, people, from: createdAt, until, windowHours }, source);
      const { instants } = listEvaluationInstants(metric, facts, { from: createdAt, until });
      const { values } = replay(rule, metric, facts, [...instants, until]);
      courses.push({ repository, values });
    }
    outcomes.push({
      rule,
      status: getStatus(rule.id, courses),
      highest: listHighest(courses, now),
      events: courses.flatMap((course) => listEvents(rule, course)),
    });
  }
  return outcomes;
}

const isJudged = ({ judgement }: ReplayedValue) => judgement.breaching || judgement.reason === 'below';

/** The newest value of the repository where it is highest, those first that could be judged. */
function getStatus(ruleId: number, courses: readonly Course[]): AlertRuleStatus {
  const rank = (one: ReplayedValue) => [Number(isJudged(one)), one.value ?? Number.NEGATIVE_INFINITY] as const;
  const fired = courses.flatMap(({ values }) => values.filter(({ judgement }) => judgement.fires).map(({ at }) => at));
  const [highest] = courses
    .flatMap(({ values }) => values.at(-1) ?? [])
    .sort((a, b) => rank(b)[0] - rank(a)[0] || rank(b)[1] - rank(a)[1]);
  return {
    ruleId,
    lastFiredAt: fired.length === 0 ? null : Math.max(...fired),
    lastEvaluatedAt: highest?.at ?? null,
    lastValue: highest?.value ?? null,
    lastSample: highest?.sample ?? null,
    lastJudged: highest ? isJudged(highest) : null,
    incomplete: highest?.incomplete ?? null,
  };
}

/** Of each of the last 30 UTC days, as `AlertRuleDays` has it. */
function listHighest(courses: readonly Course[], now: Instant): (number | null)[] {
  const judged = courses.flatMap(({ values }) => values.filter(isJudged));
  const days = Map.groupBy(judged, ({ at }) => Math.floor(at / dayMs));
  const today = Math.floor(now / dayMs);
  return Array.from({ length: 30 }, (_, index) => {
    const values = (days.get(today - 29 + index) ?? []).flatMap(({ value }) => value ?? []);
    return values.length === 0 ? null : Math.max(...values);
  });
}

/** Everything that is sent arrives. */
const deliveries: Record<AlertChannel, DeliveryStatus> = {
  browser: 'none',
  email: 'sent',
  slack: 'sent',
  webhook: 'sent',
  digest: 'sent',
};

/** Whenever the rule fired, until its value was below the threshold. */
function listEvents(rule: AlertRule, { repository, values }: Course): Outcome['events'] {
  return values.flatMap((fired, index) => {
    if (!fired.judgement.fires) return [];
    const ended = values.slice(index).find(({ judgement }) => judgement.reason === 'below');
    return {
      ruleId: rule.id,
      scope: rule.scope,
      scopeKey: rule.scopeKey,
      repoId: repository.id,
      repo: `${repository.owner}/${repository.repo}`,
      metric: rule.metric,
      threshold: rule.threshold,
      windowHours: rule.windowHours,
      value: fired.value,
      sampleSize: fired.sample,
      source: 'sync' as const,
      computedAt: fired.at,
      firedAt: fired.at,
      details: fired.details ?? {},
      channel: rule.channel,
      destination: rule.destination,
      deliveryStatus: deliveries[rule.channel],
      deliveryAttempts: 1,
      deliveryError: null,
      digestId: null,
      digestSentAt: null,
      resolvedAt: ended?.at ?? null,
      isTest: false,
    };
  });
}
