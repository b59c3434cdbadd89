import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { Problem } from '../../platform/problem.ts';
import type { Codehost, Viewer } from '../client/client.ts';
import { cacheTtlMs, type TokenPool } from '../client/pool.ts';
import { fallbackMs, type Reader, transient } from '../client/reader.ts';
import type { AnswerHeaders } from '../client/transport.ts';
import { platformId, shownAddress, shownText } from '../client/wire.ts';

/** How long `confirm` is waited for; a rejection that comes later still ends the token's sessions. */
const timeoutMs = 2000;

/** Reads the account behind the token: the answer is also the proof that the token still holds. */
export function createViewer(
  reader: Reader,
  { proof }: TokenPool,
  clock: Clock,
): Pick<Codehost, 'viewer' | 'knownViewer' | 'confirm'> {
  const reading = {
    operation: 'get viewer',
    route: 'GET /user',
    params: {},
    read: toViewer,
    freshMs: () => cacheTtlMs,
    staleIfError: false,
    always: true,
  };
  const requestViewer = async () => {
    try {
      await reader.read({ ...reading, once: true, resource: 'free' });
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'unauthenticated') throw error;
      proof.pause(clock.now() + (transient.has(error.code) ? fallbackMs : cacheTtlMs));
    }
  };
  return {
    viewer: async () => (await reader.read(reading)).value,
    knownViewer: () => reader.fresh(reading),
    async confirm() {
      const over = new AbortController();
      const late = sleep(timeoutMs, undefined, { signal: over.signal, ref: false }).then(
        () => proof.pause(clock.now() + fallbackMs),
        () => undefined,
      );
      await Promise.race([requestViewer(), late]).finally(() => over.abort());
    },
  };
}

/** Scopes of a classic token; null when the platform shows none, as for fine-grained tokens. */
export function readScopes(headers: AnswerHeaders): string[] | null {
  const header = headers['x-oauth-scopes'];
  if (header === undefined) return null;
  return String(header)
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
}

const viewerSchema = z.object({
  id: platformId,
  login: z.string(),
  name: shownText,
  avatar_url: shownAddress,
  email: shownText,
});

function toViewer(data: unknown, headers: AnswerHeaders): Viewer {
  const { avatar_url, ...account } = viewerSchema.parse(data);
  return { ...account, avatarUrl: avatar_url, scopes: readScopes(headers) };
}

/**
 * Tokens as the platform makes them: with one of its prefixes, at most 255 characters long, or 40 hexadecimal digits
 * as before 2021, which GitHub Enterprise Server may still hold.
 * https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available/
 */
const shape = /^(?:gh[opsu]_\w{20,251}|github_pat_\w{20,244}|[0-9a-f]{40})$/;

/** Whether a text can be a token of the platform, so that it may be sent there. */
export const isTokenShaped = (text: string): boolean => shape.test(text);
