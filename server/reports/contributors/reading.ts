import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { joinedReasons } from '../../codehost/client/readable-items.ts';
import type { PullRequestWindow } from '../../codehost/delivery/client.ts';
import type { FactSet } from '../../facts/facts.ts';
import { getSyncState } from '../../facts/stored-facts.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs, isWithin, lastDaysWindow, minuteMs, type Window, windowBefore } from '../../metrics/kernel/window.ts';
import { type ContributorSample, lastClosedSample, windowSample } from '../../metrics/people/contributors.ts';
import type { Bots } from '../../metrics/pull-requests/bots.ts';
import type { OpenedPullRequest } from '../../metrics/pull-requests/pull-requests.ts';
import { Problem, type ProblemCode } from '../../platform/problem.ts';
import { type Coverage, type CoverageReason, toCoverage } from '../kernel/coverage.ts';
import { knownUntil, type RepositoryFacts } from '../repositories/facts.ts';
import { chooseSample } from './figures.ts';

export type ContributorDays = 30 | 90;

/** The pull requests that an answer about contributors is made of. */
export interface ContributorReading {
  /** null for the last closed ones. */
  days: ContributorDays | null;
  /** Everything that was looked at. */
  pullRequests: PullRequest[];
  sample: ContributorSample;
  window: Window | null;
  /** The equally long one before; null where not all of it is among what was looked at. */
  before: Window | null;
  /** Whether all that ended in the window was read. */
  isWhole: boolean;
  /** Created in the window, by the platform's count; null without a window, or when it is unknown. */
  opened: number | null;
  /** false when it is not known who opened those that are still open. */
  knowsOpeners: boolean;
  coverage: Domain<typeof Coverage>;
  partialReason: string | undefined;
  stale: boolean;
  asOf: Instant;
  source: 'live' | 'mixed';
}

/** What was merged in the last `days` days, or the last 60 closed ones; of these without the bots where they are out. */
export const readContributors = (
  facts: RepositoryFacts,
  { days, bots }: { days?: ContributorDays | undefined; bots?: Bots | undefined },
  context: Pick<Context, 'services'>,
): Promise<ContributorReading> =>
  days === undefined ? lastClosed(facts, bots, context) : readWindow(facts, days, bots);

/** The window of the last closed ones: the sample itself sets the limit, nothing in it is too old. */
export const unboundedWindow: Window = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

const sampleSize = 60;

async function lastClosed(
  facts: RepositoryFacts,
  bots: Bots | undefined,
  context: Pick<Context, 'services'>,
): Promise<ContributorReading> {
  const stored = await storedClosed(facts, context);
  const read = stored ?? (await facts.codehost.pullRequests.lastClosed(facts.repository, sampleSize));
  const { items, partialReason, stale, asOf } = read;
  const closed = lastClosedSample(items, sampleSize);
  const sample = chooseSample(closed, { people: facts.people, bots });
  const isFull = closed.reviewed.length >= sampleSize;
  // The newest of the stored facts are complete, whatever a cap took from the oldest.
  const isTruncated = (stored === null && read.partial) || partialReason !== undefined;
  const isCapped = isFull && partialReason === undefined;
  const coverage = toCoverage({
    read: closed.reviewed.length,
    expected: isFull ? sampleSize : isTruncated ? null : closed.reviewed.length,
    cap: isTruncated && isCapped ? maxListed : null,
    reasons: [...(isTruncated ? ([isCapped ? 'page_cap' : 'sub_fetch_failed'] as const) : []), ...truncation(sample)],
  });
  return {
    days: null,
    pullRequests: closed.reviewed,
    sample,
    window: null,
    before: null,
    isWhole: false,
    opened: null,
    knowsOpeners: true,
    coverage,
    partialReason,
    stale,
    asOf,
    source: stored?.source ?? 'live',
  };
}

/** How far down the list of closed ones the newest are looked for. */
const maxListed = 500;

/** Facts that were stored lately, where they reach back far enough. */
async function storedClosed({ repository, now, read }: RepositoryFacts, { services }: Pick<Context, 'services'>) {
  const state = await getSyncState({ factRepository: services.facts, now }, repository, 'pull_requests');
  if (!state || now - state.through > dayMs) return null;
  const known = await services.facts.facts(repository, 'pull_requests', state.floor);
  return known.length < sampleSize ? null : read('pull_requests', { since: state.floor, maxAgeMs: 5 * minuteMs });
}

/** A quarter is requested whatever the window, so that all windows share one reading. */
export const quarterDays = 92;
const maxEnded = 2000;

