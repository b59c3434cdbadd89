import type { Instant } from '../metrics/kernel/facts.ts';
import type { LedgerRow } from '../metrics/security/ref-ledger.ts';
import { imagePrefix, isCommitId, type UsedRef } from '../scan/action-uses.ts';
import type { Database, Queries } from './database.ts';
import { readSince } from './ref-histories.ts';

/** A ref on a day on which a repository used it. */
export interface RefOnDay extends Pick<UsedRef, 'actionKey' | 'ref'> {
  refId: number;
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  /** Its files that use the ref, or what leads to it. */
  workflows: number;
  /** Where only files of private repositories say that it is used: the use in a workflow file that leads to it. */
  hiddenBehind: string | null;
  /** Whether not everybody may see the repository of the action. */
  isPrivate: boolean;
}

/** What a repository used, day by day, and where the refs of it led. */
export const observedUses = (database: Database) => ({
  /** By the database's id of the repository; each ref of an action or workflow once a day, oldest day first. */
  refs: (repoId: number, sinceDay: string): Promise<RefOnDay[]> => refsOnDays(database, repoId, sinceDay),
  /** Those that can move. */
  async movableRefs(repoId: number, sinceDay: string): Promise<RefOnDay[]> {
    const all = await refsOnDays(database, repoId, sinceDay);
    return all.filter(({ ref }) => !isCommitId(ref));
  },
  /** On which days since then it was read what a repository uses, oldest first. */
  async days(repoId: number, sinceDay: string): Promise<string[]> {
    const rows = await database.db
      .selectFrom('use_days')
      .select('day')
      .distinct()
      .where('repoId', '=', repoId)
      .where('day', '>=', sinceDay)
      .orderBy('day')
      .execute();
    const last = await database.db
      .selectFrom('workflow_trees')
      .select('day')
      .where('repoId', '=', repoId)
      .where('day', '>=', sinceDay)
      .executeTakeFirst();
    // A repository may use nothing.
    return [...new Set([...rows, ...(last ? [last] : [])].map(({ day }) => day))];
  },
  /** What was observed or judged of refs since an instant, and before it the first readable row, oldest first. */
  histories: (refIds: readonly number[], since: Instant): Promise<Map<number, LedgerRow[]>> =>
    readSince(database, refIds, since),
});

async function refsOnDays({ db }: Queries, repoId: number, sinceDay: string): Promise<RefOnDay[]> {
  const rows = await db
    .selectFrom('use_days')
    .innerJoin('action_refs', 'action_refs.id', 'use_days.refId')
    .select(['use_days.refId', 'use_days.day', 'action_refs.actionKey', 'action_refs.ref', 'action_refs.isPrivate'])
    .select(({ fn, eb }) => [
      fn.max('use_days.workflows').as('workflows'),
      fn.min('use_days.through').as('through'),
      fn.agg<boolean>('bool_and', [eb(fn<number>('cardinality', ['use_days.privateSources']), '>', 0)]).as('isHidden'),
    ])
    .where('use_days.repoId', '=', repoId)
    .where('use_days.day', '>=', sinceDay)
    .where('action_refs.actionKey', 'not like', `${imagePrefix}%`)
    .groupBy(['use_days.refId', 'use_days.day', 'action_refs.actionKey', 'action_refs.ref', 'action_refs.isPrivate'])
    .orderBy('use_days.day')
    .execute();
  return rows.map(({ through, isHidden, isPrivate, ...row }) => ({
    ...row,
    hiddenBehind: isHidden ? through : null,
    isPrivate: isPrivate === true,
  }));
}
