import type { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Listing } from '../../codehost/client/client.ts';
import { toWire } from '../../domain/wire.ts';
import type { FactSet } from '../../facts/facts.ts';
import type { OpenPullRequest, PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { dayMs, isWithin, lastDaysWindow } from '../../metrics/kernel/window.ts';
import {
  ageDistribution,
  closedCount,
  concurrentByAuthor,
  getOpenState,
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
import { type CoverageReason, toCoverage } from '../kernel/coverage.ts';
import { noteListing } from '../kernel/notes.ts';
import { type RepositoryFacts, repositoryFacts } from '../repositories/facts.ts';
import type { OpenPullRequestsReport } from './schema.ts';

type Answer = z.input<typeof OpenPullRequestsReport>;

/** Who waits for whom in the open pull requests, beside how those of the last 90 days fared. */
export async function openPullRequestsReport(input: RepositoryName, context: Context, reply: Reply): Promise<Answer> {
  const facts = await repositoryFacts(input, context, reply);
  const [open, ended] = await Promise.all([facts.codehost.pullRequests.open(facts.repository), readEnded(facts)]);
  const coverage = toCombinedCoverage(open, ended);
  noteListing(reply, { ...open, partial: !coverage.complete });
  return {
    ...openPart(open, facts),
    ...benchmarks(ended),
    partial: !coverage.complete,
    coverage,
    generated_at: Math.min(open.asOf, ended.set.asOf),
    data_source: ended.set.source,
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

function openPart({ items, totalCount, partial, asOf }: Listing<OpenPullRequest>, { people }: RepositoryFacts) {
  const listed = items.toSorted((a, b) => a.createdAt - b.createdAt || a.number - b.number);
  const states = listed.map((one) => ({ one, state: getOpenState(one, asOf, people) }));
  const total = totalCount ?? items.length;
  const attempted = Math.min(total, maxOpen);
  const isAnyMissing = totalCount === null ? partial : items.length < attempted;
  const countIfKnown = (holds: readonly (boolean | null)[]) => (isAnyMissing ? null : countKnown(holds));
  return {
    open_prs: states.map(({ one, state }) => toItem(one, state, people.isBot(one.author))),
    total_open: total,
    awaiting_review_count: countIfKnown(states.map(({ state }) => state.awaitingReview)),
    stale_count: countIfKnown(states.map(({ state }) => state.isStale)),
    age_distribution: ageDistribution(items, asOf),
    concurrent_prs_by_author: toWire(concurrentByAuthor(items, people)),
    fetched_prs: items.length,
    total_prs_attempted: attempted,
  };
}

/** null where it is unknown of any. */
const countKnown = (holds: readonly (boolean | null)[]): number | null =>
  holds.includes(null) ? null : holds.filter((each) => each).length;

function toItem(
  one: OpenPullRequest,
  state: ReturnType<typeof getOpenState>,
  isBot: boolean,
): Answer['open_prs'][number] {
  return {
    ...toWire(one),
    ...toWire(state),
    author: shownAuthor(one),
    author_avatar: one.author?.avatarUrl ?? '',
    is_bot: one.isAuthorUnread ? null : isBot,
    age_hours: inHours(state.ageMs) ?? 0,
    draft: one.isDraft,
    ready_age_hours: inHours(state.readyAgeMs),
    last_activity_at: one.updatedAt,
  };
}

function benchmarks({ set: { items }, scope }: Ended) {
  const [review, slowReview] = [timeToFirstReview(scope)(items), timeToFirstReview(scope, 0.9)(items)];
  const [merge, slowMerge] = [approvalToMerge(scope)(items), approvalToMerge(scope, 0.9)(items)];
  const abandonment = abandonRate(scope);
  const { counted: ended } = abandonment.evidence(items);
  return {
    closed_prs_analysed: closedCount(items, scope.window),
    review_round_distribution: roundDistribution(items, scope.window, scope.people),
    time_to_first_review_p50_hours: review.value,
    time_to_first_review_p90_hours: slowReview.value,
    time_to_first_review_sample: review.sample,
    time_approval_to_merge_p50_hours: merge.value,
    time_approval_to_merge_p90_hours: slowMerge.value,
    time_approval_to_merge_sample: merge.sample,
    abandon_rate: abandonment.reduce(ended),
    abandon_rate_sample: ended.length,
    abandoned_prs: abandonment.countPart(ended) ?? 0,
    benchmark_window_days: benchmarkDays,
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
