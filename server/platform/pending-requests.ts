import { AsyncLocalStorage } from 'node:async_hooks';

/** A request to the platform that has not been answered yet. */
interface PendingRequest {
  operation: string;
  method: string;
  url: string;
}

/** The requests that a piece of work waits for, and what others began that it waits for too. */
export interface Pending {
  own: Set<PendingRequest>;
  joined: Set<Pending>;
}

const storage = new AsyncLocalStorage<Pending>();

export const nothingPending = (): Pending => ({ own: new Set(), joined: new Set() });

/** Keeps account of the requests that this work waits for. */
export const withPending = <T>(pending: Pending, work: () => T): T => storage.run(pending, work);

/** Records that the calling code waits for this work of others. */
export const joinPending = (others: Pending): void => {
  storage.getStore()?.joined.add(others);
};

/** Sends a request; until it is answered it is pending. */
export async function whilePending<T>(request: PendingRequest, send: () => Promise<T>): Promise<T> {
  const own = storage.getStore()?.own;
  own?.add(request);
  return send().finally(() => own?.delete(request));
}

/** The result of the work; after `timeMs` the error that `late` makes of the requests that are still pending. */
export async function withinTime<T>(
  work: () => Promise<T>,
  timeMs: number,
  late: (cause: { error: string; pending: PendingRequest[] }) => Error,
): Promise<T> {
  const pending = nothingPending();
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(late({ error: `not done within ${timeMs} ms`, pending: listRequests(pending) })),
    timeMs,
  );
  return Promise.race([withPending(pending, async () => work()), promise]).finally(() => clearTimeout(timer));
}

const listRequests = ({ own, joined }: Pending): PendingRequest[] => [...own, ...[...joined].flatMap(listRequests)];
