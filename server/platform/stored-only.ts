import { AsyncLocalStorage } from 'node:async_hooks';

/** Thrown where an answer of what is stored would have to request something. */
export class NotStored extends Error {}

/** Goes along with the work that makes an answer, however deep it calls. */
const mode = new AsyncLocalStorage<'stored' | 'requesting'>();

/** Does the work with what is stored, however old. Where something would be requested, it fails with `NotStored`. */
export const withStoredOnly = <T>(work: () => T): T => mode.run('stored', work);

/** For a part of such work that is requested all the same, as whether the caller may see the rest. */
export const withRequests = <T>(work: () => T): T => mode.run('requesting', work);

/** Whether the calling code is to do with what is stored. */
export const isStoredOnly = (): boolean => mode.getStore() === 'stored';

/** @throws NotStored in work that is to do with what is stored */
export function assertRequestable(): void {
  if (isStoredOnly()) throw new NotStored('It would have to be requested.');
}
