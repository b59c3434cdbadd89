import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { joinedReasons } from '../../codehost/client/readable-items.ts';
import { peopleIn } from '../../identity/people.ts';
import { joinedSample, windowSample } from '../../metrics/people/contributors.ts';
import { contributorFigures } from '../contributors/figures.ts';
import type { ContributorDays } from '../contributors/reading.ts';
import { noteListing } from '../kernel/notes.ts';
import { toRepositoryCoverage } from '../kernel/repository-coverage.ts';
import { maxRead, readTracked, type TeamReading } from './reading.ts';
import type { OrgContributorsReport } from './schema.ts';

interface OrgContributorsInput {
  org: string;
  days?: ContributorDays | undefined;
}

/** Who merged and who reviewed in the repositories of an owner together: those that are tracked and that the caller sees. */
export async function orgContributors(
  { org, days = 30 }: OrgContributorsInput,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof OrgContributorsReport>> {
  const { services } = context;
  const [reading, people] = await Promise.all([readTracked(org, days, context), peopleIn(services)]);
  const { window, repositories } = reading;
  const read = repositories.map((one) => ({ ...one, sample: one.set && windowSample(one.set.items, window) }));
  const sample = joinedSample(read.flatMap((one) => one.sample ?? []));
  const figures = contributorFigures(sample, { window, people }, false);
  const coverage = toTeamCoverage(reading, figures.reviewsTruncatedPrs);
  const partial = !coverage.complete;
  const sets = repositories.flatMap(({ set }) => set ?? []);
  const asOf = Math.min(window.to, ...sets.map((set) => set.asOf));
  const partialReason = joinedReasons(sets.map((set) => set.partialReason));
  noteListing(reply, { partial, partialReason, stale: sets.some(({ stale }) => stale), asOf });
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
    partial,
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

function toTeamCoverage({ repositories, isListTruncated }: TeamReading, truncatedPrs: number) {
  return toRepositoryCoverage({
    // Which repository was left for the next answer is told by its row.
    repositories: repositories.map(({ set, reason }) => ({
      included: set !== null,
      reason: reason === 'not_yet_read' ? ('page_cap' as const) : reason,
    })),
    isListTruncated,
    cap: repositories.some(({ reason }) => reason === 'not_yet_read') ? maxRead : null,
    reasons: truncatedPrs > 0 ? ['upstream_truncated'] : [],
  });
}
