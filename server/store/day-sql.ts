import { conclusions } from '../metrics/facts.ts';

/** The columns of `repo_day` that add up: over days, over repositories. */
export const counters = ['total', ...conclusions, 'duration_n', 'duration_sum', 'queue_n', 'queue_sum'] as const;

/** The counters of runs `w`. Averages take positive durations of completed runs. */
export const counted = `
  count(*)::int as total,
  ${conclusions.map((one) => `count(*) filter (where w.conclusion = '${one}')::int as ${one}`).join(', ')},
  count(*) filter (where w.duration_ms > 0)::int as duration_n,
  coalesce(sum(w.duration_ms) filter (where w.duration_ms > 0), 0)::bigint as duration_sum,
  count(w.queue_wait_ms)::int as queue_n,
  coalesce(sum(w.queue_wait_ms), 0)::bigint as queue_sum`;

/** The exact 95th percentile of the durations of runs `w`. */
export const exactP95 = `
  round(percentile_cont(0.95) within group (order by w.duration_ms) filter (where w.duration_ms > 0))::bigint`;

/** Durations in steps of 5 %: what a day's histogram counts, so that days can be merged. */
const step = 'ln(1.05)';
export const bucketOf = (duration: string) => `floor(ln(${duration}) / ${step})::smallint`;
/** The middle of a bucket: at most 2.5 % from any duration in it. */
export const bucketMiddle = (bucket: string) => `round(exp((${bucket} + 0.5) * ${step}))::bigint`;

export const dayOf = (instant: string, zone: string) => `(${instant} at time zone ${zone})::date`;

/**
 * That run `w` was created on the days from `first` to `last`. The bounds let the index find it; they are wide,
 * because a day may begin with an hour that comes twice.
 */
export const createdOn = (first: string, last: string, zone: string) => `
  w.created_at >= (${first})::timestamp at time zone ${zone} - interval '3 hours'
  and w.created_at < ((${last}) + 1)::timestamp at time zone ${zone} + interval '3 hours'
  and ${dayOf('w.created_at', zone)} between ${first} and ${last}`;

export const rollupZone = '(select zone from rollup_zone)';

/**
 * The days of repositories $1 from $2 to $3 in zone $4, exact at every instant: `clean` rollups, and beside them
 * `live_runs`, the runs of days whose rollup is behind. Where rollups are cut in another zone, every day is.
 */
export const cleanAndLive = `
  dirty as materialized (
    select repo_id, day from dirty_day where repo_id = any($1::int[]) and day between $2::date and $3::date
    union
    select repo_id, ${dayOf('created_at', '$4')} from workflow_runs w
    where ${rollupZone} <> $4 and repo_id = any($1::int[]) and ${createdOn('$2::date', '$3::date', '$4')}
  ),
  clean as (
    select r.* from repo_day r
    where ${rollupZone} = $4 and r.repo_id = any($1::int[]) and r.day between $2::date and $3::date
      and not exists (select from dirty d where d.repo_id = r.repo_id and d.day = r.day)
  ),
  live_runs as (
    select d.repo_id, d.day, w.conclusion, w.duration_ms, w.queue_wait_ms
    from dirty d join workflow_runs w on w.repo_id = d.repo_id and ${createdOn('d.day', 'd.day', '$4')}
  )`;
