import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../access/context.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs, hourMs, minuteMs } from '../../metrics/kernel/window.ts';
import type { StoredComparison } from '../../store/ai-comparisons.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { type ComparisonScope, compare, computeComparison, keyOf } from './compute-comparison.ts';
import { sampleComparison } from './demo-comparison.ts';
import type { MarksReading } from './source.ts';

/** A comparison, and whether another one is being computed in its place. */
export interface FoundComparison {
  kept: StoredComparison | null;
  isComputing: boolean;
}

/** The job computes those of whole organizations before they are as old. */
const renewAfterMs = 7 * dayMs - hourMs;
/** Longer than this nobody waits for an answer. */
const waitMs = 2000;
const pollMs = 50;
/** Before then no other request computes the same. */
const claimMs = 2 * minuteMs;

/** Whether a comparison is of this table of marks, and of this week. */
export const isFresh = (kept: StoredComparison | null, { tableVersion }: ComparisonScope, now: Instant): boolean =>
  kept !== null && kept.tableVersion === tableVersion && kept.computedAt > now - renewAfterMs;

/**
 * The stored comparison of a scope. Where it is missing or old, another one is computed behind the answer, which waits for
 * it for two seconds.
 */
export async function findComparison(
  scope: ComparisonScope,
  reading: MarksReading,
  context: Context,
): Promise<FoundComparison> {
  const { services } = context;
  if (context.isDemo) return { kept: await findSample(scope, reading, services), isComputing: false };
  const { store } = context;
  const { answers, background, clock, log } = services;
  const key = keyOf(scope);
  const kept = await store.aiComparisons.get(key);
  const now = clock.now();
  if (isFresh(kept, scope, now)) return { kept, isComputing: false };
  const source = { services, store, codehost: await context.codehost(), calendar: await teamCalendar(context) };
  if (await answers.claim(`ai-comparison begun ${Object.values(key).join(' ')}`, true, now, now + claimMs))
    background.begin(async () => {
      try {
        const answer = await computeComparison(scope, source);
        await store.aiComparisons.put(key, { answer, tableVersion: scope.tableVersion, computedAt: now });
      } catch (error) {
        log.error({ err: error }, 'marked pull requests could not be compared');
      }
    });
  for (let waited = 0; waited < waitMs; waited += pollMs) {
    await sleep(pollMs);
    const made = await store.aiComparisons.get(key);
    if (isFresh(made, scope, now)) return { kept: made, isComputing: false };
  }
  return { kept, isComputing: true };
}

/** That of the sample organization, which has no table, is kept for a day among costly answers. */
async function findSample(
  scope: ComparisonScope,
  reading: MarksReading,
  services: Context['services'],
): Promise<StoredComparison> {
  const { answers, clock } = services;
  const name = `ai-comparison ${Object.values(keyOf(scope)).join(' ')}`;
  const found = await answers.get<StoredComparison>(name);
  if (found) return found.value;
  const now = clock.now();
  const answer = await compare(sampleComparison(reading, scope), [], scope, services);
  const made = { answer, tableVersion: scope.tableVersion, computedAt: now };
  await answers.put(name, made, now, now + dayMs);
  return made;
}
