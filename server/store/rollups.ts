import { noteDue } from './alert-due.ts';
import type { Database, Queries } from './database.ts';
import {
  bucketOf,
  counted,
  counters,
  createdOn,
  dayOf,
  exactP95,
  keptFrom,
  rollupZone,
  sealedBefore,
} from './day-sql.ts';
import { changeZone, shareZone, tryRecompute } from './locks.ts';
import { mergeParts, moveMembers, partColumns } from './org-days.ts';

const batch = 2000;

export function rollups(database: Database) {
  return {
    /** Brings every rollup that is behind up to the facts. Answers how many days it recomputed. */
    async recompute(mayGoOn = () => true): Promise<number> {
      while (mayGoOn() && (await database.transaction(inTurn(moveMembers))) > 0);
      let days = 0;
      while (mayGoOn()) {
        const done = await database.transaction(inTurn(recomputeBatch));
        if (done === 0) break;
        days += done;
      }
      return days;
    },
    /**
     * Cuts days in another zone from now on: marks every day for recomputing. Answers whether there was anything to do.
     * Days that counted runs which are no longer kept stay as they are.
     */
    rebuild: (timezone: string): Promise<boolean> =>
      database.transaction(async (transaction) => {
        await transaction.query(`select ${changeZone}, set_config('statement_timeout', '0', true)`);
        const changed = await transaction.query(`update rollup_zone set zone = $1 where zone <> $1 returning zone`, [
          timezone,
        ]);
        if (changed.length > 0) await transaction.query(markEveryDay, [timezone]);
        return changed.length > 0;
      }),
    /** Whether days are still waiting to be cut in a new zone. Readers are exact all the same, only slower. */
    async rebuilding(): Promise<boolean> {
      const [answer] = await database.query<{ pending: boolean }>(
        `select exists (select from dirty_day where id <= (select rebuild_through from rollup_zone)) as pending`,
      );
      return answer?.pending ?? false;
    },
  };
}

const markEveryDay = `
  with marked as (
    insert into dirty_day (repo_id, day)
    select repo_id, ${dayOf('created_at', '$1')} from workflow_runs where created_at >= ${keptFrom}
    union
    select repo_id, day from repo_day where day >= ${sealedBefore}
    returning id
  )
  update rollup_zone set rebuild_through = coalesce((select max(id) from marked), 0)`;

/** Does a batch of work on rollups, unless another process is at it. Answers how much was done. */
const inTurn = (work: (transaction: Queries) => Promise<number>) => async (transaction: Queries) => {
  const [turn] = await transaction.query<{ mine: boolean }>(
    `select ${tryRecompute} as mine, ${shareZone}, set_config('statement_timeout', '60000', true)`,
  );
  return turn?.mine ? work(transaction) : 0;
};

/**
 * The notes are taken away first and the facts read by a later statement, which sees at least what those notes were
 * about; whoever commits in between leaves a note of their own.
 */
async function recomputeBatch(transaction: Queries): Promise<number> {
  const notes = await transaction.query<{ repo_id: number; day: string }>(
    `delete from dirty_day where id in (select id from dirty_day order by id limit ${batch})
     returning repo_id, day::text`,
  );
  const days = new Map(notes.map((note) => [`${note.repo_id} ${note.day}`, note]));
  if (days.size === 0) return 0;
  const parameters = [[...days.values()].map((note) => note.repo_id), [...days.values()].map((note) => note.day)];
  await transaction.query(recomputeDays, parameters);
  await noteDue(
    transaction,
    notes.map(({ repo_id }) => repo_id),
  );
  return days.size;
}

/** A sealed day has no runs to be counted anew from. */
const noted = `(
  select * from unnest($1::int[], $2::date[]) one(repo_id, day) where day >= ${sealedBefore}) n`;
const rolledUp = [...counters, 'p95_ms', 'hist_b', 'hist_n'];

/** Replaces what was `known` of the noted days by what they are `anew`, and moves the sums of the owners along. */
const recomputeDays = `
  with runs as materialized (
    select n.repo_id, n.day, w.conclusion, w.duration_ms, w.queue_wait_ms
    from ${noted} join workflow_runs w on w.repo_id = n.repo_id and ${createdOn('n.day', 'n.day', rollupZone)}
  ),
  buckets as (
    select repo_id, day, ${bucketOf('duration_ms')} as b, count(*)::int as n
    from runs where duration_ms > 0 group by 1, 2, 3
  ),
  histograms as (
    select repo_id, day, array_agg(b order by b) as hist_b, array_agg(n order by b) as hist_n from buckets group by 1, 2
  ),
  anew as materialized (
    select d.*, coalesce(h.hist_b, '{}') as hist_b, coalesce(h.hist_n, '{}') as hist_n
    from (select w.repo_id, w.day, ${counted}, ${exactP95} as p95_ms from runs w group by 1, 2) d
    left join histograms h using (repo_id, day)
  ),
  known as materialized (select r.* from ${noted} join repo_day r using (repo_id, day)),
  gone as (
    delete from repo_day r using known k where r.repo_id = k.repo_id and r.day = k.day
      and not exists (select from anew a where a.repo_id = k.repo_id and a.day = k.day)
  ),
  kept as (
    insert into repo_day (repo_id, day, ${rolledUp.join(', ')}) select repo_id, day, ${rolledUp.join(', ')} from anew
    on conflict (repo_id, day) do update set ${rolledUp.map((column) => `${column} = excluded.${column}`).join(', ')}
  ),
  parts as materialized (
    select m.owner_key, r.sign, ${partColumns}
    from (select 1 as sign, repo_id, day, ${rolledUp.join(', ')} from anew
          union all select -1, repo_id, day, ${rolledUp.join(', ')} from known) r join org_member m using (repo_id)
  ),
  ${mergeParts}
  select`;
