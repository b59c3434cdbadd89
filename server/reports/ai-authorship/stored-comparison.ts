import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../access/context.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs, hourMs } from '../../metrics/kernel/window.ts';
import type { StoredComparison } from '../../store/ai-comparisons.ts';
import {
  type ComparisonScope,
  type ComparisonSource,
  computeComparison,
  computingMs,
  keyOf,
} from './compute-comparison.ts';

/** A comparison, and what becomes of a newer one: `failed` is tried again later. */
export interface FoundComparison {
  stored: StoredComparison | null;
  progress: 'done' | 'computing' | 'failed';
}

/** The job computes those of whole organizations before they are as old. */
const renewAfterMs = 7 * dayMs - hourMs;
/** Longer than this nobody waits for an answer. */
const waitMs = 2000;
const pollMs = 50;
/** What failed is not tried again before. */
const failedMs = hourMs;

/** Whether a comparison is of this week. */
const isFresh = (stored: StoredComparison | null, now: Instant): boolean =>
  stored !== null && stored.computedAt > now - renewAfterMs;

/**
 * The stored comparison of a scope. Where it is missing or old, another one is computed behind the answer, which waits for
 * it for two seconds; with the token of whoever asks, as background work, which leaves them a fifth of their quota.
 */
export async function findComparison(
  scope: ComparisonScope,
  context: Pick<Context, 'services' | 'actor' | 'requestId'> & Pick<ComparisonSource, 'store'>,
  calendar: ComparisonSource['calendar'],
): Promise<FoundComparison> {
  const { services, store, requestId } = context;
  const { background, clock, log } = services;
  const read = () => readStored(scope, store);
  const stored = await read();
  const now = clock.now();
  if (isFresh(stored, now)) return { stored, progress: 'done' };
  const { token } = await context.actor();
  const codehost = services.connect(token, { background: true, requestId });
  // What this token is not shown would be missing for all who see the same repositories.
  const source = { services, store, codehost, calendar, mayLeaveOut: false };
  background.begin(async () => {
    await renewComparison(scope, source).catch((error: unknown) =>
      log.error({ err: error }, 'marked pull requests could not be compared'),
    );
  });
  for (let waited = 0; waited < waitMs; waited += pollMs) {
    await sleep(pollMs);
    const made = await read();
    if (isFresh(made, now)) return { stored: made, progress: 'done' };
    if (await hasFailed(scope, services)) return { stored, progress: 'failed' };
  }
  return { stored, progress: 'computing' };
}

/** One that was computed by another table of marks is none. */
async function readStored(
  scope: ComparisonScope,
  store: Pick<ComparisonSource['store'], 'aiComparisons'>,
): Promise<StoredComparison | null> {
  const stored = await store.aiComparisons.get(keyOf(scope));
  return stored?.tableVersion === scope.tableVersion ? stored : null;
}

const claimOf = (scope: ComparisonScope) =>
  `ai-comparison begun ${[...Object.values(keyOf(scope)), scope.tableVersion].join(' ')}`;

const [begun, failed] = ['begun', 'failed'];

async function hasFailed(scope: ComparisonScope, { answers }: Pick<Context['services'], 'answers'>): Promise<boolean> {
  return (await answers.get<string>(claimOf(scope)))?.value === failed;
}

/**
 * Computes a comparison that is not of this week, unless somebody does already, or failed within the hour: `waiting`.
 * @throws why it could not be computed.
 */
export async function renewComparison(
  scope: ComparisonScope,
  source: ComparisonSource,
): Promise<'fresh' | 'computed' | 'waiting'> {
  const { services, store } = source;
  const { answers, clock } = services;
  const computedAt = clock.now();
  if (isFresh(await readStored(scope, store), computedAt)) return 'fresh';
  const claim = claimOf(scope);
  if (!(await answers.claim(claim, begun, computedAt, computedAt + computingMs))) return 'waiting';
  try {
    const answer = await computeComparison(scope, source);
    await store.aiComparisons.put(keyOf(scope), { answer, tableVersion: scope.tableVersion, computedAt });
    return 'computed';
  } catch (error) {
    const now = clock.now();
    await answers.put(claim, failed, now, now + failedMs);
    throw error;
  }
}
