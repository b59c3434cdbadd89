import { AsyncLocalStorage } from 'node:async_hooks';

/** Goes along with the work that makes an answer, however deep it calls. */
const current = new AsyncLocalStorage<{ until: number }>();

/** Notes that something was used which would be given again until then; epoch milliseconds. */
export function noteFreshUntil(until: number): void {
  const freshness = current.getStore();
  if (freshness) freshness.until = Math.min(freshness.until, until);
}

/** Notes that something had to be requested: it may have failed, and what came is given again by others. */
export const noteRequested = (): void => noteFreshUntil(Number.NEGATIVE_INFINITY);

/** Does the work, and says until when it would find what it used, had it to be done again. */
export async function withFreshness<T>(work: () => Promise<T>): Promise<{ result: T; freshUntil: number }> {
  const freshness = { until: Number.POSITIVE_INFINITY };
  const result = await current.run(freshness, work);
  return { result, freshUntil: freshness.until };
}
