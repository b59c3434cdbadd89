import { noteRequested } from './freshness.ts';
import { joinPending, nothingPending, type Pending, withPending } from './pending-requests.ts';
import { assertRequestable } from './stored-only.ts';
import { currentLimits, withLimits } from './work-limits.ts';

/** Work under way by key: one for all who want the same at the same time. */
export interface SharedWork {
  /** Joins the work of this key, or begins it. It is aborted when all who wait for it have gone away. */
  join<T>(key: string, work: () => Promise<T>): Promise<T>;
}

interface Flight {
  result: Promise<unknown>;
  waiters: number;
  pending: Pending;
  abandoned: AbortController;
}

export function createSharedWork(): SharedWork {
  const running = new Map<string, Flight>();
  const begin = (key: string, work: () => Promise<unknown>): Flight => {
    const abandoned = new AbortController();
    const limits = { ...currentLimits(), signal: abandoned.signal };
    const pending = nothingPending();
    const result = withPending(pending, () => withLimits(limits, work));
    const flight: Flight = { result, waiters: 0, pending, abandoned };
    running.set(key, flight);
    const end = () => {
      if (running.get(key) === flight) running.delete(key);
    };
    flight.result.then(end, end);
    return flight;
  };
  return {
    async join<T>(key: string, work: () => Promise<T>): Promise<T> {
      const { signal } = currentLimits();
      signal.throwIfAborted();
      assertRequestable();
      noteRequested();
      const flight = running.get(key) ?? begin(key, work);
      flight.waiters += 1;
      joinPending(flight.pending);
      const leave = () => {
        flight.waiters -= 1;
        if (flight.waiters > 0) return;
        // Who comes now begins anew rather than joining what ends.
        running.delete(key);
        flight.abandoned.abort(signal.reason);
      };
      return untilAborted(flight.result as Promise<T>, signal, leave);
    },
  };
}

/** The result, or the reason of the signal as soon as it is aborted. */
function untilAborted<T>(result: Promise<T>, signal: AbortSignal, onAbort: () => void): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => {
    onAbort();
    reject(signal.reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return promise;
}
