import type { Instant } from '../metrics/facts.ts';
import type { RunCursor } from '../sync/cursor.ts';
import type { Database } from './database.ts';
import { fromMs, storable, toMs } from './wire-sql.ts';

/** How the background reading of a repository stands, as the process that does it last said. */
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

/** How far the runs of a repository have been read, and whether anybody is at it. */
export interface KnownProgress {
  codehostId: number;
  /** The database's own id; null before the first reading has begun. */
  repoId: number | null;
  cursor: Pick<RunCursor, 'syncedThrough' | 'backfilledTo' | 'resume'> | null;
  /** Somebody holds the lease under which its runs are read. */
  isBeingRead: boolean;
  background: BackgroundReading | null;
}

/** How far runs have been read, for those who wait for it. */
export const syncProgress = (database: Database) => ({
  /** Of the repositories with these ids of the platform those whose runs are being read or were. */
  of: (codehostIds: readonly number[], now: Instant): Promise<KnownProgress[]> =>
    database.query<KnownProgress>(progress, [codehostIds, now]),
  /** Notes how background readings stand, by the platform's ids; forgotten after `ttlMs` unless noted again. */
  async note(readings: ReadonlyMap<number, BackgroundReading>, now: Instant, ttlMs: number): Promise<void> {
    const values = storable(JSON.stringify(Object.fromEntries(readings)));
    await database.query(note, [values, now, now + ttlMs]);
  },
});

const keyOf = (codehostId: string) => `'sync-progress:' || ${codehostId}`;

const progress = `
  select wanted.id::float8 as "codehostId", repos.id as "repoId",
    case when c.repo_id is not null then json_build_object('syncedThrough', ${toMs('c.synced_through')},
      'backfilledTo', ${toMs('c.backfilled_to')}, 'resume', c.resume) end as cursor,
    lease.job is not null as "isBeingRead", background.value as background
  from unnest($1::bigint[]) wanted (id)
  left join repos on codehost_repo_id = wanted.id
  left join sync_cursors c
    on c.repo_id = repos.id and c.kind = 'runs' and (c.synced_through is not null or c.resume is not null)
  left join job_leases lease on lease.job = 'runs:' || repos.id and lease.expires_at >= clock_timestamp()
  left join kept_answers background
    on background.key = ${keyOf('wanted.id')} and background.expires_at > ${fromMs('$2')}
  where c.repo_id is not null or lease.job is not null or background.key is not null`;

const note = `
  insert into kept_answers as kept (key, value, made_at, expires_at)
  select ${keyOf('id')}, reading, ${fromMs('$2')}, ${fromMs('$3')} from jsonb_each($1::jsonb) readings (id, reading)
  on conflict (key) do update set value = excluded.value, made_at = excluded.made_at, expires_at = excluded.expires_at
  where excluded.made_at >= kept.made_at`;
