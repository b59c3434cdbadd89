import type { Instant } from '../kernel/facts.ts';
import { type LedgerRow, type RefTarget, recordTarget } from './ref-ledger.ts';

/** What the platform says of a tag or branch as it changes. */
export interface RefNotice {
  /** Without `refs/tags/` or `refs/heads/`. */
  ref: string;
  isBranch: boolean;
  /** From where to where it was pushed; null where that is not said. */
  push: RefPush | null;
}

export interface RefPush {
  /** The commit, or the id of a tag with a message, that the ref led to; null where it was created. */
  before: string | null;
  /** null where it was deleted. */
  after: Pick<RefTarget, 'commit' | 'tagObject'> | null;
}

/** The repository of a notice, its name in lower case. */
export type NoticedRepository = Pick<RefTarget, 'codehostId' | 'repository'>;

/**
 * The row that a push writes: null where it does not go on from where the ref was observed last, since deliveries arrive in
 * any order and late; then only a look at the ref tells. `history` are the newest rows of the ref, oldest first.
 */
export function recordPush(
  history: readonly LedgerRow[],
  { push }: RefNotice,
  repository: NoticedRepository,
  at: Instant,
): LedgerRow | null {
  const newest = history.at(-1);
  if (!push || !newest || !goesOn(newest, push, repository)) return null;
  const target: RefTarget = push.after
    ? { ...repository, ...push.after, state: 'present' }
    : { ...repository, state: 'gone', commit: null, tagObject: null };
  return recordTarget(history, target, at);
}

function goesOn(newest: LedgerRow, { before }: RefPush, { codehostId, repository }: NoticedRepository): boolean {
  if (newest.codehostId !== codehostId || newest.repository !== repository) return false;
  if (before === null) return newest.state === 'gone';
  return newest.state === 'present' && before === (newest.tagObject ?? newest.commit);
}
