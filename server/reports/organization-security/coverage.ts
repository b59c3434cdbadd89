import { type Covered, type ExclusionReason, toRepositoryCoverage } from '../kernel/repository-coverage.ts';
import { isUnreadable, type SourceState } from './alerts.ts';
import type { KnownRepository, SecurityReading } from './reading.ts';

/** Of which repositories alerts are counted: of those with a source that is known to be on. */
export function coverAlerts({ listing, lists, repositories }: SecurityReading) {
  const all = repositories.map((one) => ({
    repo: `${one.repository.owner}/${one.repository.repo}`,
    ...judge(one, (lists?.readable ?? 0) > 0),
  }));
  return {
    coverage: toRepositoryCoverage({ repositories: all, isListTruncated: listing.partial }),
    repositories: all,
  };
}

function judge({ open, read }: KnownRepository, isListed: boolean): Covered {
  const states = Object.values(read?.sources ?? {});
  if (open !== null) return { included: true, reason: findReason(states.filter(isUnreadable)) };
  return { included: false, reason: findReason(states) ?? (isListed ? 'none_listed' : 'forbidden') };
}

/** Why not every alert is known, the reason that most can be done about. */
function findReason(states: readonly SourceState[]): ExclusionReason | null {
  const found = reasons.find(([status]) => states.some((state) => state.status === status));
  return found?.[1] ?? null;
}

const reasons: readonly [SourceState['status'], ExclusionReason][] = [
  ['not_read', 'not_yet_read'],
  ['error', 'sub_fetch_failed'],
  ['forbidden', 'forbidden'],
  ['none_listed', 'none_listed'],
  ['not_enabled', 'not_enabled'],
];
