import { z } from 'zod';
import { type Context, callerKey, type Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Listing } from '../../codehost/client/client.ts';
import { joinedReasons } from '../../codehost/client/readable-items.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { median, roundTo } from '../../metrics/kernel/statistics.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { Coverage, type CoverageReason, toCoverage } from '../kernel/coverage.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { noteListing } from '../kernel/notes.ts';
import { type Found, findScores, type Scores } from './computation.ts';
import { activityDays, eligibleAmong, skipReasons } from './eligibility.ts';
import { bands, type Row, ScorecardRow } from './row.ts';

export const ScorecardReport = z
  .object({
    org: z.string(),
    limit: z.int(),
    selection: z.literal('recent_push').meta({ description: 'Of the eligible repositories, the latest pushes.' }),
    repos: z.array(ScorecardRow).meta({ description: 'The lowest score first, those without one last.' }),
    repos_eligible: z.int().meta({ description: `Own, not archived, pushed to in the last ${activityDays} days.` }),
    repos_attempted: z.int(),
    repos_analysed: z.int().meta({ description: 'Rows so far; fewer than attempted while they are being computed.' }),
    bands: z
      .record(z.enum(bands), z.int())
      .meta({ description: 'Rows of each band, so of at most `limit` repositories.' }),
    median_score: z.int().nullable().meta({ description: 'Of the rows that have a score.' }),
    skipped: z
      .array(z.object({ repo: z.string(), reason: z.enum(skipReasons) }))
      .meta({ description: 'Repositories without a row, by name, and why.' }),
    computing: z.boolean().meta({ description: 'New scores are being computed; ask again in a few seconds.' }),
    next_repo: z.string().nullable().meta({
      description: 'The repository that is scored next, while the first scores are being computed; null otherwise.',
    }),
    computed_at: instant.nullable().meta({ description: 'When these scores were finished; null before.' }),
    partial: z.boolean(),
    coverage: Coverage.meta({ description: 'Counted in repositories.' }),
    ...provenance,
  })
  .meta({ id: 'ScorecardReport' });

/** How the live repositories of an organization stand: delivery and the spread of knowledge in one score each. */
export async function scorecard(
  { org, limit }: { org: string; limit: number },
  context: Context,
  reply: Reply,
): Promise<Domain<typeof ScorecardReport>> {
  const listing = await (await context.codehost()).repositories.ofOrganization(org);
  const { candidates, skipped } = eligibleAmong(listing.items, context.services.clock.now());
  const found = await findScores({
    key: await callerKey(context, 'scorecard scores', org, limit),
    candidates: candidates.slice(0, limit),
    calendar: await teamCalendar(context),
    context,
  });
  const { computedAt, isComputing } = found;
  const scores = scoresAmong(candidates, found.scores);
  const coverage = toCoverage({
    read: scores.rows.length,
    expected: scores.attempted.length,
    reasons: findReasons(scores, found, listing),
  });
  const partial = !coverage.complete || computedAt === null;
  const asOf = Math.min(listing.asOf, scores.asOf ?? listing.asOf);
  const partialReason = joinedReasons([listing.partialReason, ...listUnread(scores.rows)]);
  noteListing(reply, { partial, partialReason, stale: listing.stale || scores.stale, asOf });
  return {
    org,
    limit,
    selection: 'recent_push',
    repos: scores.rows.toSorted(worstFirst),
    reposEligible: candidates.length,
    reposAttempted: scores.attempted.length,
    reposAnalysed: scores.rows.length,
    skipped: [...skipped, ...scores.skipped].sort((a, b) => a.repo.localeCompare(b.repo, 'en')),
    bands: countBands(scores.rows),
    medianScore: computeMedian(scores.rows),
    computing: isComputing,
    nextRepo: isComputing && computedAt === null ? findNext(scores) : null,
    computedAt,
    partial,
    coverage: { ...coverage, complete: !partial },
    generatedAt: asOf,
    dataSource: scores.source,
  };
}

/** Of stored scores, only what the caller can see today and what is still to be scored. */
function scoresAmong(candidates: readonly Repository[], scores: Scores): Scores {
  const names = new Set(candidates.map(({ repo }) => repo.toLowerCase()));
  const isCandidate = ({ repo }: { repo: string }) => names.has(repo.toLowerCase());
  return {
    ...scores,
    rows: scores.rows.filter(isCandidate),
    skipped: scores.skipped.filter(isCandidate),
    attempted: scores.attempted.filter((repo) => isCandidate({ repo })),
  };
}

/** Repositories are scored in the order in which they are listed. */
function findNext({ attempted, rows, skipped }: Scores): string | null {
  const done = new Set([...rows, ...skipped].map(({ repo }) => repo));
  return attempted.find((repo) => !done.has(repo)) ?? null;
}

function findReasons(scores: Scores, { computedAt }: Found, { partial }: Listing<Repository>): CoverageReason[] {
  const isTruncated = computedAt !== null && scores.rows.some((row) => row.partial);
  return [...scores.reasons, ...(isTruncated || partial ? ['upstream_truncated' as const] : [])];
}

/** What the answer reports beside the body: the rows themselves are complete. */
const listUnread = (rows: readonly Row[]) =>
  rows.flatMap(({ repo, partialDetail }) => (partialDetail ? `${repo}: ${partialDetail}` : [])).slice(0, maxShown);

const maxShown = 5;

const worstFirst = (a: Row, b: Row) =>
  (a.compositeScore ?? Number.POSITIVE_INFINITY) - (b.compositeScore ?? Number.POSITIVE_INFINITY) ||
  a.repo.localeCompare(b.repo, 'en');

function countBands(rows: readonly Row[]) {
  const count = (band: Row['riskBand']) => rows.filter(({ riskBand }) => riskBand === band).length;
  return {
    atRisk: count('at_risk'),
    watch: count('watch'),
    healthy: count('healthy'),
    insufficientData: count('insufficient_data'),
  };
}

function computeMedian(rows: readonly Row[]): number | null {
  const middle = median(rows.flatMap(({ compositeScore }) => compositeScore ?? []));
  return middle === null ? null : roundTo(middle, 0);
}
