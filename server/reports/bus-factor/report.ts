import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Commit } from '../../metrics/kernel/delivery-facts.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import {
  type BusFactor,
  busFactor,
  commitCap,
  outsideReasons,
  overallBusFactor,
} from '../../metrics/people/bus-factor.ts';
import { unreadAuthor } from '../../metrics/people/people.ts';
import { Coverage, type CoverageReason, toCoverage } from '../kernel/coverage.ts';
import { type EvidenceItem, type Explanation, explainMetric } from '../kernel/evidence.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { noteListing } from '../kernel/notes.ts';
import { type RepositoryFacts, repositoryFacts } from '../repositories/facts.ts';
import { isEmptyRepository, knowledgeDays, type PlacedReading, placedCommits } from './commits.ts';

const Module = z.object({
  module: z.string().meta({ description: 'A directory, or `(root)`.' }),
  bus_factor: z
    .int()
    .nullable()
    .meta({
      description:
        'The minimum number of authors who wrote 80 % of the commits; null, like the other numbers, where it could not ' +
        'be read of one who wrote it, or how many files it changed.',
    }),
  risk: z
    .enum(['critical', 'warning', 'healthy', 'low_sample', 'unknown'])
    .meta({ description: 'critical at 1, warning at 2; low_sample below five commits.' }),
  total_commits: z.int().nullable(),
  unique_contributors: z.int().nullable(),
  contributors: z
    .array(z.object({ login: z.string(), commits: z.int(), pct: z.int() }))
    .meta({ description: 'The five with most commits.' }),
});

export const BusFactorReport = z
  .object({
    overall_bus_factor: z.int().nullable().meta({
      description: 'Over all counted commits; 0 without any, null where `author_unread` is not 0.',
    }),
    critical_modules: z.int().nullable().meta({ description: 'null where the risk of a module is unknown.' }),
    modules: z.array(Module).meta({ description: 'At most 30, critical ones first, then by commits.' }),
    modules_total: z.int(),
    total_contributors: z.int().nullable().meta({ description: 'null where `author_unread` is not 0.' }),
    total_commits: z.int().meta({ description: 'Commits that count: no merges, none of bots.' }),
    author_unread: z
      .int()
      .meta({ description: 'Of these, commits of which it could not be read who wrote them; they may be of bots.' }),
    fetched_commits: z.int().meta({ description: 'Commits read, merges and bots among them.' }),
    total_commits_listed: z.int().meta({
      description: 'Commits in the window as counted by GitHub, including those beyond the cap.',
    }),
    commit_cap: z.literal(commitCap),
    excluded: z.object({
      bots: z.int().nullable().meta({ description: 'null where `author_unread` is not 0.' }),
      merges: z.int(),
    }),
    outside_modules: z.int().meta({
      description:
        'Counted for the repository alone though they touched modules: more than 100 files, or not known how many, or files ' +
        'that were moved or deleted since.',
    }),
    outside_commits: z
      .array(z.object({ sha: z.string(), reason: z.enum(outsideReasons) }))
      .meta({ description: 'Those of `outside_modules`; `many_files` is by definition and leaves nothing out.' }),
    covers_from: instant.nullable().meta({ description: 'The oldest commit used.' }),
    window_days: z.literal(knowledgeDays),
    empty_repository: z.boolean().nullable(),
    partial: z.boolean().meta({ description: 'true also when the cap truncated the window.' }),
    coverage: Coverage,
    ...provenance,
  })
  .meta({ id: 'BusFactorReport' });

/** How the knowledge of a repository is spread, and how sure that is. */
export interface RepositoryBusFactor
  extends Omit<PlacedReading, 'directories' | 'listed' | 'isTruncated' | 'undecided'> {
  factor: BusFactor;
  window: Window;
  partial: boolean;
  coverage: Domain<typeof Coverage>;
}

/** The bus factor of a repository that the caller was shown to see. */
export async function computeBusFactor(
  facts: RepositoryFacts,
  context: Pick<Context, 'services'>,
): Promise<RepositoryBusFactor> {
  const { directories, listed, isTruncated, undecided, ...reading } = await placedCommits(facts, context);
  const { window, commits } = reading;
  const factor = busFactor(commits, new Map(directories), { window, people: facts.people });
  const coverage = toCoverage({
    read: commits.length,
    expected: listed,
    cap: isTruncated && commits.length >= commitCap ? commitCap : null,
    reasons: findReasons({ isTruncated, undecided, commits }, factor),
  });
  return { ...reading, factor, coverage, partial: !coverage.complete };
}

function findReasons(
  { isTruncated, undecided, commits }: Pick<PlacedReading, 'isTruncated' | 'undecided' | 'commits'>,
  { outsideCommits }: BusFactor,
): CoverageReason[] {
  const reasons: CoverageReason[] = [];
  if (isTruncated) reasons.push(commits.length >= commitCap ? 'page_cap' : 'sub_fetch_failed');
  const isAnyLost = outsideCommits.some(({ reason }) => reason !== 'many_files');
  if (undecided || isAnyLost) reasons.push('upstream_truncated');
  return reasons;
}

/** Per module and over all, the minimum number of authors who wrote 80 % of the newest 300 commits of 90 days. */
export async function busFactorReport(
  input: RepositoryName,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof BusFactorReport>> {
  const facts = await repositoryFacts(input, context, reply);
  const { factor, commits, coverage, partial, partialReason, stale, asOf, source } = await computeBusFactor(
    facts,
    context,
  );
  noteListing(reply, { partial, partialReason, stale, asOf });
  return {
    ...factor,
    fetchedCommits: commits.length,
    totalCommitsListed: coverage.expected ?? commits.length,
    commitCap,
    windowDays: knowledgeDays,
    emptyRepository: await isEmptyRepository(facts, commits),
    partial,
    coverage,
    generatedAt: asOf,
    dataSource: source,
  };
}

/** A commit as an item of evidence; messages are not stored, so it is labelled by its SHA. */
export const commitItem =
  ({ repository }: RepositoryFacts, context: Context, at: (commit: Commit) => number) =>
  (commit: Commit): Domain<typeof EvidenceItem> => ({
    label: commit.sha.slice(0, 10),
    url: context.isDemo ? null : `${repository.htmlUrl}/commit/${commit.sha}`,
    at: at(commit),
    value: null,
    note: commit.isAuthorUnread ? unreadAuthor : (commit.author?.login ?? commit.authorName),
  });

/** The overall bus factor: the commits that counted, and the merges and bots that did not. */
export const busFactorExplanation: Explanation = {
  key: 'bus_factor',
  feature: 'busFactor',
  needs: ['owner', 'repo'],
  async explain(input, context, reply) {
    const facts = await repositoryFacts(input as RepositoryName, context, reply);
    const { window, commits, partial, partialReason, stale, asOf, source } = await computeBusFactor(facts, context);
    noteListing(reply, { partial, partialReason, stale, asOf });
    return explainMetric(overallBusFactor({ window, people: facts.people }), commits, {
      window,
      partial,
      asOf,
      source,
      item: commitItem(facts, context, ({ committedAt }) => committedAt),
    });
  },
};
