import { type AuthorshipClass, changeTypes } from '../metrics/ai-authorship/classes.ts';
import type { StoredMark } from '../metrics/ai-authorship/comparison/gather.ts';
import { isOfMachine } from '../metrics/ai-authorship/floors.ts';
import type { MarkedGroup } from '../metrics/ai-authorship/groups.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Pass } from '../sync/cursor.ts';
import type { Database, Queries } from './database.ts';
import { lockRepository } from './locks.ts';
import { listLinks, putLinks, type ResolvedLink, type StoredLink } from './pull-request-links.ts';

const kind = 'marks';

/** What is stored of a pull request. `kinds` and `type` as `mark-bits.ts` writes them. */
export interface StoredMarks {
  number: number;
  class: AuthorshipClass;
  agent: string | null;
  kinds: number;
  type: number;
  readComplete: boolean;
  tableVersion: string;
  createdMonth: string;
  mergeSha: string | null;
}

/** A reading of the pull requests of a repository, the newest update first, that may take several nights. */
export interface MarksPass {
  startedAt: Instant;
  /** Whatever was updated last before then is not wanted. */
  until: Instant;
  /** Where the next page begins; null at the newest update. */
  after: string | null;
}

/** What is stored of some pull requests that were read. */
export interface MarksPage {
  marks: readonly StoredMarks[];
  links: readonly StoredLink[];
}

/** How far the marks of a repository were read, by which version of the table. */
export interface MarksCursor {
  version: string;
  /** Everything that the platform held at this instant was read; null until a first reading came to its end. */
  readThrough: Instant | null;
  pass: MarksPass | null;
}

/** The marks of AI agents at pull requests. Who wrote one is known only where the pull request itself is stored. */
export const pullRequestMarks = (database: Database) => ({
  async cursor(repoId: number): Promise<MarksCursor | null> {
    const row = await database.db
      .selectFrom('sync_cursors')
      .where('repoId', '=', repoId)
      .where('kind', '=', kind)
      .select(['syncedThrough', 'resume'])
      .executeTakeFirst();
    return row?.resume ? { ...(row.resume as unknown as StoredPass), readThrough: row.syncedThrough } : null;
  },
  /** Stores a page together with where to go on after it. */
  put: (repoId: number, { marks, links }: MarksPage, cursor: MarksCursor): Promise<void> =>
    database.transaction(async (transaction) => {
      await lockRepository(transaction, repoId);
      for (const one of marks)
        await transaction.db
          .insertInto('pr_marks')
          .values({ repoId, ...one })
          .onConflict((conflict) => conflict.columns(['repoId', 'number']).doUpdateSet(one))
          .execute();
      await putLinks(
        transaction,
        repoId,
        marks.map(({ number }) => number),
        links,
      );
      await putCursor(transaction, repoId, cursor);
    }),
  /** Removes those of a repository, and how far it was read. */
  forget: (repoId: number): Promise<void> => database.transaction((transaction) => forget(transaction, repoId)),
  /** Removes those of all, and what was computed of them. */
  forgetAll: (): Promise<void> =>
    database.transaction(async (transaction) => {
      await forget(transaction, null);
      await transaction.db.deleteFrom('ai_comparisons').execute();
    }),
  /** Those of the repositories, by the platform's ids, that were created in these months, grouped by what they count for. */
  async groups(repositoryIds: readonly number[], months: { from: string; to: string }): Promise<MarkedGroup[]> {
    if (repositoryIds.length === 0) return [];
    const rows = await database.db
      .selectFrom('pr_marks')
      .innerJoin('repos', 'repos.id', 'pr_marks.repoId')
      .leftJoin('pr_facts', (join) =>
        join.onRef('pr_facts.repoId', '=', 'pr_marks.repoId').onRef('pr_facts.number', '=', 'pr_marks.number'),
      )
      .leftJoin('accounts', (join) =>
        join.onRef('accounts.id', '=', 'pr_facts.authorId').on('accounts.isBot', '=', false),
      )
      .where('repos.codehostRepoId', 'in', [...repositoryIds])
      .where('pr_marks.createdMonth', '>=', months.from)
      .where('pr_marks.createdMonth', '<=', months.to)
      .groupBy(['repos.codehostRepoId', 'pr_marks.createdMonth', 'pr_marks.class', 'pr_marks.agent', 'pr_marks.kinds'])
      .groupBy('accounts.login')
      .select(['repos.codehostRepoId', 'pr_marks.createdMonth as month', 'pr_marks.class'])
      .select(['pr_marks.agent', 'pr_marks.kinds', 'accounts.login as author'])
      .select(({ fn }) => fn.countAll<number>().as('prs'))
      .execute();
    return rows.map(({ codehostRepoId, prs, ...row }) => ({ ...row, repositoryId: codehostRepoId, prs: Number(prs) }));
  },
  /** What a comparison needs of each pull request of a repository, by the platform's id, created in these months. */
  list: (repositoryId: number, months: readonly string[]): Promise<StoredMark[]> =>
    listMarks(database, repositoryId, months),
  /** Which of its pull requests revert others or put them right, by the platform's id. */
  links: (repositoryId: number): Promise<ResolvedLink[]> => listLinks(database, repositoryId),
  /** How far each of the repositories was read, by the platform's ids; absent where never. */
  async readings(repositoryIds: readonly number[]): Promise<Map<number, MarksCursor>> {
    if (repositoryIds.length === 0) return new Map();
    const rows = await database.db
      .selectFrom('sync_cursors')
      .innerJoin('repos', 'repos.id', 'sync_cursors.repoId')
      .where('sync_cursors.kind', '=', kind)
      .where('repos.codehostRepoId', 'in', [...repositoryIds])
      .select(['repos.codehostRepoId', 'sync_cursors.syncedThrough', 'sync_cursors.resume'])
      .execute();
    return new Map(
      rows.map(({ codehostRepoId, syncedThrough, resume }) => [
        codehostRepoId,
        { ...(resume as unknown as StoredPass), readThrough: syncedThrough },
      ]),
    );
  },
});

