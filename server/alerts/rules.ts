import type { Instant } from '../metrics/kernel/facts.ts';
import type { Unit } from '../metrics/kernel/metric.ts';
import { dayMs, staleAfterMs } from '../metrics/kernel/window.ts';
import { maxGapMs } from '../metrics/security/ref-ledger.ts';
import type { Env } from '../platform/env.ts';
import type { AlertRule, AlertRuleStatus } from '../store/alert-rules.ts';
import type { KnownRepository } from '../store/repositories.ts';
import { alertMetrics, findAlertMetric } from './metrics.ts';

/** The weekly email about an organization: a rule without a threshold. */
export const leadershipDigest = 'leadership_digest';

/** The labels of something a rule can watch. */
export interface Watchable {
  key: string;
  label: string;
  unit: Unit;
  group: 'ci' | 'people' | 'leadership';
  minSample: number;
  /** The value is of the moment, whatever the window. */
  isPointInTime: boolean;
}

/** What a rule can watch, with its labels: the choices of the form and the labels of the emails. */
export const watchable: readonly Watchable[] = [
  ...alertMetrics.map(({ key, label, unit, group, minSample, isPointInTime = false }) => ({
    key,
    label,
    unit,
    group,
    minSample,
    isPointInTime,
  })),
  {
    key: leadershipDigest,
    label: 'Weekly leadership digest',
    unit: 'count',
    group: 'leadership',
    minSample: 0,
    isPointInTime: false,
  },
];

/** The labels of a metric; its key for one that this version does not know. */
export const metricLabels = (metric: string): Watchable =>
  watchable.find(({ key }) => key === metric) ?? { ...unknown, key: metric, label: metric };

const unknown = { unit: 'count', group: 'ci', minSample: 0, isPointInTime: false } as const;

/** `success_streak` is what others call the streak of failures. */
export const toMetricKey = (given: string): string => (given === 'success_streak' ? 'failure_streak' : given);

/** Why a rule has nothing to live on in this service; null where it has. */
export const missingDataReason = (
  { metric }: Pick<AlertRule, 'metric'>,
  { CODEHOST_TOKEN: token }: Pick<Env, 'CODEHOST_TOKEN'>,
): string | null =>
  token === undefined && (metric === leadershipDigest || !isFedBySync(metric))
    ? 'Its data is synced nightly with the service token, and CODEHOST_TOKEN is not set.'
    : null;

/** Whether what it is measured from comes with each synchronization of runs; a metric of another version is left alone. */
const isFedBySync = (metric: string): boolean =>
  (findAlertMetric(metric)?.dataSource ?? 'workflow-runs') === 'workflow-runs';

/**
 * Since when a rule must have been evaluated over a repository for the value to be shown: after that, what it is
 * measured from should have been read again.
 */
export const getFreshSince = ({ metric }: Pick<AlertRule, 'metric'>, now: Instant): Instant => {
  const dataSource = findAlertMetric(metric)?.dataSource;
  if (dataSource === 'actions') return now - maxGapMs;
  // What became of recommended changes is measured once a week.
  return dataSource === 'advisor-verdicts' ? now - 7 * dayMs - staleAfterMs : now - staleAfterMs;
};

/** Why a rule that had a value has none any more: it was not evaluated lately; null where it was, or never. */
export function staleReason(
  rule: Pick<AlertRule, 'metric'>,
  status: Pick<AlertRuleStatus, 'lastValue' | 'lastEvaluatedAt'> | undefined,
  now: Instant,
): string | null {
  const at = status?.lastEvaluatedAt ?? null;
  if (at === null || status?.lastValue !== null || rule.metric === leadershipDigest) return null;
  return at < getFreshSince(rule, now) ? `Not evaluated since ${new Date(at).toISOString()}.` : null;
}

export type RuleHealth = 'ok' | 'no_data' | 'delivery_failing' | 'scope_unreachable';

/** The health of a rule: whether it notifies, and whether it has data. */
export function getRuleHealth(
  rule: Pick<AlertRule, 'scopeKind' | 'scopeKey' | 'deliveryFailingSince' | 'metric'>,
  status: Pick<AlertRuleStatus, 'lastValue'> | undefined,
  tracked: readonly Pick<KnownRepository, 'owner' | 'repo' | 'unreachableSince'>[],
): RuleHealth {
  if (rule.deliveryFailingSince !== null) return 'delivery_failing';
  const about = tracked.filter(({ owner, repo }) =>
    rule.scopeKind === 'org'
      ? owner.toLowerCase() === rule.scopeKey
      : `${owner}/${repo}`.toLowerCase() === rule.scopeKey,
  );
  // The email of a week is read live, of whatever the organization has.
  if (rule.metric === leadershipDigest) return 'ok';
  if (about.every(({ unreachableSince }) => unreachableSince !== null)) return 'scope_unreachable';
  return (status?.lastValue ?? null) === null ? 'no_data' : 'ok';
}

/** Where a metric of a repository is shown and explained, as a path of this service. */
export function getMetricPath(
  metric: string,
  repo: string | null,
  details: Record<string, string | number> = {},
): string {
  if (repo === null) return '/alerts';
  const people = new Set(['pr_throughput_drop', 'review_response_p90', 'pr_abandon_rate', 'unreviewed_pr_age']);
  const [owner = '', name = ''] = repo.split('/');
  if (metric === 'afterhours_commit_pct' || metric === 'oversized_commit_pct')
    return `/working-habits?${new URLSearchParams({ owner, repo: name })}`;
  if (people.has(metric)) return `/repos/${repo}/team`;
  if (metric === 'action_tags_moved') return getActionsPath(owner, details);
  if (metric === 'exposure_proven') return getExposurePath(owner, details);
  if (metric === 'action_advisory_open') return getAdvisedPath(owner, details);
  if (metric.startsWith('merge_queue_')) return `/repos/${repo}/merge-queue`;
  if (metric === 'advisor_gain_lost') return `/repos/${repo}/advisor/${details.recommendation ?? ''}`;
  return details.workflow_id === undefined ? `/repos/${repo}` : `/repos/${repo}/workflows/${details.workflow_id}`;
}

/** That page for what leaves the service: without the action and the ref, whose names strangers chose. */
export const getSentPath = (metric: string, repo: string | null, page: string): string =>
  metric === 'action_tags_moved' || metric === 'action_advisory_open' || metric === 'exposure_proven'
    ? getMetricPath(metric, repo)
    : page;

/** The affected runs of a search. */
const getExposurePath = (owner: string, { suspect }: Record<string, string | number>): string =>
  suspect === undefined
    ? `/org/${owner}/exposure`
    : `/org/${owner}/exposure?${new URLSearchParams({ name: String(suspect), verdict: 'proven' })}#runs`;

/** The actions of an organization that are called like this one; without a name all of them. */
const getAdvisedPath = (owner: string, { action }: Record<string, string | number>): string =>
  action === undefined
    ? `/org/${owner}/actions`
    : `/org/${owner}/actions?${new URLSearchParams({ q: String(action) })}`;

/** The history of a ref among the actions of an organization; where no move is named, all of them. */
function getActionsPath(owner: string, { action, ref }: Record<string, string | number>): string {
  const page = `/org/${owner}/actions`;
  if (action === undefined || ref === undefined) return page;
  return `${page}?${new URLSearchParams({ name: String(action), ref: String(ref) })}#history`;
}
