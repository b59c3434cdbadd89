import type { Database } from '../../server/store/database.ts';

/** The days of owners that are not the sum of their members' days, in any column, and the other way round. */
export const wrongOrgDays = (database: Database) =>
  database.query(`
    with days as (
      select m.owner_key, r.* from repo_day r join org_member m using (repo_id)
    ),
    summed as (
      select owner_key, day, ${counters.map((one) => `sum(${one})`).join(', ')}, (
        select array_agg(array[b, n] order by b) from (
          select b, sum(n) as n from (
            select unnest(hist_b) as b, unnest(hist_n) as n from days same
            where same.owner_key = days.owner_key and same.day = days.day) every group by b) steps) as steps
      from days group by owner_key, day
    ),
    stored as (
      select owner_key, day, ${counters.join(', ')}, (
        select array_agg(array[b, n]::bigint[] order by b) from unnest(hist_b, hist_n) one(b, n)) as steps
      from org_day
    )
    select 'missing' as wrong, * from (select * from summed except select * from stored) a
    union all select 'unfounded', * from (select * from stored except select * from summed) b`);

const counters = [
  'total',
  'success',
  'failure',
  'cancelled',
  'skipped',
  'timed_out',
  'action_required',
  'neutral',
  'stale',
  'startup_failure',
  'duration_n',
  'duration_sum',
  'queue_n',
  'queue_sum',
];
