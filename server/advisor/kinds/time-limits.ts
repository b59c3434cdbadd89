import { changePoints } from '../../metrics/kernel/change-points.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { median, quantile } from '../../metrics/kernel/statistics.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { getSpan } from '../../metrics/runs/jobs.ts';
import type { Job } from '../../scan/workflow.ts';
import type { RecordedAttempt, RecordedJob } from '../history.ts';
import { createJobMatcher } from '../job-names.ts';
import { type AdvisedFile, type Finding, kind, withoutHistory } from '../kind.ts';
import { reasonsWhere } from '../reasons.ts';
import { startedJobs } from '../replay/demand.ts';
import { endAt, retime, type WorldChange } from '../replay/world-change.ts';

/** Contract of the advisor, section 2.7. */
export const timeLimits = kind({
  id: 'ADV-05',
  title: 'Set a time limit',
  certainty: 'recorded',
  rules: ['SEC-007'],
  limitsRisk: true,
  definition:
    'The limit is three times the 95th percentile of passing jobs, at least ten minutes above the longest, rounded up to five minutes. GitHub ends jobs without one after 360 minutes.',
  *find(file) {
    const match = createJobMatcher(file.workflow);
    const timed = Map.groupBy(timedJobs(file), ({ job }) => toOnly(match(job.name)));
    const unclear = new Set((timed.get(null) ?? []).map(({ job }) => job.name));
    const untold = new Set([...unclear].flatMap(match));
    for (const job of file.workflow.jobs) {
      if (job.uses !== null || job.timeout !== null) continue;
      const { passing, hangs } = sortJobs(timed.get(job) ?? []);
      const isOne = (name: string) => toOnly(match(name)) === job;
      const isDistinct = passing.length >= minPassing || !untold.has(job);
      const limit = toLimit(passing.map(({ minutes }) => minutes));
      const isKnown = file.attempts !== null && passing.length >= minPassing;
      if (isKnown && limit >= platformLimit) continue;
      yield {
        anchor: ['jobs', job.id],
        offset: job.offset,
        ...(file.attempts === null
          ? withoutHistory(
              `The job “${job.id}” has no time limit: a hang holds its runner for ${platformLimit} minutes.`,
            )
          : describe(job, { passing, isDistinct, limit, hangs: hangs.filter(({ minutes }) => minutes > limit) })),
        reasons: reasonsWhere({
          history_absent: file.attempts === null,
          jobs_not_mapped: !isDistinct,
          sample_too_small: file.attempts !== null && isDistinct && passing.length < minPassing,
          ended_passing: isKnown && hasPassedBeyond(limit, file, (name) => match(name).includes(job)),
          waits_for_approval: job.environment !== null,
          longer_lately: hasBecomeLonger(passing, file.now),
        }),
        changes: isKnown
          ? [{ do: 'insert', at: ['jobs', job.id], key: 'timeout-minutes', value: limit, after: ['runs-on'] }]
          : [],
        counterfactual: hangs.some(({ minutes }) => isKnown && minutes > limit)
          ? { change: endJobsAfter(limit, isOne), demand: startedJobs(file.workflowId, isOne) }
          : null,
      };
    }
  },
});

/** Minutes after which the platform ends a job. */
const platformLimit = 360;
const minPassing = 30;
/** Newest durations in which a lasting change is looked for. */
const maxCompared = 100;

interface TimedJob {
  attempt: RecordedAttempt;
  job: RecordedJob;
  minutes: number;
}

const toOnly = ([job, ...others]: readonly Job[]): Job | null => (job && others.length === 0 ? job : null);

/** The recorded jobs of known duration. */
const timedJobs = ({ attempts }: AdvisedFile): TimedJob[] =>
  (attempts ?? []).flatMap((attempt) =>
    (attempt.jobs ?? []).flatMap((job): TimedJob[] => {
      const span = job.isTaken ? getSpan(job) : null;
      return span === null ? [] : [{ attempt, job, minutes: span / 60_000 }];
    }),
  );

