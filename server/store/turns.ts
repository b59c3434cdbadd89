import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import { type KnownRepository, knownColumns } from './repositories.ts';
import { fromMs } from './wire-sql.ts';

/** What is read of repositories one after the other: runs, pull requests, and commits of merged ones. */
export type ReadingKind = 'runs' | 'prs' | 'commits';

/** How a reading of one repository ended. */
export interface EndedReading {
  status: 'ok' | 'partial' | 'locked' | 'error';
  /** The code of the problem that ended it. */
  error: string | null;
  startedAt: Instant;
  finishedAt: Instant;
}

/** Whose turn it is: nobody waits for ever behind those that take long. */
export function turns(database: Database) {
  return {
    /**
     * Tracked repositories, the one whose last reading of the kind ended longest ago first. Those that were read to
     * their end `since` then are left out.
     */
    inTurn: (kind: ReadingKind, since: Instant | null): Promise<KnownRepository[]> =>
      database.query<KnownRepository>(inTurn, [kind, since]),
    /** Notes that a reading ended, well or not. */
    async ended(
      repoId: number,
      kind: ReadingKind,
      { status, error, startedAt, finishedAt }: EndedReading,
    ): Promise<void> {
      await database.query(ended, [repoId, kind, status, error, startedAt, finishedAt]);
    },
  };
}

const inTurn = `
  select ${knownColumns} from repos
  left join sync_cursors c on c.repo_id = repos.id and c.kind = $1
  where tracked and not coalesce(c.last_status = 'ok' and c.last_finished_at >= ${fromMs('$2')}, false)
  order by c.last_finished_at nulls first, owner_key, name_key`;

const ended = `
  insert into sync_cursors (repo_id, kind, last_status, last_error, last_started_at, last_finished_at)
  values ($1, $2, $3, $4, ${fromMs('$5')}, ${fromMs('$6')})
  on conflict (repo_id, kind) do update set last_status = excluded.last_status, last_error = excluded.last_error,
    last_started_at = excluded.last_started_at, last_finished_at = excluded.last_finished_at`;
