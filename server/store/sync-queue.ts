import type { Selectable } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database, Tables } from './database.ts';
import { type KnownRepository, knownColumns, toKnown } from './repositories.ts';

type Row = Selectable<Tables['sync_cursors']>;

/** What is synchronized of repositories one after the other: runs, pull requests, and commits of merged ones. */
export type SyncKind = Row['kind'];

/** How a synchronization of one repository ended. */
export interface EndedSync {
  status: NonNullable<Row['lastStatus']>;
  /** The code of the problem that ended it. */
  error: string | null;
  startedAt: Instant;
  finishedAt: Instant;
}

/** Which repository is synchronized next: none waits for ever behind those that take long. */
export function syncQueue(database: Database) {
  return {
    /**
     * Tracked repositories, the one whose last synchronization of the kind ended longest ago first. Those that were
     * read to their end `since` then are excluded.
     */
    async byOldestSync(kind: SyncKind, since: Instant | null): Promise<KnownRepository[]> {
      const rows = await database.db
        .selectFrom('repos')
        .leftJoin('sync_cursors as c', (join) => join.onRef('c.repoId', '=', 'repos.id').on('c.kind', '=', kind))
        .select(knownColumns)
        .where('repos.tracked', '=', true)
        .$if(since !== null, (query) =>
          query.where(({ eb, or }) =>
            or([
              eb('c.lastStatus', 'is distinct from', 'ok'),
              eb('c.lastFinishedAt', 'is', null),
              eb('c.lastFinishedAt', '<', since as number),
            ]),
          ),
        )
        .orderBy('c.lastFinishedAt', (order) => order.asc().nullsFirst())
        .orderBy('repos.ownerKey')
        .orderBy('repos.nameKey')
        .execute();
      return rows.map(toKnown);
    },
    /** Stores that a synchronization ended, well or not. */
    async ended(repoId: number, kind: SyncKind, { status, error, startedAt, finishedAt }: EndedSync): Promise<void> {
      const last = { lastStatus: status, lastError: error, lastStartedAt: startedAt, lastFinishedAt: finishedAt };
      await database.db
        .insertInto('sync_cursors')
        .values({ repoId, kind, ...last })
        .onConflict((conflict) => conflict.columns(['repoId', 'kind']).doUpdateSet(last))
        .execute();
    },
  };
}
