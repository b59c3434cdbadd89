import type { Instant } from '../metrics/facts.ts';
import { batches, batchSize, type Purged } from './batches.ts';
import type { Database, Queries } from './database.ts';
import { keptFrom, rollupZone, sealedBefore } from './day-sql.ts';
import { forgetFacts } from './facts/retention.ts';
import { changeZone, tryRecompute } from './locks.ts';
import { mergeParts, partColumns } from './org-days.ts';
import type { rollups } from './rollups.ts';
import { fromMs } from './wire-sql.ts';

export interface PurgeOptions {
  /** How many days single runs are kept. */
  runDays: number;
  /** Asked before each batch; nothing is begun once it is false. */
  mayGoOn(): boolean;
}

/**
 * Deletes what is kept no longer, in batches that each are a whole: killed at any moment, the next call goes on.
 * Days outlive their runs: what they counted stays, and nothing that comes later changes them.
 */
export const purge =
  (database: Database, { recompute }: ReturnType<typeof rollups>) =>
  async (now: Instant, { runDays, mayGoOn }: PurgeOptions): Promise<Purged> => {
    const steps = batches(database, mayGoOn);
    const { purged, drain } = steps;
    if (mayGoOn()) {
      await recompute();
      purged.complete = await database.transaction((transaction) => seal(transaction, now, runDays));
    }
    const emptied = async (transaction: Queries, statement: string, parameters: unknown[] = []) =>
      (await transaction.query<{ rows: number }>(statement, parameters))[0]?.rows ?? 0;
    for (const [table, statement] of Object.entries(oldRuns))
      await drain(table, (transaction) => emptied(transaction, statement));
    await drain('repo_day', async (transaction) => {
      const [turn] = await transaction.query<{ mine: boolean }>(`select ${tryRecompute} as mine`);
      return turn?.mine ? emptied(transaction, oldDays, [now]) : null;
    });
    await drain('commit_facts', (transaction) => emptied(transaction, oldCommits, [now]));
    await forgetFacts(database, now, steps);
    for (const { table, statement } of outlived)
      await drain(table, (transaction) => emptied(transaction, statement, [now]));
    return purged;
  };

/**
 * Moves the day up from which runs are kept. Every day before must have counted its runs by then; who writes runs
 * waits, and sees the new day when it goes on. Answers false while a day is behind.
 */
async function seal(transaction: Queries, now: Instant, runDays: number): Promise<boolean> {
  await transaction.query(`select ${changeZone}`);
  const [answer] = await transaction.query<{ behind: boolean }>(moveSeal, [now, runDays]);
  return answer?.behind === false;
}

/** A zone that begins its days earlier than the one before waits a day longer, so that no run counts twice. */
const moveSeal = `
  with wanted as materialized (
    select day, day::timestamp at time zone zone as instant,
      exists (select from dirty_day where dirty_day.day < wanted.day) as behind
    from (select (${fromMs('$1')} at time zone zone)::date - $2::int as day, zone from rollup_zone) wanted
  ),
  moved as (
    update rollup_zone set kept_from = instant, sealed_before = day from wanted
    where not behind and sealed_before < day and kept_from < instant
  )
  select behind from wanted`;

/** A batch of the rows of each repository that fulfil a condition, by indexes that begin with the repository. */
const doomed = (table: string, columns: string, condition: string) => `
  doomed as materialized (
    select one.* from repos known cross join lateral (
      select ${columns} from ${table} where repo_id = known.id and ${condition} limit ${batchSize}) one
    limit ${batchSize}
  )`;

/** In the order in which others lock several, so that two never wait for each other. */
const locked = (repositories: string) => `
  locked as materialized (
    select id from repos where id in (select repo_id from ${repositories}) order by id for no key update
  )`;

const count = 'select count(*)::int as rows from doomed';

/** When the first run was created stays known. */
const oldRuns = {
  workflow_runs: `
    with ${doomed('workflow_runs', 'repo_id, id, created_at', `created_at < ${keptFrom}`)},
    gone as (
      delete from workflow_runs w using doomed d where w.repo_id = d.repo_id and w.id = d.id and w.created_at = d.created_at
    ),
    earlier as materialized (
      select repo_id, min(created_at) as at from doomed group by repo_id
      having min(created_at) < coalesce((select first_run_at from repos where id = repo_id), 'infinity')
    ),
    ${locked('earlier')},
    noted as (
      update repos set first_run_at = at from earlier join locked on locked.id = repo_id where repos.id = repo_id
    )
    ${count}`,
  workflow_run_attempts: `
    with ${doomed('workflow_run_attempts', 'repo_id, id, run_attempt, created_at', `created_at < ${keptFrom}`)},
    gone as (
      delete from workflow_run_attempts a using doomed d where a.repo_id = d.repo_id and a.id = d.id
        and a.run_attempt = d.run_attempt and a.created_at = d.created_at
    )
    ${count}`,
};

/** Five years old, and of runs that are gone; the sums of the owners lose what their repositories' days lose. */
const oldDays = `
  with ${doomed(
    'repo_day',
    '*',
    `day < least(${sealedBefore}, ((${fromMs('$1')} at time zone ${rollupZone})::date - interval '5 years')::date)`,
  )},
  gone as (delete from repo_day r using doomed d where r.repo_id = d.repo_id and r.day = d.day),
  parts as materialized (
    select m.owner_key, -1 as sign, ${partColumns} from doomed r join org_member m using (repo_id)
  ),
  ${mergeParts}
  ${count}`;

/** A pull request that loses commits no longer claims that they were read. */
const oldCommits = `
  with ${doomed('commit_facts', 'repo_id, pr_number, sha', `merged_at < ${fromMs('$1')} - interval '120 days'`)},
  ${locked('doomed')},
  gone as (
    delete from commit_facts c using doomed d join locked on locked.id = d.repo_id
    where c.repo_id = d.repo_id and c.pr_number = d.pr_number and c.sha = d.sha
  ),
  claimed as (
    update pr_facts p set commits_synced_at = null, commits_truncated = false
    from (select distinct repo_id, pr_number from doomed join locked on locked.id = repo_id) d
    where p.repo_id = d.repo_id and p.number = d.pr_number
  )
  ${count}`;

const outlives = (table: string, key: string, condition: string) => ({
  table,
  statement: `
    with gone as (
      delete from ${table} where (${key}) in (
        select ${key} from ${table}, (select ${fromMs('$1')} as now) moment where ${condition} limit ${batchSize})
      returning 1
    )
    select count(*)::int as rows from gone`,
});

const outlived = [
  outlives('job_readings', 'run_id, run_attempt', `read_at < now - interval '120 days'`),
  outlives('workflow_jobs', 'id', `stored_at < now - interval '120 days'`),
  outlives('webhook_deliveries', 'delivery_id', `received_at < now - interval '60 days'`),
  outlives('job_runs', 'id', `coalesce(finished_at, started_at) < now - interval '60 days'`),
  outlives('alert_rule_days', 'rule_id, day, repo_id', `day < (now at time zone 'UTC')::date - 40`),
  outlives('alert_events', 'id', `fired_at < now - interval '400 days'`),
  outlives('digest_sends', 'id', `started_at < now - interval '400 days'`),
  outlives('sessions', 'id_hash', `least(revoked_at, expires_at) < now - interval '30 days'`),
];
