import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Listing } from '../../codehost/client/client.ts';
import type { FactSet } from '../../facts/facts.ts';
import type { OpenPullRequest, PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { dayMs, isWithin, lastDaysWindow } from '../../metrics/kernel/window.ts';
import { type Bots, isAmong } from '../../metrics/pull-requests/bots.ts';
import {
  ageDistribution,
  closedCount,
  concurrentByAuthor,
  getOpenState,
  listReviewRequests,
  roundDistribution,
} from '../../metrics/pull-requests/open.ts';
import {
  abandonRate,
  approvalToMerge,
  getEndedAt,
  inHours,
  type Scope,
  shownAuthor,
  timeToFirstReview,
} from '../../metrics/pull-requests/pull-requests.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { type CoverageReason, toCoverage } from '../kernel/coverage.ts';
import { noteListing } from '../kernel/notes.ts';
import { type RepositoryFacts, repositoryFacts } from '../repositories/facts.ts';
import { reviewTrend } from './review-trend.ts';
import type { OpenPullRequestsReport } from './schema.ts';

type Answer = Domain<typeof OpenPullRequestsReport>;

/** Who waits for whom in the open pull requests, beside how those of the last 90 days fared. */
export async function openPullRequestsReport(
  { bots, ...name }: RepositoryName & { bots?: Bots | undefined },
  context: Context,
  reply: Reply,
): Promise<Answer> {
  const facts = await repositoryFacts(name, context, reply);
  const [open, ended, calendar] = await Promise.all([
    facts.codehost.pullRequests.open(facts.repository),
    readEnded(facts),
    teamCalendar(context),
  ]);
  const coverage = toCombinedCoverage(open, ended);
  noteListing(reply, { ...open, partial: !coverage.complete });
  return {
    ...openPart(open, { people: facts.people, bots }),
    ...benchmarks(ended, bots),
    ...reviewTrend(ended, facts.repository, calendar),
    partial: !coverage.complete,
    coverage,
    generatedAt: Math.min(open.asOf, ended.set.asOf),
    dataSource: ended.set.source,
  };
}

/** Pull requests that were closed or merged in the last 90 days, seen from when they were read. */
export interface Ended {
  set: FactSet<PullRequest>;
  scope: Scope;
}

export async function readEnded({ read, now, people }: RepositoryFacts): Promise<Ended> {
  const set = await read('pull_requests', { since: now - quarterDays * dayMs, maxAgeMs: 5 * 60_000 });
  return { set, scope: { window: lastDaysWindow(benchmarkDays, set.asOf), people } };
}

const benchmarkDays = 90;
/** The reading that all windows of a quarter share. */
const quarterDays = 92;
const maxOpen = 300;
const maxEnded = 2000;

/** What the open ones come to, as of when they were read. */
export function openPart(
  { items, totalCount, partial, asOf }: Listing<OpenPullRequest>,
  { people, bots }: Omit<Scope, 'window'>,
) {
  const among = items.filter((each) => isAmong(each, { people, bots }));
  const left = items.length - among.length;
  const listed = among.toSorted((a, b) => a.createdAt - b.createdAt || a.number - b.number);
  const states = listed.map((one) => ({ one, state: getOpenState(one, asOf, people) }));
  // Without a count it is known how many there are where all were read.
  const total = totalCount ?? (partial ? null : items.length);
  const attempted = total === null ? null : Math.min(total, maxOpen);
  const isAnyMissing = attempted === null || items.length < attempted;
  const countIfKnown = (holds: readonly (boolean | null)[]) => (isAnyMissing ? null : countKnown(holds));
  return {
    openPrs: states.map(({ one, state }) => toItem(one, state, people.isBot(one.author))),
    totalOpen: total === null ? null : total - left,
    awaitingReviewCount: countIfKnown(states.map(({ state }) => state.awaitingReview)),
    staleCount: countIfKnown(states.map(({ state }) => state.isStale)),
    ageDistribution: ageDistribution(among, asOf),
    concurrentPrsByAuthor: concurrentByAuthor(among, people),
    fetchedPrs: among.length,
    totalPrsAttempted: attempted === null ? null : attempted - left,
  };
}

/** null where it is unknown of any. */
const countKnown = (holds: readonly (boolean | null)[]): number | null =>
  holds.includes(null) ? null : holds.filter((each) => each).length;

function toItem(
  one: OpenPullRequest,
  state: ReturnType<typeof getOpenState>,
  isBot: boolean,
): Answer['openPrs'][number] {
  return {
    ...one,
    ...state,
    author: shownAuthor(one),
    authorAvatar: one.author?.avatarUrl ?? '',
    isBot: one.isAuthorUnread ? null : isBot,
    ageHours: inHours(state.ageMs) ?? 0,
    draft: one.isDraft,
    readyAgeHours: inHours(state.readyAgeMs),
    lastActivityAt: one.updatedAt,
    reviewRequests: listReviewRequests(one),
  };
}

function benchmarks({ set: { items }, scope }: Ended, bots: Bots | undefined) {
  const among = items.filter((each) => isAmong(each, { ...scope, bots }));
  const [review, slowReview] = [timeToFirstReview(scope)(items), timeToFirstReview(scope, 0.9)(items)];
  const [merge, slowMerge] = [approvalToMerge(scope)(items), approvalToMerge(scope, 0.9)(items)];
  const abandonment = abandonRate(scope);
  const { counted: ended } = abandonment.evidence(items);
  return {
    closedPrsAnalysed: closedCount(among, scope.window),
    reviewRoundDistribution: roundDistribution(among, scope.window, scope.people),
    timeToFirstReviewP50Hours: review.value,
    timeToFirstReviewP90Hours: slowReview.value,
    timeToFirstReviewSample: review.sample,
    timeApprovalToMergeP50Hours: merge.value,
    timeApprovalToMergeP90Hours: slowMerge.value,
    timeApprovalToMergeSample: merge.sample,
    abandonRate: abandonment.reduce(ended),
    abandonRateSample: ended.length,
    abandonedPrs: abandonment.countPart(ended) ?? 0,
    benchmarkWindowDays: benchmarkDays,
  } as const;
}

/** Open ones and those that ended in the window, together. */
function toCombinedCoverage(open: Listing<OpenPullRequest>, { set, scope }: Ended) {
  const ended = set.items.filter((each) => isWithin(getEndedAt(each), scope.window));
  const [isOpenTruncated, isEndedTruncated] = [open.items.length >= maxOpen, set.capped];
  const reasons: CoverageReason[] = [];
  if (open.partial) reasons.push(isOpenTruncated ? 'page_cap' : 'upstream_truncated');
  if (set.partial) reasons.push(isEndedTruncated ? 'search_cap' : 'upstream_truncated');
  // Of a very long review only the beginning is read, so that rounds and waits may be out of date.
  if ([...open.items, ...ended].some(({ reviewsTruncated }) => reviewsTruncated)) reasons.push('page_cap');
  const caps = [
    ...(open.partial && isOpenTruncated ? [maxOpen] : []),
    ...(set.partial && isEndedTruncated ? [maxEnded] : []),
  ];
  return toCoverage({
    read: open.items.length + ended.length,
    expected: set.partial || open.totalCount === null ? null : open.totalCount + ended.length,
    cap: caps[0] ?? null,
    reasons,
  });
}
