import {
  bucketMiddle,
  bucketOf,
  counted,
  createdOn,
  dayOf,
  exactP95,
  reaches95,
  rollupZone,
  sealedBefore,
} from './day-sql.ts';

/** What a reader asks of days, from the columns of anything that has the counters. */
const figures = {
  total: 'total',
  success: 'success',
  failure: 'failure + timed_out + startup_failure',
  cancelled: 'cancelled',
  duration_n: 'duration_n',
  duration_sum: 'duration_sum',
  queue_n: 'queue_n',
  queue_sum: 'queue_sum',
};

export interface CountRow extends Record<keyof typeof figures, number> {
  bucket: string;
  p95_ms: number | null;
}

const names = Object.keys(figures);
/** The columns the figures are made of. */
const inputs = Object.values(figures).join(', ').replaceAll(' + ', ', ');

/**
 * Statements about the days from $2 to $3 in zone $4 of the repositories $1. `rolled` is exact at every instant: it
 * takes clean days from rollups, and days whose rollup is behind from their runs. It answers nothing where rollups are
 * cut in another zone; then `live` takes every day from the runs, as far as they are kept.
 */
export interface Statements {
  rolled: string;
  live: string;
}

const within = 'day between $2::date and $3::date';

const dirtyDays = `
  asked as materialized (select id from unnest($1::int[]) id where ${rollupZone} = $4),
  dirty as materialized (
    select distinct repo_id, day from dirty_day where repo_id = any(array(select id from asked)) and ${within}
  ),
  live_runs as (
    select d.day, w.conclusion, w.duration_ms, w.queue_wait_ms
    from dirty d join workflow_runs w on w.repo_id = d.repo_id and ${createdOn('d.day', 'd.day', '$4')}
  )`;

const everyRun = `
  live_runs as (
    select ${dayOf('w.created_at', '$4')} as day, w.conclusion, w.duration_ms, w.queue_wait_ms
    from workflow_runs w where w.repo_id = any($1::int[]) and ${createdOn('$2::date', '$3::date', '$4')}
  )`;

/** The days whose runs are no longer kept, as they were cut then. */
const sealedDays = `repo_day where repo_id = any($1::int[]) and ${within} and day < ${sealedBefore}`;

/** The clean days of the repositories of a query. */
const cleanDays = (repositories: string) => `
  repo_day r where r.repo_id = any(array(${repositories})) and r.${within}
    and not exists (select from dirty d where d.repo_id = r.repo_id and d.day = r.day)`;

const oneDay = `day::text as bucket, ${Object.entries(figures)
  .map(([name, counters]) => `(${counters})::float8 as ${name}`)
  .join(', ')}, p95_ms::float8`;

const liveDaily = `
  select ${oneDay} from (select day, ${counted}, ${exactP95} as p95_ms from live_runs w group by day) live`;

/** Each day has its exact percentile. */
export const dailyOfOne: Statements = {
  rolled: `
    with ${dirtyDays} select ${oneDay} from ${cleanDays('select id from asked')}
    union all ${liveDaily} order by bucket`,
  live: `with ${everyRun} select ${oneDay} from ${sealedDays} union all ${liveDaily} order by bucket`,
};

const days = '($3::date - $2::date + 1)';

/**
 * What to add up for several repositories. Where it is less to read, the days of the whole owner, less those of its
 * members that were not asked for or are behind; otherwise there is no `member`.
 */
const parts = `
  sibling as materialized (
    select repo_id, owner_key, repo_id in (select id from asked) as asked from org_member
    where owner_key = (select owner_key from org_member where repo_id = any(array(select id from asked)) limit 1)
  ),
  member as materialized (
    select * from sibling where (
      select count(*) filter (where not asked) * ${days} + (select count(*) from dirty)
        < count(*) filter (where asked) * ${days} from sibling)
  ),
  parts as materialized (
    select day, ${inputs}, hist_b, hist_n, p95_ms, 1 as sign from org_day
    where owner_key = (select owner_key from member limit 1) and ${within}
    union all
    select day, ${inputs}, hist_b, hist_n, null, -1 from repo_day
    where repo_id = any(array(select repo_id from member where not asked)) and ${within}
    union all
    select day, ${inputs}, hist_b, hist_n, null, -1 from dirty join repo_day using (repo_id, day)
    where repo_id in (select repo_id from member)
    union all
    select day, ${inputs}, hist_b, hist_n, null, 1 from ${cleanDays('select id from asked except select repo_id from member')}
  )`;

const sealedParts = `parts as (select day, ${inputs}, hist_b, hist_n, null::bigint as p95_ms, 1 as sign from ${sealedDays})`;

/** As floats, because they add up faster than large integers, and exactly below 2^53. */
const sums = Object.entries(figures)
  .map(([name, counters]) => `sum((sign * (${counters}))::float8) as ${name}`)
  .join(', ');

/** Sums and merged histograms by a stretch of days: `bucket` says which one a `day` belongs to. */
const merged = (sources: string, bucket: string) => `
  with ${sources},
  live_steps as materialized (
    select day, b, ${inputs}
    from (select day, case when duration_ms > 0 then ${bucketOf('duration_ms')} end as b, ${counted}
          from live_runs w group by 1, 2) live
  ),
  counts as (
    select ${bucket} as bucket, ${sums}, case when count(*) = 1 then max(p95_ms) end as p95_ms
    from (select day, ${inputs}, p95_ms, sign from parts
          union all select day, ${inputs}, null, 1 from live_steps) days
    group by 1 having sum(sign * total) > 0
  ),
  steps as (
    select bucket, b, sum(n)::int as n
    from (select ${bucket} as bucket, unnest(hist_b) as b, sign * unnest(hist_n) as n from parts
          where ${bucket} in (select bucket from counts where p95_ms is null)
          union all select ${bucket}, b, duration_n from live_steps where b is not null) one
    group by 1, 2
  ),
  running as (select bucket, b, n, sum(n) over (partition by bucket order by b) as upto from steps),
  percentiles as (
    select bucket, min(b) as b from running join counts using (bucket)
    where n > 0 and ${reaches95('upto', 'duration_n')} group by bucket
  )
  select bucket::text, ${names.join(', ')}, coalesce(p95_ms, ${bucketMiddle('p.b')})::float8 as p95_ms
  from counts left join percentiles p using (bucket) order by bucket`;

const summed = (bucket: string): Statements => ({
  rolled: merged(`${dirtyDays}, ${parts}`, bucket),
  live: merged(`${everyRun}, ${sealedParts}`, bucket),
});

export const dailyOfMany = summed('day');
export const quarterlyOfAny = summed(`date_trunc('quarter', day::timestamp)::date`);
