import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { windowSample } from '../../metrics/people/contributors.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import type { Bots } from '../../metrics/pull-requests/bots.ts';
import type { Scope } from '../../metrics/pull-requests/pull-requests.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { noteListing } from '../kernel/notes.ts';
import { listMergeDays } from '../overview/merge-days.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { compareTeam } from './comparison.ts';
import { chooseSample, contributorFigures } from './figures.ts';
import { type ContributorDays, type ContributorReading, readContributors, unboundedWindow } from './reading.ts';
import type { ContributorsReport } from './schema.ts';

interface ContributorsInput extends RepositoryName {
  days?: ContributorDays | undefined;
  bots?: Bots | undefined;
}

/** Who merged and who reviewed: in a window, or among the last 60 closed pull requests. */
export async function contributorsReport(
  { days, bots, ...name }: ContributorsInput,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof ContributorsReport>> {
  const [facts, calendar] = await Promise.all([repositoryFacts(name, context, reply), teamCalendar(context)]);
  const reading = await readContributors(facts, { days, bots }, context);
  const { sample, coverage, partialReason, knowsOpeners, stale, asOf, source } = reading;
  const partial = !coverage.complete;
  noteListing(reply, { partial, partialReason, stale, asOf });
  const isWindow = reading.window !== null;
  const scope = { window: reading.window ?? unboundedWindow, people: facts.people, bots };
  const figures = contributorFigures(sample, scope, knowsOpeners);
  return {
    windowDays: reading.days,
    ...figures,
    ...compareWindows(reading, { ...scope, calendar }),
    prsOpenedInWindow: reading.opened,
    fetchedPrs: coverage.read,
    totalPrsAnalysed: sample.merged.length,
    totalPrsAttempted: coverage.expected,
    partial,
    coverage: {
      ...coverage,
      reviewsTruncatedPrs: figures.reviewsTruncatedPrs,
      searchSlices: isWindow ? null : 0,
    },
    generatedAt: asOf,
    dataSource: source,
  };
}

/** The window beside the one before, and its days, which end where facts were read up to. */
function compareWindows(
  { sample, window, before, isWhole, pullRequests }: ContributorReading,
  scope: Scope & { calendar: Calendar },
) {
  const earlier = before && { sample: chooseSample(windowSample(pullRequests, before), scope), window: before };
  const compared = compareTeam({ sample, window: scope.window }, earlier, scope);
  if (window === null || !isWhole) return { ...compared, mergeDays: [] };
  const merges = { counted: [0], stored: new Map([[0, window]]), pullRequests: sample.merged };
  const days = scope.calendar.daysBetween(window.from, window.to);
  return { ...compared, mergeDays: listMergeDays(merges, { ...scope, window, days }, { ...scope, now: window.to }) };
}