async function listMarks({ db }: Queries, repositoryId: number, months: readonly string[]): Promise<StoredMark[]> {
  const rows = await db
    .selectFrom('pr_marks')
    .innerJoin('repos', 'repos.id', 'pr_marks.repoId')
    .where('repos.codehostRepoId', '=', repositoryId)
    .where('pr_marks.createdMonth', 'in', [...months])
    .select(['pr_marks.number', 'pr_marks.class', 'pr_marks.agent', 'pr_marks.kinds', 'pr_marks.type'])
    .select('pr_marks.createdMonth as month')
    .execute();
  return rows.map(({ type, kinds, ...row }) => ({
    ...row,
    type: changeTypes[type] ?? 'other',
    isOfMachine: isOfMachine({ class: row.class, kinds }),
  }));
}

/** What of a cursor stands in the column for passes. */
type StoredPass = Omit<MarksCursor, 'readThrough'>;

async function putCursor({ db }: Queries, repoId: number, { readThrough, ...stored }: MarksCursor): Promise<void> {
  // The column holds the passes of runs too.
  const values = { syncedThrough: readThrough, resume: stored as unknown as Pass };
  await db
    .insertInto('sync_cursors')
    .values({ repoId, kind, ...values })
    .onConflict((conflict) => conflict.columns(['repoId', 'kind']).doUpdateSet(values))
    .execute();
}

async function forget({ db }: Queries, repoId: number | null): Promise<void> {
  await db
    .deleteFrom('pr_links')
    .$if(repoId !== null, (query) => query.where('repoId', '=', repoId as number))
    .execute();
  await db
    .deleteFrom('pr_marks')
    .$if(repoId !== null, (query) => query.where('repoId', '=', repoId as number))
    .execute();
  await db
    .deleteFrom('sync_cursors')
    .where('kind', '=', kind)
    .$if(repoId !== null, (query) => query.where('repoId', '=', repoId as number))
    .execute();
}