async function readWindow(
  facts: RepositoryFacts,
  days: ContributorDays,
  bots: Bots | undefined,
): Promise<ContributorReading> {
  const requested = lastDaysWindow(days, facts.now);
  const [known, { counted, reason }] = await Promise.all([ended(facts, 30 * minuteMs), countWindow(facts, requested)]);
  const { set, opened, agrees } = await openedIn(days, facts, known, counted);
  const window = lastDaysWindow(days, knownUntil(facts.now, [set]));
  const all = { ...windowSample(set.items, window), opened };
  const sample = chooseSample(all, { people: facts.people, bots });
  const read = all.merged.length;
  const isTruncated = set.partial && !(counted && read >= counted.merged);
  const partialReason = joinedReasons([set.partialReason, counted?.partialReason]);
  const reasons: CoverageReason[] = [...reason, ...truncation(sample)];
  if (isTruncated) reasons.push(set.capped ? 'search_cap' : 'sub_fetch_failed');
  if (partialReason !== undefined) reasons.push('sub_fetch_failed');
  else if (counted?.partial) reasons.push('search_cap');
  if (counted && !agrees && !counted.partial && !isTruncated) reasons.push('upstream_truncated');
  const coverage = toCoverage({
    read,
    expected: isTruncated ? (counted?.merged ?? null) : read,
    cap: isTruncated && set.capped ? maxEnded : null,
    reasons,
  });
  return {
    days,
    pullRequests: set.items,
    sample,
    window,
    before: set.partial ? null : findBefore(facts, window),
    isWhole: !set.partial,
    opened: countOpened(counted, { agrees, sample, bots }),
    knowsOpeners: !!counted,
    coverage,
    partialReason,
    stale: set.stale || (counted?.stale ?? false),
    source: set.source,
    asOf: Math.min(set.asOf, counted?.asOf ?? set.asOf),
  };
}

/** What was read of a quarter reaches back over two months, not over two quarters. */
const findBefore = ({ now, repository }: RepositoryFacts, window: Window): Window | null =>
  windowBefore(window, Math.max(now - quarterDays * dayMs, repository.createdAt ?? 0));

/** The platform does not count by who it is: without the bots it is counted where all that it counts are known. */
function countOpened(
  counted: PullRequestWindow | null,
  { agrees, sample, bots }: { agrees: boolean; sample: ContributorSample; bots: Bots | undefined },
): number | null {
  if (bots !== 'out') return counted?.opened ?? null;
  return counted && agrees ? sample.opened.length : null;
}

const ended = ({ now, read }: RepositoryFacts, maxAgeMs: number) =>
  read('pull_requests', { since: now - quarterDays * dayMs, maxAgeMs });

interface Opened {
  set: FactSet<PullRequest>;
  opened: OpenedPullRequest[];
  agrees: boolean;
}

/**
 * What was created in the window: ended since then, or still open. Where that is not what the platform counts, one may
 * have ended between the two readings; then the older of them is renewed.
 */
async function openedIn(
  days: ContributorDays,
  facts: RepositoryFacts,
  known: FactSet<PullRequest>,
  counted: PullRequestWindow | null,
): Promise<Opened> {
  const join = (set: FactSet<PullRequest>): Opened => {
    const window = lastDaysWindow(days, counted?.asOf ?? knownUntil(facts.now, [set]));
    // The platform counts by full seconds.
    const from = Math.floor(window.from / 1000) * 1000;
    const all = [...set.items, ...(counted?.stillOpen ?? [])].map((one) => [one.number, one] as const);
    const opened = [...new Map(all).values()].filter(({ createdAt }) => isWithin(createdAt, { ...window, from }));
    return { set, opened, agrees: opened.length === counted?.opened };
  };
  const first = join(known);
  if (counted === null || first.agrees || counted.asOf <= known.asOf || known.stale) return first;
  return join(await ended(facts, facts.now - counted.asOf + 1));
}

/** The platform's counts; an error there takes nothing else away. */
async function countWindow(
  { codehost, repository }: RepositoryFacts,
  { from }: Window,
): Promise<{ counted: PullRequestWindow | null; reason: CoverageReason[] }> {
  try {
    return { counted: await codehost.pullRequests.window(repository, from), reason: [] };
  } catch (error) {
    const reason = error instanceof Problem ? whyUncounted[error.code] : undefined;
    if (reason === undefined) throw error;
    return { counted: null, reason: [reason] };
  }
}

const whyUncounted: Partial<Record<ProblemCode, CoverageReason>> = {
  upstream_rate_limited: 'rate_limited',
  upstream_unavailable: 'sub_fetch_failed',
};

const truncation = ({ reviewed }: ContributorSample): CoverageReason[] =>
  reviewed.some(({ reviewsTruncated }) => reviewsTruncated) ? ['upstream_truncated'] : [];
