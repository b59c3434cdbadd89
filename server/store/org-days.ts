import type { Queries } from './database.ts';
import { bucketMiddle, counters, reaches95 } from './day-sql.ts';

const batch = 20;

/**
 * `org_day` is at every instant the sum of the `repo_day` of the owner's `org_member`s, whatever those are: whoever
 * changes one of the three changes the sum with it, holding the lock of the recomputers. Readers need not trust that
 * the members are the right ones: they take away what they may not show and add what is missing.
 */

/**
 * Merges `parts` into `org_day`: rows of `repo_day` with an `owner_key` and a `sign`, -1 for what no longer counts.
 * Continues a `with`. What adds up is exact; the percentile is that of the merged histogram, within 2.5 %.
 */
export const mergeParts = `
  whole as materialized (
    select * from parts
    union all
    select o.owner_key, 1, o.day, ${counters.map((counter) => `o.${counter}`).join(', ')}, o.hist_b, o.hist_n
    from org_day o join (select distinct owner_key, day from parts) changed using (owner_key, day)
  ),
  sums as materialized (
    select owner_key, day, ${counters.map((counter) => `sum(sign * ${counter}) as ${counter}`).join(', ')}
    from whole group by 1, 2
  ),
  steps as (
    select owner_key, day, b, sum(n) as n
    from (select owner_key, day, unnest(hist_b) as b, sign * unnest(hist_n) as n from whole) one
    group by 1, 2, 3 having sum(n) <> 0
  ),
  running as (select *, sum(n) over (partition by owner_key, day order by b) as upto from steps),
  shapes as (
    select owner_key, day, array_agg(b order by b) as hist_b, array_agg(n order by b) as hist_n,
      min(b) filter (where ${reaches95('upto', 'duration_n')}) as b95
    from running join sums using (owner_key, day) group by 1, 2
  ),
  emptied as (
    delete from org_day o using sums s where o.owner_key = s.owner_key and o.day = s.day and s.total = 0
  ),
  merged as (
    insert into org_day (owner_key, day, ${counters.join(', ')}, p95_ms, hist_b, hist_n)
    select owner_key, day, ${counters.join(', ')}, ${bucketMiddle('b95')}, coalesce(hist_b, '{}'), coalesce(hist_n, '{}')
    from sums left join shapes using (owner_key, day) where total > 0
    on conflict (owner_key, day) do update set
      ${[...counters, 'p95_ms', 'hist_b', 'hist_n'].map((column) => `${column} = excluded.${column}`).join(', ')}
  )`;

/** The columns of `parts` that follow `owner_key` and `sign`, of rows `r`. */
export const partColumns = `r.day, ${counters.map((counter) => `r.${counter}`).join(', ')}, r.hist_b, r.hist_n`;

/**
 * Makes some of the tracked repositories members of their owner's days, or ends it for some that are not tracked by
 * that name any more. An owner of a single repository needs no sum. Hold the lock of the recomputers.
 * Answers how many were moved.
 */
export async function moveMembers(transaction: Queries): Promise<number> {
  for (const statement of [leave, join]) {
    const [done] = await transaction.query<{ moved: number }>(statement);
    if (done && done.moved > 0) return done.moved;
  }
  return 0;
}

const wanted = `
  wanted as materialized (
    select repo_id, owner_key
    from (select id as repo_id, owner_key, count(*) over (partition by owner_key) as siblings from repos where tracked) t
    where siblings > 1
  )`;

const moving = (sign: 1 | -1, deed: string) => `
  with ${wanted}, moving as (${deed} returning repo_id, owner_key),
  parts as materialized (
    select m.owner_key, ${sign} as sign, ${partColumns} from moving m join repo_day r on r.repo_id = m.repo_id
  ),
  ${mergeParts}
  select count(*)::int as moved from moving`;

const leave = moving(
  -1,
  `delete from org_member where repo_id in (
     select repo_id from (select repo_id, owner_key from org_member except select * from wanted) left_over limit ${batch})`,
);

const join = moving(
  1,
  `insert into org_member (repo_id, owner_key)
     select repo_id, owner_key from wanted w
     where not exists (select from org_member m where m.repo_id = w.repo_id) limit ${batch}`,
);
