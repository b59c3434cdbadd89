import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Bots } from '../../metrics/pull-requests/bots.ts';
import { noteListing } from '../kernel/notes.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { contributorFigures } from './figures.ts';
import { type ContributorDays, readContributors, unboundedWindow } from './reading.ts';
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
  const facts = await repositoryFacts(name, context, reply);
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
