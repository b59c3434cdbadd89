import { z } from 'zod';
import type { Codehost, Viewer } from './client.ts';
import type { Reader } from './reader.ts';
import type { AnswerHeaders } from './transport.ts';
import { platformId, shownAddress, shownText } from './wire.ts';

/** How long the platform is believed that a token holds. */
const believedMs = 300_000;

/** Reads the account behind the token: the answer is also the proof that the token still holds. */
export function createViewer(reader: Reader): Pick<Codehost, 'viewer' | 'knownViewer'> {
  const reading = {
    operation: 'get viewer',
    route: 'GET /user',
    params: {},
    read: toViewer,
    freshMs: () => believedMs,
    staleIfError: false,
    always: true,
  };
  return {
    viewer: async () => (await reader.read(reading)).value,
    knownViewer: () => reader.fresh(reading),
  };
}

/** Scopes of a classic token; null when the platform shows none, as for fine-grained tokens. */
export function scopesOf(headers: AnswerHeaders): string[] | null {
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
  return { ...account, avatarUrl: avatar_url, scopes: scopesOf(headers) };
}
