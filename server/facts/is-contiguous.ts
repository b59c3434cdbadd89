import type { Change } from '../codehost/changes/client.ts';
import { maxIssues } from '../codehost/issues/issues.ts';
import { factKeys } from '../metrics/kernel/delivery-facts.ts';
import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import type { FactKind, FactOf, FactRepository, SyncState } from './fact-repository.ts';

/**
 * Whether what changed, added to what is stored, is all that the platform has now. Facts may be deleted without an
 * event: history is rewritten, issues are moved away, deployments and releases deleted. Then the platform counts fewer
 * than were stored and added.
 */
export async function isContiguous<Kind extends FactKind>(
  factRepository: FactRepository,
  repository: Repository,
  before: SyncState<Kind>,
  change: Change<FactOf[Kind]>,
): Promise<boolean> {
  if (before.kind !== 'commits' && change.total === null) return true;
  if (before.kind === 'issues' && before.capped) return !isDueAgain(before, change);
  const came = await countNew(factRepository, repository, before, change.items);
  if (before.kind !== 'commits') return before.total !== null && change.total === before.total + came;
  // What ends in the same commit is the same history.
  if (change.head === before.head) return came === 0;
  return before.head !== null && change.added === came;
}

/**
 * Of issues a cap leaves out some that are open for long, and old ones seem new, so that counting shows nothing. They
 * are read again once a day, for what vanished, and when so few are left open that all of them can be read.
 */
function isDueAgain(before: SyncState, { asOf, openCount }: Change<unknown>): boolean {
  const canAllBeRead = (open: number | null) => open !== null && open <= maxIssues;
  return isDueToday(before, asOf) || (canAllBeRead(openCount) && !canAllBeRead(before.openCount));
}

/** Whether a kind is read again whole by who wants it next, whatever changed in it. */
export const isDueToday = ({ kind, capped, through }: SyncState, now: Instant): boolean =>
  kind === 'issues' && capped && Math.floor(through / dayMs) < Math.floor(now / dayMs);

/** How many of the facts were not there at the last reading: since the floor all that were are stored. */
export async function countNew<Kind extends FactKind>(
  factRepository: FactRepository,
  repository: Repository,
  { kind, floor }: SyncState<Kind>,
  items: readonly FactOf[Kind][],
): Promise<number> {
  const recent = items.filter((fact) => beganAt[kind](fact) >= floor).map((fact) => factKeys[kind](fact));
  if (recent.length === 0) return 0;
  const known = new Set((await factRepository.facts(repository, kind, floor)).map((fact) => factKeys[kind](fact)));
  return recent.filter((identity) => !known.has(identity)).length;
}

/** The first instant at which the platform can have counted a fact. */
const beganAt: { [Kind in FactKind]: (fact: FactOf[Kind]) => Instant } = {
  pull_requests: ({ createdAt }) => createdAt,
  commits: ({ committedAt }) => committedAt,
  issues: ({ createdAt }) => createdAt,
  deployments: ({ createdAt }) => createdAt,
  releases: ({ publishedAt }) => publishedAt ?? Number.POSITIVE_INFINITY,
};
