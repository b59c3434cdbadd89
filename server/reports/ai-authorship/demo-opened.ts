import type { Context } from '../../access/context.ts';
import { readFacts } from '../../facts/facts.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { addMonths, type Month, monthOf, startOfMonth } from './months.ts';

/** Pull requests that were opened in a repository in a month, of those that have ended. */
export interface OpenedIn {
  byPeople: number;
  byMachines: number;
}

/** Of each repository of the sample, by its id. */
export type OpenedPullRequests = ReadonlyMap<number, (month: Month) => OpenedIn>;

/**
 * Counts the pull requests of the sample's own history. It reaches back a little over three months: earlier months have
 * as many as its last two complete ones on average.
 */
export async function readOpened(
  repositories: readonly Repository[],
  calendar: Calendar,
  context: Context,
): Promise<OpenedPullRequests> {
  const { facts: factRepository, clock } = context.services;
  const present = monthOf(clock.now(), calendar);
  const whole = [addMonths(present, -2), addMonths(present, -1)];
  const since = startOfMonth(addMonths(present, -2), calendar);
  const source = { codehost: await context.codehost(), factRepository, clock };
  const counts = await Promise.all(
    repositories.map(async (repository) => {
      const { items } = await readFacts(source, repository, 'pull_requests', { since, maxAgeMs: Infinity });
      return [repository.id, countByMonth(items, whole, calendar)] as const;
    }),
  );
  return new Map(counts);
}

function countByMonth(pulls: readonly PullRequest[], whole: readonly Month[], calendar: Calendar) {
  const byMonth = Map.groupBy(pulls, ({ createdAt }) => monthOf(createdAt, calendar));
  const counted = new Map(whole.map((month) => [month, tally(byMonth.get(month) ?? [])]));
  const usual = average([...counted.values()]);
  return (month: Month): OpenedIn => counted.get(month) ?? usual;
}

function tally(pulls: readonly PullRequest[]): OpenedIn {
  const byMachines = pulls.filter(({ author }) => author?.isBot).length;
  return { byPeople: pulls.length - byMachines, byMachines };
}

const average = (all: readonly OpenedIn[]): OpenedIn => ({
  byPeople: Math.round(all.reduce((sum, one) => sum + one.byPeople, 0) / all.length),
  byMachines: Math.round(all.reduce((sum, one) => sum + one.byMachines, 0) / all.length),
});
