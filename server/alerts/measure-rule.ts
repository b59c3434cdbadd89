import { peopleIn } from '../identity/people.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { AlertRule } from '../store/alert-rules.ts';
import type { KnownRepository } from '../store/repositories.ts';
import { isUpToDate } from '../sync/cursor.ts';
import type { AlertServices } from './evaluate.ts';
import { judge } from './judge.ts';
import { type AlertMetric, type Feed, measureNow } from './metric.ts';
import { findAlertMetric } from './metrics.ts';
import { pullRequestsReadAt } from './pull-request-facts.ts';
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
 * As of when a value can be reported: as of when its facts are, or of the last evaluation, which may be over what a
 * webhook delivered since. Null where never.
 */
async function readThrough(
  rule: AlertRule,
  { id }: KnownRepository,
  { dataSource }: AlertMetric,
  services: AlertServices,
): Promise<Instant | null> {
  const [status] = await services.store.alertRules.statuses([{ id: rule.id, freshSince: 0 }], [id]);
  const latest = Math.max((await findReadAt(id, dataSource, services)) ?? 0, status?.lastEvaluatedAt ?? 0);
  return latest === 0 ? null : latest;
}

/** As of when stored facts are: what was read last night says nothing of this morning. Null where no runs were read. */
async function findReadAt(repoId: number, feed: Feed, { store, clock }: AlertServices): Promise<Instant | null> {
  const now = clock.now();
  if (feed === 'workflow-runs') {
    const cursor = await store.cursors.get(repoId);
    return cursor && isUpToDate(cursor, now) ? now : (cursor?.syncedThrough ?? null);
  }
  // Where nothing was read the metric gives the reason.
  if (feed === 'pull-requests') return (await pullRequestsReadAt(repoId, store, now)) ?? now;
  if (feed === 'commits') return (await store.pullRequestCommits.coverage(repoId, now)).through ?? now;
  return now;
}
