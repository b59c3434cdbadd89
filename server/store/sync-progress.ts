import { sql } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import { staleAfterMs } from '../metrics/kernel/window.ts';
import type { RunCursor } from '../sync/cursor.ts';
import { putAnswers } from './answers.ts';
import type { Database, Queries } from './database.ts';

/** The state of the background synchronization of a repository, as the process that does it last recorded it. */
export interface BackgroundReading {
  state: 'running' | 'waiting' | 'failed' | 'done';
  /** Why it waits or failed. */
  code: BackgroundReadingCode | null;
  /** When it goes on, while it waits. */
  resumeAt: Instant | null;
}

export type BackgroundReadingCode =
  | 'upstream_rate_limited'
  | 'upstream_unavailable'
  | 'session_ended'
  | 'access_lost'
  | 'internal';

/** How far the runs of a repository are synchronized, and whether they are being synchronized. */
export interface KnownProgress {
  codehostId: number;
  /** The database's own id; null before the first synchronization has begun. */
  repoId: number | null;
  cursor: Pick<RunCursor, 'syncedThrough' | 'backfilledTo' | 'resume'> | null;
  /** Somebody holds the lease under which its runs are read. */
  isBeingRead: boolean;
  background: BackgroundReading | null;
}

/** How fresh the stored runs of some tracked repositories are. */
export interface SyncSummary {
  repositories: number;
  /** The repositories whose runs are being synchronized at this moment. */
  running: number;
  /** Up to when the repository that was synchronized last is known; null before the first synchronization. */
  syncedThrough: Instant | null;
  /** The repositories that were never synchronized, or not for so long that nothing recent is known of them. */
  behind: number;
}

/** How far runs are synchronized, for those who wait for it. */
export const syncProgress = (database: Database) => ({
  /** Of the repositories with these ids of the platform those whose runs are being synchronized or were. */
  async of(codehostIds: readonly number[], now: Instant): Promise<KnownProgress[]> {
    const repositories = new Map((await findCursors(database, codehostIds)).map((one) => [one.codehostRepoId, one]));
    const background = await findBackground(database, codehostIds, now);
    return codehostIds
      .map((codehostId) => {
        const repository = repositories.get(codehostId);
        return {
          codehostId,
          repoId: repository?.id ?? null,
          cursor: repository ? toCursor(repository) : null,
          isBeingRead: typeof repository?.job === 'string',
          background: background.get(toKey(codehostId)) ?? null,
        };
      })
      .filter((one) => one.cursor !== null || one.isBeingRead || one.background !== null);
  },
  /**
   * Of all tracked repositories together, so that it says nothing of a single one, or of those among these ids of the
   * platform; null where none is tracked.
   */
  async summary(now: Instant, codehostIds?: readonly number[]): Promise<SyncSummary | null> {
    const { repositories, running, current, syncedThrough } = await database.db
      .selectFrom('repos')
      .leftJoin('sync_cursors', (join) =>
        join.onRef('sync_cursors.repoId', '=', 'repos.id').on('sync_cursors.kind', '=', 'runs'),
      )
      .leftJoin('job_leases', (join) =>
        join
          .on((eb) => eb('job_leases.job', '=', sql<string>`'runs:' || ${eb.ref('repos.id')}`))
          .on((eb) => eb('job_leases.expiresAt', '>=', eb.fn<number>('clock_timestamp'))),
      )
      .select((eb) => eb.fn.countAll<string>().as('repositories'))
      .select((eb) => eb.fn.count<string>('job_leases.job').as('running'))
      .select((eb) => eb.fn.max('sync_cursors.syncedThrough').as('syncedThrough'))
      .select((eb) =>
        eb.fn
          .count<string>('repos.id')
          .filterWhere('sync_cursors.syncedThrough', '>=', now - staleAfterMs)
          .as('current'),
      )
      .where('repos.tracked', '=', true)
      .$if(codehostIds !== undefined, (query) =>
        query.where((eb) => eb('repos.codehostRepoId', '=', eb.fn.any(eb.val([...(codehostIds ?? [])])))),
      )
      .executeTakeFirstOrThrow();
    if (Number(repositories) === 0) return null;
    const through = syncedThrough === null ? null : new Date(syncedThrough).getTime();
    const behind = Number(repositories) - Number(current);
    return { repositories: Number(repositories), running: Number(running), syncedThrough: through, behind };
  },
  /** Stores the state of background synchronizations, by the platform's ids, until `ttlMs` have passed. */
  note: (readings: ReadonlyMap<number, BackgroundReading>, now: Instant, ttlMs: number): Promise<void> =>
    putAnswers(database, new Map([...readings].map(([id, reading]) => [toKey(id), reading])), now, ttlMs),
});

const toKey = (codehostId: number) => `sync-progress:${codehostId}`;

/** The cursor of each repository, and the lease of whoever reads it. */
const findCursors = ({ db }: Queries, codehostIds: readonly number[]) =>
  db
    .selectFrom('repos')
    .leftJoin('sync_cursors', (join) =>
      join.onRef('sync_cursors.repoId', '=', 'repos.id').on('sync_cursors.kind', '=', 'runs'),
    )
    .leftJoin('job_leases', (join) =>
      join
        .on((eb) => eb('job_leases.job', '=', sql<string>`'runs:' || ${eb.ref('repos.id')}`))
        .on((eb) => eb('job_leases.expiresAt', '>=', eb.fn<number>('clock_timestamp'))),
    )
    .select(['repos.id', 'repos.codehostRepoId', 'job_leases.job'])
    .select(['sync_cursors.syncedThrough', 'sync_cursors.backfilledTo', 'sync_cursors.resume'])
    .where((eb) => eb('repos.codehostRepoId', '=', eb.fn.any(eb.val([...codehostIds]))))
    .execute();

type Cursor = Awaited<ReturnType<typeof findCursors>>[number];

/** null before anything was read. */
const toCursor = ({ syncedThrough, backfilledTo, resume }: Cursor): KnownProgress['cursor'] =>
  syncedThrough === null && resume === null ? null : { syncedThrough, backfilledTo, resume };

async function findBackground({ db }: Queries, codehostIds: readonly number[], now: Instant) {
  const rows = await db
    .selectFrom('cached_answers')
    .select(['key', 'value'])
    .where((eb) => eb('key', '=', eb.fn.any(eb.val(codehostIds.map(toKey)))))
    .where('expiresAt', '>', now)
    .$narrowType<{ value: BackgroundReading }>()
    .execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}
