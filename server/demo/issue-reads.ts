import type { DeliveryReads, IssueCounts, IssueWindow } from '../codehost/delivery/client.ts';
import type { Issue } from '../metrics/kernel/delivery-facts.ts';
import type { RepositoryName } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import { day } from './calendar.ts';
import { listing, repositoryNamed, sortNewestFirst } from './lookup.ts';
import type { World } from './world.ts';

/** Issues of the sample world. Throws `Problem('issues_disabled')` where the tracker is off. */
export function issueReads(world: World): DeliveryReads['issues'] {
  const of = (name: RepositoryName) => {
    const { state, issues } = repositoryNamed(world, name);
    if (state.openIssues === null) throw new Problem('issues_disabled', 'This repository has its issues switched off.');
    return issues;
  };
  return {
    counts: async (name, window) => counted(of(name), window),
    open: async (name) =>
      listing(
        world,
        of(name).filter((one) => one.closedAt === null),
        1000,
      ),
    closed: async (name, since) => {
      const closed = sortNewestFirst(of(name), (one) => one.closedAt);
      const wanted = closed.filter((one) => (one.closedAt ?? 0) >= since);
      return { ...listing(world, wanted, 1000), allTime: closed.length };
    },
  };
}

function counted(issues: Issue[], { since, now }: IssueWindow): IssueCounts {
  const open = issues.filter((one) => one.closedAt === null);
  const closed = issues.filter((one) => one.closedAt !== null && one.closedAt >= since);
  const aged = (from: number, to: number) =>
    open.filter(({ createdAt }) => now - createdAt >= from * day && now - createdAt < to * day).length;
  const count = (fits: (one: Issue) => boolean) => open.filter(fits).length;
  return {
    openCount: open.length,
    openedInPeriod: issues.filter((one) => one.createdAt >= since).length,
    closedInPeriod: closed.length,
    closedNotPlanned: closed.filter((one) => one.closeReason === 'not_planned').length,
    staleCount: count((one) => one.updatedAt < now - 30 * day),
    unlabelledCount: count((one) => one.labels?.length === 0),
    unassignedCount: count((one) => one.assignees?.length === 0),
    unansweredCount: count((one) => one.comments === 0 && one.createdAt <= now - 14 * day),
    ages: [aged(0, 7), aged(7, 30), aged(30, 90), aged(90, Number.POSITIVE_INFINITY)],
    oldestOpen: sortNewestFirst(open, (one) => one.createdAt).at(-1) ?? null,
  };
}
