import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../access/context.ts';
import { hasSpareQuota } from '../../codehost/client/rate-limit.ts';
import type { AnswerCache } from '../../facts/answers.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { hourMs } from '../../metrics/kernel/window.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { createBackgroundLimits, withLimits } from '../../platform/work-limits.ts';
import { type CoverageReason, toReason } from '../kernel/coverage.ts';
import type { Skipped } from './eligibility.ts';
import { computeScore, type Row, type Scored } from './row.ts';

/** The scores of an organization's repositories, as far as they were computed. */
export interface Scores {
  rows: Row[];
  /** Repositories that could not be scored. */
  skipped: Skipped[];
  /** Names of all that were to be scored. */
  attempted: string[];
  /** By name, as of when each row is. */
  readAt: Record<string, Instant>;
  reasons: CoverageReason[];
  stale: boolean;
  /** When the oldest fact was read; null before the first score. */
  asOf: Instant | null;
  source: 'live' | 'mixed';
  /** When renewing them was last tried in vain. */
  triedAt?: Instant;
}

export interface Found {
  scores: Scores;
  /** When they were finished; null while they are being filled. */
  computedAt: Instant | null;
  /** A computation is under way. */
  isComputing: boolean;
}

/** How long a request waits for a first computation before it answers with what there is. */
const timeoutMs = 3000;
const freshMs = 15 * 60_000;
/** One that was stopped or failed in part is tried again sooner. */
const brokenFreshMs = 60_000;
const storedMs = 10 * freshMs;
const quietFreshMs = 2 * hourMs;
const side = 2;

interface ScoreRequest {
  key: string;
  candidates: readonly Repository[];
  calendar: Calendar;
  context: Context;
}

/**
 * The last finished scores; those out of date are computed anew behind the answer. The first time what is done within a
 * moment is given, and the rest goes on without anybody waiting. Throws what ends every reading, such as a rejected
 * token.
 */
export async function findScores(request: ScoreRequest): Promise<Found> {
  const { answers, clock } = request.context.services;
  const stored = await answers.get<Scores>(request.key);
  if (stored && isFresh(stored, clock.now()))
    return { scores: stored.value, computedAt: stored.madeAt, isComputing: false };
  const computation = computing(request, stored?.value ?? null);
  if (stored)
    return { scores: stored.value, computedAt: stored.madeAt, isComputing: !request.context.services.stopping.aborted };
  const timeout = new AbortController();
  const late = sleep(timeoutMs, false, { signal: timeout.signal }).catch(() => false);
  const isDone = await Promise.race([computation.done.then(() => true), late]).finally(() => timeout.abort());
  const { aborted } = request.context.services.stopping;
  return { scores: computation.scores, computedAt: isDone && !aborted ? clock.now() : null, isComputing: !isDone };
}

function isFresh({ value, madeAt }: { value: Scores; madeAt: Instant }, now: Instant): boolean {
  if (now - (value.triedAt ?? Number.NEGATIVE_INFINITY) < brokenFreshMs) return true;
  return now - madeAt < (isComplete(value) ? freshMs : brokenFreshMs);
}

interface Computation {
  scores: Scores;
  done: Promise<void>;
}

const running = new WeakMap<AnswerCache, Map<string, Computation>>();

/** The computation under way for a question, begun if there is none. */
function computing(request: ScoreRequest, earlier: Scores | null): Computation {
  const { answers, log } = request.context.services;
  const all = running.get(answers) ?? new Map<string, Computation>();
  running.set(answers, all);
  const known = all.get(request.key);
  if (known) return known;
  const attempted = request.candidates.map(({ repo }) => repo);
  const scores: Scores = { ...nothing(), attempted };
  const done = withLimits(createBackgroundLimits(), () => compute(request, scores, earlier)).finally(() =>
    all.delete(request.key),
  );
  done.catch((error: unknown) => log.warn({ err: error }, 'the scores of an organization could not be computed'));
  const computation = { scores, done };
  all.set(request.key, computation);
  return computation;
}

const nothing = (): Omit<Scores, 'attempted'> => ({
  rows: [],
  skipped: [],
  readAt: {},
  reasons: [],
  stale: false,
  asOf: null,
  source: 'live',
});

async function compute(request: ScoreRequest, scores: Scores, earlier: Scores | null): Promise<void> {
  const { answers, clock, stopping } = request.context.services;
  const queue = request.candidates.filter((one) => !reused(scores, one, earlier, clock.now())).values();
  const work = async () => {
    for (const repository of queue) {
      if (!(await goesOn(request, scores)) || !(await scoreInto(scores, repository, request))) return;
    }
  };
  await Promise.all(Array.from({ length: side }, work));
  if (stopping.aborted) return;
  const now = clock.now();
  const older = isComplete(scores) ? null : await answers.get<Scores>(request.key);
  // Better older scores of all than newer ones of some.
  if (!older || !isComplete(older.value)) await answers.put(request.key, scores, now, now + storedMs);
  else await answers.put(request.key, { ...older.value, triedAt: now }, older.madeAt, older.madeAt + storedMs);
}

/**
 * Where nothing was pushed since well before the last reading, its row holds for a while: merges are pushes. Not one
 * that lacks something, which may be had by now.
 */
function reused(scores: Scores, { repo, pushedAt }: Repository, earlier: Scores | null, now: Instant): boolean {
  const row = earlier?.rows.find((one) => one.repo === repo);
  const asOf = earlier?.readAt[repo];
  if (!row || row.partial || asOf === undefined || asOf < now - quietFreshMs || (pushedAt ?? 0) > asOf - hourMs)
    return false;
  add(scores, { row, asOf, stale: false, source: 'mixed' });
  return true;
}

/** The quota, one that is not known, or the end of the process ends the work early. */
async function goesOn({ context }: ScoreRequest, scores: Scores): Promise<boolean> {
  if (context.services.stopping.aborted || scores.reasons.includes('rate_limited')) return false;
  try {
    const hasRoom = await hasSpareQuota(await context.codehost());
    if (!hasRoom) note(scores, 'rate_limited');
    return hasRoom;
  } catch (error) {
    note(scores, toReason(error));
    return false;
  }
}

/** Adds one repository; false when nothing more can be read. */
async function scoreInto(
  scores: Scores,
  repository: Repository,
  { calendar, context }: ScoreRequest,
): Promise<boolean> {
  try {
    add(scores, await withLimits(createBackgroundLimits(), () => computeScore(repository, calendar, context)));
    return true;
  } catch (error) {
    const reason = toReason(error);
    note(scores, reason);
    if (reason === 'rate_limited') return false;
    scores.skipped.push({ repo: repository.repo, reason: reason === 'forbidden' ? 'forbidden' : 'failed' });
    return true;
  }
}

function note({ reasons }: Scores, reason: CoverageReason): void {
  if (!reasons.includes(reason)) reasons.push(reason);
}

function add(scores: Scores, { row, stale, asOf, source }: Scored): void {
  scores.rows.push(row);
  scores.readAt[row.repo] = asOf;
  scores.stale ||= stale;
  scores.asOf = Math.min(scores.asOf ?? asOf, asOf);
  if (source === 'mixed') scores.source = 'mixed';
}

/** A denial is as good as an answer; what was not tried, or failed, may come out otherwise. */
const isComplete = ({ rows, skipped, attempted, stale }: Scores): boolean =>
  !stale && rows.length + skipped.filter(({ reason }) => reason === 'forbidden').length === attempted.length;
