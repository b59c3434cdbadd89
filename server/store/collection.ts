import type { FactKind } from '../facts/shelf.ts';
import type { Instant, RepositoryName } from '../metrics/facts.ts';
import type { Pass } from '../sync/cursor.ts';
import type { Database } from './database.ts';
import { fromMs, toMs } from './wire-sql.ts';

/** How far one kind was read by a synchronization. */
export interface CursorReading {
  kind: 'runs' | 'prs' | 'commits';
  syncedThrough: Instant | null;
  backfilledTo: Instant | null;
  /** Where an interrupted reading goes on; of runs a pass. */
  resume: Pass | object | null;
  lastFinishedAt: Instant | null;
  /** The code of the refusal that ended the last reading. */
  lastError: string | null;
}

/** How far one kind of facts was read. */
export interface LedgerReading {
  kind: FactKind;
  floor: Instant;
  through: Instant;
  capped: boolean;
  /** The oldest kept fact where a cap ended the first reading; null where there is none, or no cap. */
  oldestAt: Instant | null;
}

/** What has been read of a repository, as the rows tell it. */
export interface RepositoryReadings extends RepositoryName {
  codehostId: number;
  tracked: boolean;
  unreachableSince: Instant | null;
  lastErrorCode: string | null;
  cursors: CursorReading[];
  ledgers: LedgerReading[];
  /** When the oldest kept run was created. */
  firstRunAt: Instant | null;
  /** Pull requests merged since the instant asked for: how many, those without their commits, those cut at a limit. */
  merged: {
    total: number;
    unread: number;
    truncated: number;
    oldestReadAt: Instant | null;
    newestReadAt: Instant | null;
  };
  /** Run attempts of which all jobs are kept. */
  jobs: { attempts: number; lastReadAt: Instant | null };
}

/** What has been read and what not. */
export const collection = (database: Database) => ({
  /** Of the repositories with these ids of the platform the known ones, by name; merged pull requests since then. */
  of: (codehostIds: readonly number[], mergedSince: Instant): Promise<RepositoryReadings[]> =>
    database.query<RepositoryReadings>(readings, [codehostIds, mergedSince]),
});

const oldest = (table: string, at: string) => `(select ${at} from ${table} where repo_id = ledger.repo_id)`;

/** By the indexes of these tables over time. */
const oldestFact = `
  case ledger.kind
    when 'pull_requests' then ${oldest('pr_facts', 'min(coalesce(merged_at, closed_at))')}
    when 'commits' then ${oldest('branch_commits', 'min(committed_at)')}
    when 'issues' then ${oldest('issue_facts', `nullif(min(coalesce(closed_at, 'infinity')), 'infinity')`)}
    when 'deployments' then ${oldest('deployment_facts', 'min(created_at)')}
    when 'releases' then ${oldest('release_facts', 'min(published_at)')}
  end`;

const cursors = `
  select json_agg(json_build_object('kind', kind, 'syncedThrough', ${toMs('synced_through')},
    'backfilledTo', ${toMs('backfilled_to')}, 'resume', resume, 'lastFinishedAt', ${toMs('last_finished_at')},
    'lastError', last_error)) as list
  from sync_cursors where repo_id = known.id`;

const ledgers = `
  select json_agg(json_build_object('kind', kind, 'floor', ${toMs('floor')}, 'through', ${toMs('through')},
    'capped', capped, 'oldestAt', case when capped then ${toMs(`(${oldestFact})`)} end)) as list
  from fact_ledgers ledger where repo_id = known.id`;

const read = 'commits_synced_at is not null';

const merged = `
  select json_build_object('total', count(*), 'unread', count(*) filter (where not ${read}),
    'truncated', count(*) filter (where commits_truncated),
    'oldestReadAt', ${toMs(`min(merged_at) filter (where ${read})`)},
    'newestReadAt', ${toMs(`max(merged_at) filter (where ${read})`)}) as counts
  from pr_facts
  where repo_id = known.id and coalesce(merged_at, closed_at) >= ${fromMs('$2')} and merged_at is not null`;

const readings = `
  with known as (
    select id, codehost_repo_id, owner, name, owner_key, name_key, tracked, unreachable_since, last_error_code
    from repos where codehost_repo_id = any ($1::bigint[])
  ), looked_at as (
    select repo_id, count(*) as attempts, max(read_at) as last_read_at
    from job_readings where repo_id in (select id from known) group by repo_id
  )
  select known.codehost_repo_id::float8 as "codehostId", known.owner, known.name as repo, known.tracked,
    ${toMs('known.unreachable_since')} as "unreachableSince", known.last_error_code as "lastErrorCode",
    coalesce(cursors.list, '[]') as cursors, coalesce(ledgers.list, '[]') as ledgers,
    ${toMs('(select min(created_at) from workflow_runs where repo_id = known.id)')} as "firstRunAt",
    merged.counts as merged,
    json_build_object('attempts', coalesce(looked_at.attempts, 0),
      'lastReadAt', ${toMs('looked_at.last_read_at')}) as jobs
  from known
  cross join lateral (${cursors}) cursors
  cross join lateral (${ledgers}) ledgers
  cross join lateral (${merged}) merged
  left join looked_at on looked_at.repo_id = known.id
  order by known.owner_key, known.name_key`;
