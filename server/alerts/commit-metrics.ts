import type { Instant } from '../metrics/kernel/facts.ts';
import { computePercent } from '../metrics/kernel/statistics.ts';
import { dayMs, hourMs, isWithin, staleAfterMs } from '../metrics/kernel/window.ts';
import type { Author, People } from '../metrics/people/people.ts';
import { createCalendar } from '../metrics/people/workday-hours.ts';
import {
  afterHoursCommitShare,
  type HabitThresholds,
  isMeasured,
  isOversized,
  oversizedCommitShare,
  toCommitSize,
} from '../metrics/people/working-habits.ts';
import { isOutsideWorkday, type Workday } from '../metrics/people/workload.ts';
import { readSetting } from '../settings/setting.ts';
import { workday } from '../settings/workday.ts';
import { habitThresholds } from '../settings/working-habits.ts';
import type { Store } from '../store/orm.ts';
import type { MergedCommit, MergeReading } from '../store/pull-request-commits.ts';
import {
  type AlertFacts,
  alertMetric,
  type Evaluation,
  getWindow,
  type Moment,
  type Range,
  unknown,
} from './metric.ts';

/** What metrics of commits are judged from. */
interface CommitFacts extends AlertFacts {
  people: People;
  commits: readonly MergedCommit[];
  merges: readonly MergeReading[];
  /** Until when every merge is known and was read; null when that was never so. */
  through: Instant | null;
  limits: HabitThresholds;
  hours: Workday;
}

const ofCommits = { group: 'people', dataSource: 'commits', unit: 'percent', minSample: 5, load: readCommits } as const;

/** Oversized, of the measured commits of pull requests merged in the window, by the thresholds in effect. */
export const oversizedCommits = alertMetric({
  ...ofCommits,
  key: 'oversized_commit_pct',
  definition:
    'Share of commits that change more files or lines than the limits of working habits allow, of the commits of known size in pull requests merged in the window. Merge commits and bots are excluded; without a value where fewer than three people wrote them.',
  label: 'Oversized commits',
  measure: (facts, at) =>
    whereAllWereRead(facts, at, (commits) => {
      const { limits, people } = facts;
      const { counted } = oversizedCommitShare(limits, people).evidence(commits);
      return ofSeveralPeople(counted, facts, (commit) => {
        const size = toCommitSize(commit);
        return isMeasured(size) && isOversized(size, limits);
      });
    }),
});

/** Written outside the team's workday or on a weekend, of the commits written and merged in the window. */
export const afterHoursCommits = alertMetric({
  ...ofCommits,
  key: 'afterhours_commit_pct',
  definition:
    'Share of commits written outside the workday or on a weekend, of those written in the window in pull requests merged in it. Merge commits and bots are excluded; without a value where fewer than three people wrote them.',
  label: 'After-hours commits',
  measure: (facts, at) =>
    whereAllWereRead(facts, at, (commits) => {
      const { hours, people } = facts;
      // What was written in the window cannot have been merged before it.
      const written = commits.filter(({ authoredAt }) => isWithin(authoredAt, getWindow(at)));
      const { counted } = afterHoursCommitShare(hours, people).evidence(written);
      return ofSeveralPeople(counted, facts, ({ authoredAt }) => isOutsideWorkday(authoredAt, hours));
    }),
});

/** With fewer, everybody who sees the rule would read the habits of one person. */
const minPeople = 3;

/** The share of commits, unless so few people wrote them that it would be theirs. */
function ofSeveralPeople<Commit extends Author>(
  counted: readonly Commit[],
  { people }: CommitFacts,
  isPart: (commit: Commit) => boolean,
): Evaluation {
  const sample = counted.length;
  if (sample > 0 && people.authorRoster(counted).size < minPeople)
    return { value: null, sample, incomplete: 'Fewer than three people wrote the commits that count.' };
  return { value: computePercent(counted, isPart), sample };
}

/** What the commits of the pull requests merged in the window come to, once all of them were read. */
function whereAllWereRead(
  { commits, merges, through }: CommitFacts,
  at: Moment,
  measure: (commits: MergedCommit[]) => Evaluation,
): Evaluation {
  const window = getWindow(at);
  if (through === null || through < at.now - staleAfterMs) return unknown('Merged pull requests are not up to date.');
  const merged = merges.filter(({ mergedAt }) => isWithin(mergedAt, window));
  const unread = merged.filter(({ isRead }) => !isRead).length;
  if (unread > 0)
    return unknown(`Commits of ${unread} of ${merged.length} merged pull requests have not been synced yet.`);
  return measure(commits.filter(({ mergedAt }) => isWithin(mergedAt, window)));
}

/** They are stored so long after the merge. */
const retentionMs = 120 * dayMs;

async function readCommits(range: Range, store: Store): Promise<CommitFacts> {
  const { repoId, from, until, windowHours, people } = range;
  const since = from - windowHours * hourMs;
  const [commits, merges, { through }, limits, team] = await Promise.all([
    store.pullRequestCommits.merged(repoId, since),
    store.pullRequestCommits.readings(repoId, since),
    store.pullRequestCommits.coverage(repoId, until),
    habitThresholds(store),
    readSetting(workday, store),
  ]);
  const { timezone, start, end } = team.value;
  // What was merged after the last complete reading is read by the next; what was not read before that is too old for it.
  const unread = merges.findLast(({ mergedAt, isRead }) => !isRead && mergedAt <= (through ?? until));
  const reached = Math.max(
    await mergesKnownFrom(repoId, store, until),
    until - retentionMs,
    (unread?.mergedAt ?? 0) + 1,
  );
  return {
    people,
    commits,
    merges,
    through,
    limits,
    hours: { calendar: createCalendar(timezone), start, end },
    knownFrom: reached + windowHours * hourMs,
    endings: [],
  };
}

async function mergesKnownFrom(repoId: number, store: Store, otherwise: Instant): Promise<Instant> {
  const id = await store.repositories.findCodehostId(repoId);
  const states = id === null ? [] : await store.facts.syncStates({ id });
  return states.find(({ kind }) => kind === 'pull_requests')?.floor ?? otherwise;
}
