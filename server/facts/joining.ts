import type { Change } from '../codehost/changes-client.ts';
import type { Instant, Repository } from '../metrics/facts.ts';
import { type FactKind, type FactOf, type FactShelf, identityOf, type Ledger } from './shelf.ts';

/**
 * Whether what changed, added to what is kept, is all that the platform has now. Things vanish without a trace: history
 * is rewritten, issues are moved away, deployments and releases deleted. Then fewer are there than were and came.
 */
export async function joinsUp<Kind extends FactKind>(
  shelf: FactShelf,
  repository: Repository,
  before: Ledger<Kind>,
  change: Change<FactOf[Kind]>,
): Promise<boolean> {
  if (before.kind !== 'commits' && change.total === null) return true;
  // Of issues a cap leaves out some that are open for long, and old ones seem new.
  if (before.kind === 'issues' && before.capped) return true;
  const came = await countNew(shelf, repository, before, change.items);
  if (before.kind !== 'commits') return before.total !== null && change.total === before.total + came;
  // What ends in the same commit is the same history.
  if (change.head === before.head) return came === 0;
  return before.head !== null && change.added === came;
}

/** How many of the facts were not there at the last reading: since the floor all that were are kept. */
async function countNew<Kind extends FactKind>(
  shelf: FactShelf,
  repository: Repository,
  { kind, floor }: Ledger<Kind>,
  items: readonly FactOf[Kind][],
): Promise<number> {
  const recent = items.filter((fact) => beganAt[kind](fact) >= floor).map((fact) => identityOf[kind](fact));
  if (recent.length === 0) return 0;
  const known = new Set((await shelf.facts(repository, kind, floor)).map((fact) => identityOf[kind](fact)));
  return recent.filter((identity) => !known.has(identity)).length;
}

/** The first instant at which the platform can have counted a fact. */
const beganAt: { [Kind in FactKind]: (fact: FactOf[Kind]) => Instant } = {
  pull_requests: ({ createdAt }) => createdAt,
  commits: ({ committedAt }) => committedAt,
  issues: ({ createdAt }) => createdAt,
  deployments: ({ createdAt }) => createdAt,
  releases: ({ publishedAt }) => publishedAt,
};