/** Whether a job that may have been this one passed after more minutes, on whatever day. */
const hasPassedBeyond = (
  limit: number,
  { longestPassing, workflowId }: AdvisedFile,
  mayBeOne: (name: string) => boolean,
): boolean => longestPassing.some((one) => one.workflowId === workflowId && one.minutes > limit && mayBeOne(one.name));

const sortJobs = (timed: readonly TimedJob[]) => ({
  passing: timed.filter(({ job }) => getOutcome(job) === 'pass'),
  hangs: timed.filter(({ job }) => getOutcome(job) !== 'pass'),
});

/** As if jobs that ran for longer had been ended after so many minutes. */
const endJobsAfter =
  (limit: number, isOne: (name: string) => boolean): WorldChange =>
  (attempts) =>
    attempts.map((attempt) => {
      const ended = (attempt.jobs ?? []).flatMap((job) => {
        const times = job.isTaken && isOne(job.name) ? endAt(job, (job.startedAt ?? 0) + limit * 60_000) : null;
        return times ? [[job, times] as const] : [];
      });
      return retime(attempt, new Map(ended));
    });

/** Minutes with ample room above what passing jobs took, a multiple of 5. */
export function toLimit(passing: readonly number[]): number {
  const longest = findLongest(passing);
  const roomy = Math.ceil(Math.max(3 * (quantile(passing, 0.95) ?? 0), longest + 10));
  return Math.max(5, Math.ceil(roomy / 5) * 5);
}

const findLongest = (values: readonly number[]): number =>
  values.reduce((longest, value) => Math.max(longest, value), 0);

/** Whether the newest lasting change of durations was upwards, within 14 days. */
function hasBecomeLonger(passing: readonly TimedJob[], now: Instant): boolean {
  const newest = passing.slice(-maxCompared);
  const [first, ...others] = changePoints(newest.map(({ minutes }) => minutes));
  const at = others.at(-1) ?? first;
  if (at === undefined) return false;
  const [before, after] = [newest.slice(0, at), newest.slice(at)].map((part) =>
    median(part.map(({ minutes }) => minutes)),
  );
  const since = newest[at]?.attempt.arrivedAt ?? 0;
  return (after ?? 0) > (before ?? 0) && since >= now - 14 * dayMs;
}

interface Durations {
  passing: readonly TimedJob[];
  /** Whether recorded jobs can be distinguished from those of other jobs of the file. */
  isDistinct: boolean;
  limit: number;
  /** Jobs that did not pass and ran for longer than the limit. */
  hangs: readonly TimedJob[];
}

function describe({ id }: Job, { passing, isDistinct, limit, hangs }: Durations) {
  if (!isDistinct)
    return withoutHistory(
      `The job “${id}” has no time limit; its runs cannot be distinguished from those of other jobs.`,
    );
  if (passing.length < minPassing)
    return withoutHistory(`The job “${id}” has no time limit; ${passing.length} passing jobs are too few to set one.`);
  const minutes = passing.map((one) => one.minutes);
  const longest = findLongest(minutes);
  const p95 = quantile(minutes, 0.95) ?? 0;
  const bound = Math.ceil(300 / passing.length);
  const evidence = hangs.map(({ attempt, job }) => ({ attempt, why: `“${job.name}” ran longer than ${limit} min` }));
  return {
    text: `${passing.length} passing jobs “${id}” took at most ${formatMinutes(longest)} min; without a limit a hang holds its runner for ${platformLimit} min.`,
    sample: passing.length,
    facts: [
      { label: 'p95 of passing jobs', value: formatMinutes(p95), unit: 'min' },
      { label: 'Longest passing job', value: formatMinutes(longest), unit: 'min' },
      { label: 'Limit', value: String(limit), unit: 'min' },
      { label: 'Jobs that ran longer', value: String(hangs.length), unit: null },
    ],
    evidence: [...new Map(evidence.map((one) => [one.attempt, one])).values()],
    risks: [
      {
        text: `Passing jobs that the limit would have ended; of future ones up to ${bound}% may be.`,
        count: 0,
        of: passing.length,
      },
    ],
  } satisfies Partial<Finding>;
}

const formatMinutes = (minutes: number) => minutes.toFixed(1);
