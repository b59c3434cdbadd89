import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { peopleIn } from '../../identity/people.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import { joinedSample, windowSample } from '../../metrics/people/contributors.ts';
import type { Bots } from '../../metrics/pull-requests/bots.ts';
import { chooseSample, contributorFigures } from '../contributors/figures.ts';
import type { ContributorDays } from '../contributors/reading.ts';
import { coverTeam, isPartial, noteReading } from './coverage.ts';
import { readTracked } from './reading.ts';
import type { OrgContributorsReport } from './schema.ts';

interface OrgContributorsInput {
  org: string;
  days?: ContributorDays | undefined;
  bots?: Bots | undefined;
}

/** Who merged and who reviewed in the repositories of an owner together: those that are tracked and that the caller sees. */
export async function orgContributors(
  { org, days = 30, bots }: OrgContributorsInput,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof OrgContributorsReport>> {
  const { services } = context;
  const [reading, people] = await Promise.all([readTracked(org, days, context), peopleIn(services)]);
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
    windowDays: days,
    ...figures,
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
