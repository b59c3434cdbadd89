import type { People } from '../../server/metrics/people/people.ts';
import { createCalendar } from '../../server/metrics/people/workday-hours.ts';
import {
  afterHoursCommitShare,
  type HabitThresholds,
  type MergedCommit,
  oversizedCommitShare,
} from '../../server/metrics/people/working-habits.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';
import { type HeldMetrics, held } from './held-metrics.ts';
import { naiveIsBot, naiveIsBotCommit, naiveRound } from './naive-people.ts';
import { naiveClockOf } from './naive-work.ts';

const thresholds: HabitThresholds = { filesPerCommit: 3, linesPerCommit: 120, commitsPerPr: 4 };

/** The metrics of commits of merged pull requests, as if each commit of the world had been merged with one of those. */
export function heldHabits(world: DeliveryWorld, people: People): HeldMetrics {
  const commits = world.commits.map((commit): MergedCommit => {
    const place = Number(commit.sha.replace(/\D/g, ''));
    const pullRequest = world.pullRequests.find(({ number }) => number === place);
    const additions = place % 5 === 0 ? null : (place * 37) % 200;
    const deletions = place % 7 === 0 ? null : place % 9;
    const prAuthor = pullRequest ? pullRequest.author : null;
    return { ...commit, prAuthor, isMerge: commit.parents > 1, additions, deletions };
  });
  const workday = { calendar: createCalendar(world.timezone), start: 8, end: 19 };
  const [oversized, outside] = naiveShares(commits, world.timezone);
  return {
    oversizedCommitShare: [held(oversizedCommitShare(thresholds, people), commits, oversized)],
    afterHoursCommitShare: [held(afterHoursCommitShare(workday, people), commits, outside)],
  };
}

function naiveShares(commits: MergedCommit[], timezone: string): [oversized: number | null, outside: number | null] {
  const clock = naiveClockOf(timezone);
  const tally = { all: 0, outside: 0, measured: 0, oversized: 0 };
  for (const commit of commits) {
    const { isMerge, prAuthor, authoredAt, additions, deletions, changedFiles } = commit;
    if (isMerge || naiveIsBotCommit(commit) || naiveIsBot(prAuthor)) continue;
    tally.all += 1;
    const { hour, weekday } = clock(authoredAt);
    if (hour < 8 || hour > 18 || weekday.startsWith('S')) tally.outside += 1;
    if (additions === null || deletions === null || changedFiles === null) continue;
    tally.measured += 1;
    if (changedFiles >= 4 || additions + deletions >= 121) tally.oversized += 1;
  }
  return [naiveRound(100 * tally.oversized, tally.measured), naiveRound(100 * tally.outside, tally.all)];
}
