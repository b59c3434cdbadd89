import { outcomeOf } from '../metrics/outcome.ts';
import { percentOf } from '../metrics/statistics.ts';
import { calendarOf } from '../metrics/workday-hours.ts';
import { successRate } from '../metrics/workflow-runs.ts';
import {
  afterHoursCommitShare,
  isMeasured,
  isOversized,
  oversizedCommitShare,
  sizeOf,
} from '../metrics/working-habits.ts';
import { isOutsideWorkday } from '../metrics/workload.ts';
import { readSetting } from '../settings/setting.ts';
import { workday } from '../settings/workday.ts';
import { habitThresholds } from '../settings/working-habits.ts';
import type { Store } from '../store/orm.ts';
import type { MergedCommit } from '../store/pull-request-commits.ts';
import { type AlertMetric, alertMetric, type Watch, type Watched } from './metric.ts';

/** More runs than this in one window are judged by the newest of them. */
const runLimit = 5000;

export const failureRate = alertMetric({
  key: 'failure_rate',
  label: 'Failed runs',
  unit: 'percent',
  fedBy: 'workflow-runs',
  minSample: 5,
  async measure({ repoId, since }, store) {
    const runs = await store.runs.recent(repoId, { since, limit: runLimit });
    const { counted } = successRate.evidence(runs);
    // The metric rounds for people; a threshold is compared with the exact share.
    return { value: percentOf(counted, (run) => outcomeOf(run) === 'fail'), sample: counted.length };
  },
});

export const oversizedCommits = alertMetric({
  key: 'oversized_commit_pct',
  label: 'Oversized commits',
  unit: 'percent',
  fedBy: 'commits',
  minSample: 5,
  measure: (watched, store) =>
    ofCommits(watched, store, async (commits) => {
      const limits = await habitThresholds(store);
      const { counted } = oversizedCommitShare(limits, watched.people).evidence(commits);
      const sizes = counted.map(sizeOf).filter(isMeasured);
      return { value: percentOf(sizes, (size) => isOversized(size, limits)), sample: sizes.length };
    }),
});

export const afterHoursCommits = alertMetric({
  key: 'afterhours_commit_pct',
  label: 'Commits outside the workday',
  unit: 'percent',
  fedBy: 'commits',
  minSample: 5,
  measure: (watched, store) =>
    ofCommits(watched, store, async (commits) => {
      const { timezone, start, end } = (await readSetting(workday, store)).value;
      const hours = { calendar: calendarOf(timezone), start, end };
      // What was written in the window cannot have been merged before it.
      const written = commits.filter(({ authoredAt }) => authoredAt >= watched.since && authoredAt < watched.now);
      const { counted } = afterHoursCommitShare(hours, watched.people).evidence(written);
      const value = percentOf(counted, ({ authoredAt }) => isOutsideWorkday(authoredAt, hours));
      return { value, sample: counted.length };
    }),
});

/** They are read every night; what was not read for longer lacks the newest. */
const staleAfterMs = 36 * 3_600_000;

/** What the commits of the pull requests merged in the window come to, once all of them were read. */
async function ofCommits(
  { repoId, since, now }: Watched,
  store: Store,
  measure: (commits: MergedCommit[]) => Promise<Watch>,
): Promise<Watch> {
  const { merged, synced, through } = await store.pullRequestCommits.coverage(repoId, since);
  const unknown = { value: null, sample: 0 };
  if (through === null || through < now - staleAfterMs)
    return { ...unknown, incomplete: 'The merged pull requests have not all been read lately.' };
  if (synced < merged) {
    const incomplete = `The commits of ${merged - synced} of ${merged} merged pull requests have not been read yet.`;
    return { ...unknown, incomplete };
  }
  const commits = await store.pullRequestCommits.merged(repoId, since);
  return measure(commits.filter(({ mergedAt }) => mergedAt < now));
}

/** Everything a rule can watch: the choices of the form, the labels of the letters, the work of the evaluation. */
export const alertMetrics: readonly AlertMetric[] = [failureRate, oversizedCommits, afterHoursCommits];
