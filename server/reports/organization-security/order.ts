import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { alertSeverities, type SecurityAlert } from '../../metrics/security/security-alerts.ts';
import { hasFilter, matchesAlert, type SecurityFilter, wantsFindings } from '../../metrics/security/security-filter.ts';
import type { ListedAlerts } from './alerts.ts';

interface CandidateFilter {
  lists: ListedAlerts | null;
  seesFindings: boolean;
  filter: SecurityFilter;
  now: Instant;
}

/**
 * The repositories that may match, those with the worst listed alerts first, then the latest pushed: what is not known
 * of a repository is read of those of a page alone. Where the lists tell everything, the others are left out.
 */
export function selectCandidates(
  live: readonly Repository[],
  { lists, seesFindings, filter, now }: CandidateFilter,
): Repository[] {
  const isKnown = lists?.isComplete === true && !(seesFindings && wantsFindings(filter));
  return live
    .map((repository) => ({
      repository,
      matching: lists?.select(repository).filter((alert) => matchesAlert(alert, filter, now)) ?? [],
    }))
    .filter(({ matching }) => matching.length > 0 || !hasFilter(filter) || !isKnown)
    .sort((one, other) => compareAlerts(one.matching, other.matching, filter) || compareActivity(one, other))
    .map(({ repository }) => repository);
}

/** With a rule or an age those open for longest come first, else those with most of the worst. */
export function compareAlerts(
  one: readonly SecurityAlert[],
  other: readonly SecurityAlert[],
  { rule, age }: SecurityFilter,
): number {
  const byAge = getOldest(one) - getOldest(other) || 0;
  if (rule !== undefined || age !== undefined) return byAge || compareSeverity(one, other);
  return compareSeverity(one, other) || byAge;
}

function compareSeverity(one: readonly SecurityAlert[], other: readonly SecurityAlert[]): number {
  for (const severity of alertSeverities) {
    const difference = countSeverity(other, severity) - countSeverity(one, severity);
    if (difference !== 0) return difference;
  }
  return 0;
}

const countSeverity = (alerts: readonly SecurityAlert[], wanted: SecurityAlert['severity']) =>
  alerts.filter(({ severity }) => severity === wanted).length;

/** Without any alert later than every other; finite, so that two of them are equal. */
const getOldest = (alerts: readonly SecurityAlert[]): Instant =>
  Math.min(Number.MAX_SAFE_INTEGER, ...alerts.map(({ createdAt }) => createdAt));

const compareActivity = (one: { repository: Repository }, other: { repository: Repository }) =>
  (other.repository.pushedAt ?? 0) - (one.repository.pushedAt ?? 0) ||
  one.repository.repo.localeCompare(other.repository.repo, 'en');
