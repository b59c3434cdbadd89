import type { Database } from '../../server/store/database.ts';

/** The days of owners that are not the sum of their members' days, in any column, and the other way round. */
export const wrongOrgDays = (database: Database) =>
  database.query(`
    with days as (
      select m.owner_key, r.* from repo_day r join org_member m using (repo_id)
    ),
    summed as (
      select owner_key, day, ${counters.map((one) => `sum(${one})`).join(', ')} from days group by owner_key, day
    ),
    stored as (select owner_key, day, ${counters.join(', ')} from org_day)
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
  'steps',
];
