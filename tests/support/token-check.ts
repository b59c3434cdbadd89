import { expect } from 'vitest';
import type { RequestEntry } from '../codehost-double/double.ts';

/**
 * What the platform was asked for one answer, without the free question whether it still takes the token. That is sent
 * once at most, and only where nothing else that was requested has reported.
 */
export function besidesTokenCheck(requests: readonly RequestEntry[]): RequestEntry[] {
  const others = requests.filter((one) => !isTokenCheck(one));
  if (others.some(({ status }) => status > 0 && status < 400)) return [...requests];
  expect(requests.length - others.length).toBeLessThanOrEqual(1);
  return others;
}

/** One that has no answer yet was waited for in vain. */
const isTokenCheck = ({ method, path, status, conditional, cost }: RequestEntry) =>
  method === 'GET' && path === '/user' && (status === 304 || status === 0) && conditional && cost === 0;
