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

/** That the 95th percentile of so many durations is among the shortest `upto` of them. */
export const reaches95 = (upto: string, durations: string) => `20 * ${upto} >= 19 * ${durations}`;

export const rollupZone = '(select zone from rollup_zone)';

/** Runs created before then are deleted or about to be, and are no facts any more. */
export const keptFrom = '(select kept_from from rollup_zone)';
/** Days before this one counted the runs that are no longer kept, and stay as they are, whatever the zone becomes. */
export const sealedBefore = '(select sealed_before from rollup_zone)';

/**
 * The day on which a run counts that was created at a moment from `keptFrom` on. After a change of the zone the first
 * day behind the sealed ones is longer or shorter than others, so that every run counts once.
 */
export const dayOf = (instant: string, zone: string) =>
  `greatest((${instant} at time zone ${zone})::date, ${sealedBefore})`;

/**
 * That run `w` counts on the days from `first` to `last`, none of them sealed. The bounds let the index find it; they
 * are wide, because a day may begin with an hour that comes twice.
 */
export const createdOn = (first: string, last: string, zone: string) => `
  w.created_at >= case when ${first} > ${sealedBefore}
    then greatest((${first})::timestamp at time zone ${zone} - interval '3 hours', ${keptFrom}) else ${keptFrom} end
  and w.created_at < ((${last}) + 1)::timestamp at time zone ${zone} + interval '3 hours'
  and ${dayOf('w.created_at', zone)} ${first === last ? `= ${first}` : `between ${first} and ${last}`}`;
