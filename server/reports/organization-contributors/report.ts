import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { joinedReasons } from '../../codehost/client/readable-items.ts';
import { peopleIn } from '../../identity/people.ts';
import { joinedSample, windowSample } from '../../metrics/people/contributors.ts';
import { contributorFigures } from '../contributors/figures.ts';
import type { ContributorDays } from '../contributors/reading.ts';
import { type CoverageReason, toCoverage } from '../kernel/coverage.ts';
import { noteListing } from '../kernel/notes.ts';
import { maxRead, readTracked, type TeamReading } from './reading.ts';
import type { OrgContributorsReport } from './schema.ts';

interface OrgContributorsInput {
  org: string;
  days?: ContributorDays | undefined;
}

/** Who merged and who reviewed in the tracked repositories of an owner together, as far as the caller can see them. */
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

function toTeamCoverage({ repositories, isListTruncated }: TeamReading, truncatedPrs: number) {
  const reasons = repositories.flatMap(({ reason }) => reason ?? []);
  const isTruncated = isListTruncated || truncatedPrs > 0;
  return toCoverage({
    read: repositories.filter(({ set }) => set !== null).length,
    expected: isListTruncated ? null : repositories.length,
    cap: reasons.includes('not_yet_read') ? maxRead : null,
    reasons: [
      ...reasons.map((reason): CoverageReason => (reason === 'not_yet_read' ? 'page_cap' : reason)),
      ...(isTruncated ? (['upstream_truncated'] as const) : []),
    ],
  });
}
