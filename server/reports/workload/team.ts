import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { compareShares, judgeChange } from '../../metrics/kernel/comparison.ts';
import type { Commit } from '../../metrics/kernel/delivery-facts.ts';
import { isWithin } from '../../metrics/kernel/window.ts';
import { outsideWorkdayShare, type Workday } from '../../metrics/people/workload.ts';
import { weeksUpTo } from '../../metrics/pull-requests/cycle.ts';
import { verdict } from '../kernel/verdict.ts';
import type { RepositoryFacts } from '../repositories/facts.ts';
import { countMergeMoments, type WorkloadReading } from './reading.ts';

export const WorkloadTeam = z.object({
  commits: z.int().meta({ description: 'Of people, without merges and those of `author_unread`.' }),
  author_unread: z.int().meta({ description: 'Commits without merges of which it could not be read who wrote them.' }),
  contributors: z.int().nullable().meta({ description: 'People who wrote them; null while any author is unread.' }),
  outside_workday_commits: z.int().meta({ description: 'Of `commits`.' }),
  outside_workday_pct: z.int().nullable(),
  period_before: z
    .object({
      commits: z.int(),
      outside_workday_commits: z.int(),
      outside_workday_pct: z.int().nullable(),
      outside_workday_verdict: verdict,
    })
    .nullable()
    .meta({
      description:
        'Of the equally long window before; null where it is not known from its start on, or who wrote any commit of it.',
    }),
  weeks: z
    .array(z.object({ week_start: z.iso.date(), commits: z.int(), outside_workday_pct: z.int().nullable() }))
    .meta({
      description:
        'Whole weeks of the window that were read, oldest first; the share is null where fewer than three people wrote commits.',
    }),
  hours: z
    .array(z.array(z.int()))
    .nullable()
    .meta({
      description:
        'Commits by weekday (0 = Sunday) and hour of the zone; null when fewer than three people wrote them, and while any ' +
        'author is unread.',
    }),
  merge_moment_pct: z.int().nullable().meta({
    description:
      'Share of all commits that carry the moment of a merge as author time; null when merges are not stored.',
  }),
  merge_moment_commits: z.int().nullable().meta({ description: 'Those commits.' }),
  merge_moment_sample: z.int().nullable().meta({ description: 'All commits, of bots too, without merges.' }),
});

/** With fewer, the hours of the team would reveal those of one person. */
const minPeopleForHours = 3;

/** Figures from the commits of all people together. */
export async function computeTeam(
  reading: WorkloadReading,
  facts: RepositoryFacts,
  context: Context,
): Promise<Domain<typeof WorkloadTeam>> {
  const share = computeOutsideShare(reading, facts);
  const { counted } = share.evidence(reading.commits);
  const moments = await countMergeMoments(reading, facts, context);
  const authorUnread = reading.commits.filter(
    ({ parents, isAuthorUnread, authoredAt }) => parents <= 1 && isAuthorUnread && isWithin(authoredAt, reading.window),
  ).length;
  const contributors = authorUnread === 0 ? facts.people.authorRoster(counted).size : null;
  return {
    commits: counted.length,
    authorUnread,
    contributors,
    outsideWorkdayCommits: share.countPart(counted) ?? 0,
    outsideWorkdayPct: share.reduce(counted),
    periodBefore: authorUnread === 0 ? computeEarlier(reading, facts, counted) : null,
    weeks: authorUnread === 0 ? listWeeks(reading, facts) : [],
    hours: contributors === null || contributors < minPeopleForHours ? null : countHours(counted, reading.workday),
    mergeMomentPct: moments?.pct ?? null,
    mergeMomentCommits: moments?.commits ?? null,
    mergeMomentSample: moments?.sample ?? null,
  };
}

/** The team's share of commits outside the workday, in the window and the hours of a reading. */
export const computeOutsideShare = (
  { window, workday }: Pick<WorkloadReading, 'window' | 'workday'>,
  { people }: RepositoryFacts,
) => outsideWorkdayShare({ window, workday, people });

/** The same share of the window before, and whether it differs. */
function computeEarlier(
  { earlier, workday }: WorkloadReading,
  facts: RepositoryFacts,
  counted: readonly Commit[],
): Domain<typeof WorkloadTeam>['periodBefore'] {
  if (earlier === null || earlier.commits.some(({ parents, isAuthorUnread }) => parents <= 1 && isAuthorUnread))
    return null;
  const share = computeOutsideShare({ window: earlier.window, workday }, facts);
  const { counted: before } = share.evidence(earlier.commits);
  const toShare = (commits: readonly Commit[]) => ({ part: share.countPart(commits) ?? 0, n: commits.length });
  return {
    commits: before.length,
    outsideWorkdayCommits: share.countPart(before) ?? 0,
    outsideWorkdayPct: share.reduce(before),
    outsideWorkdayVerdict: judgeChange(compareShares(toShare(before), toShare(counted)), 'percent'),
  };
}

/** Whole weeks that were read; of fewer than three people a share would be that of one person. */
function listWeeks(reading: WorkloadReading, facts: RepositoryFacts): Domain<typeof WorkloadTeam>['weeks'] {
  const { window, workday, commits, isTruncated, hasGaps } = reading;
  if (hasGaps) return [];
  const readFrom = isTruncated ? Math.min(window.to, ...commits.map(({ committedAt }) => committedAt)) : window.from;
  return weeksUpTo(window.to, workday.calendar)
    .filter(({ from, partial }) => from >= Math.max(readFrom, window.from) && !partial)
    .map(({ weekStart, from, to }) => {
      const share = computeOutsideShare({ window: { from, to }, workday }, facts);
      const { counted } = share.evidence(commits);
      const isEnough = facts.people.authorRoster(counted).size >= minPeopleForHours;
      return { weekStart, commits: counted.length, outsideWorkdayPct: isEnough ? share.reduce(counted) : null };
    });
}

function countHours(commits: readonly Commit[], { calendar }: Workday): number[][] {
  const hours = Array.from({ length: 7 }, () => Array<number>(24).fill(0));
  for (const { authoredAt } of commits) {
    const [day, hour] = [hours[calendar.getWeekday(authoredAt)], calendar.getHour(authoredAt)];
    if (day) day[hour] = (day[hour] ?? 0) + 1;
  }
  return hours;
}
