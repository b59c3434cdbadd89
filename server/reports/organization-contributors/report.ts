import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { peopleIn } from '../../identity/people.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { type Window, windowBefore } from '../../metrics/kernel/window.ts';
import { type ContributorSample, joinedSample, windowSample } from '../../metrics/people/contributors.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import type { Bots } from '../../metrics/pull-requests/bots.ts';
import type { Scope } from '../../metrics/pull-requests/pull-requests.ts';
import { compareTeam } from '../contributors/comparison.ts';
import { chooseSample, contributorFigures } from '../contributors/figures.ts';
import type { ContributorDays } from '../contributors/reading.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { listMergeDays } from '../overview/merge-days.ts';
import { coverTeam, isPartial, noteReading } from './coverage.ts';
import { readTracked, type TeamReading } from './reading.ts';
import type { OrgContributorsReport } from './schema.ts';

interface OrgContributorsInput {
  org: string;
  days?: ContributorDays | undefined;
  bots?: Bots | undefined;
  table: Domain<typeof OrgContributorsReport>['table'];
}

/** Who merged and who reviewed in the repositories of an owner together: those that are tracked and that the caller sees. */
export async function orgContributors(
  { org, days = 30, bots, table }: OrgContributorsInput,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof OrgContributorsReport>> {
  const { services } = context;
  const [reading, people, calendar] = await Promise.all([
    readTracked(org, days, context),
    peopleIn(services),
    teamCalendar(context),
  ]);
  const { window, repositories } = reading;
  const scope = { window, people, bots };
  const choose = (items: readonly PullRequest[]) => chooseSample(windowSample(items, window), scope);
  const read = repositories.map((one) => ({ ...one, sample: one.set && choose(one.set.items) }));
  const sample = joinedSample(read.flatMap((one) => one.sample ?? []));
  const figures = contributorFigures(sample, scope, false);
  const coverage = coverTeam(reading, figures.reviewsTruncatedPrs);
  const asOf = noteReading(reading, coverage, reply);
  return {
    org,
    table,
    windowDays: days,
    ...figures,
    ...compareWindows(reading, sample, { ...scope, calendar, now: services.clock.now() }),
    ...(coverage.read === 0 && unknown),
    prsOpenedInWindow: null,
    repositories: read.map((one) => ({
      repo: one.repository.repo,
      prsMerged: one.sample?.merged.length ?? null,
      included: one.set !== null,
      reason: one.reason,
      asOf: one.set?.asOf ?? null,
    })),
    partial: isPartial(coverage),
    coverage: { ...coverage, reviewsTruncatedPrs: figures.reviewsTruncatedPrs },
    generatedAt: asOf,
    dataSource: services.facts.isDatabase ? 'mixed' : 'live',
  };
}

interface Counted {
  set: { items: readonly PullRequest[] };
}

/** What was merged in several repositories in a window. */
const listIn = (counted: readonly Counted[], window: Window, scope: Omit<Scope, 'window'>): ContributorSample =>
  joinedSample(counted.map(({ set }) => chooseSample(windowSample(set.items, window), scope)));

/**
 * All repositories that are counted, beside the window before where each is stored as far back, and the days. Both windows
 * end where the repository that is least up to date was read: what was not read yet is no decline.
 */
function compareWindows(
  { window, before, repositories }: TeamReading,
  sample: ContributorSample,
  scope: Scope & { calendar: Calendar; now: Instant },
) {
  const counted = repositories.flatMap(({ repository, set, since }) =>
    set === null || since === null ? [] : [{ repository, set, since }],
  );
  const isWhole = counted.length > 0 && counted.every(({ set }) => !set.partial);
  const to = Math.min(window.to, ...counted.map(({ set }) => set.asOf));
  const latest = { from: window.from - (window.to - to), to };
  const knownFrom = Math.max(...counted.map(({ since }) => since));
  const earlier = isWhole && before !== null ? windowBefore(latest, knownFrom) : null;
  const toSample = (one: Window) => ({ sample: listIn(counted, one, scope), window: one });
  const compared = compareTeam(toSample(latest), earlier && toSample(earlier), scope);
  if (!isWhole) return { ...compared, mergeDays: [] };
  const stored = new Map(counted.map(({ repository, set, since }) => [repository.id, { from: since, to: set.asOf }]));
  const merges = { counted: [...stored.keys()], stored, pullRequests: sample.merged };
  const days = scope.calendar.daysBetween(window.from, window.to);
  return { ...compared, mergeDays: listMergeDays(merges, { ...scope, days }, scope) };
}

/** Counts and what follows from them, of which nothing is known. */
const unknown = {
  prsMergedTotal: null,
  prsHumanReviewed: null,
  prsNoHumanReview: null,
  prsMergedByPeople: null,
  prsAuthorUnread: null,
  prsSelfMerged: null,
  prsSelfMergedIncludingBots: null,
  prsFirstPassApproved: null,
  botPrs: { merged: null, noHumanReview: null },
  botReviews: null,
};
