import { AsyncLocalStorage } from 'node:async_hooks';

/** What the work for one question of a caller may use. It goes along with the work, however deep it calls. */
export interface WorkLimits {
  /** Aborted when nobody waits for the result any more. */
  signal: AbortSignal;
  /** By `performance.now()`: no request is sent to the platform from then on. */
  deadline: number;
  /** Takes `count` from the requests that may be sent again after a failure; false when not so many are left. */
  takeRetries(count: number): boolean;
}

/** Requests of one question that are sent again after a failure, all its parts together. */
const retryBudget = 4;
/** Pages give up waiting at twelve seconds, so what was read until then can still be shown. */
export const usualReadMs = 10_000;

/** Limits of a question that somebody waits for, for so many ms. As a part of other work it ends no later than that. */
export const createRequestLimits = (signal: AbortSignal, readMs = usualReadMs): WorkLimits => ({
  signal,
  deadline: Math.min(performance.now() + readMs, currentLimits().deadline),
  takeRetries: retriesUpTo(retryBudget),
});

/** Limits of work that goes on when its answer is given: no end, but no more repeats than any other. */
export const createBackgroundLimits = (): WorkLimits => ({ ...unlimited, takeRetries: retriesUpTo(retryBudget) });

const unlimited: WorkLimits = {
  signal: new AbortController().signal,
  deadline: Number.POSITIVE_INFINITY,
  takeRetries: () => true,
};

const limits = new AsyncLocalStorage<WorkLimits>();

/** The limits under which the calling code works; none in jobs. */
export const currentLimits = (): WorkLimits => limits.getStore() ?? unlimited;

export const withLimits = <T>(given: WorkLimits, work: () => T): T => limits.run(given, work);

/** For work with an end of its own, whatever the limits of whoever began it. */
export const withoutLimits = <T>(work: () => T): T => withLimits(unlimited, work);

function retriesUpTo(limit: number): WorkLimits['takeRetries'] {
  let left = limit;
  return (count) => {
    if (left < count) return false;
    left -= count;
    return true;
  };
}
