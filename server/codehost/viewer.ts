import { z } from 'zod';
import type { Codehost, Viewer } from './client.ts';
import type { Reader } from './reader.ts';
import type { AnswerHeaders } from './transport.ts';
import { maybeText } from './wire.ts';

/** Reads the account behind the token, asking each time: the answer is also the proof that the token still holds. */
export const createViewer =
  (reader: Reader): Codehost['viewer'] =>
  async () => {
    const { value } = await reader.read({
      operation: 'get viewer',
      route: 'GET /user',
      params: {},
      read: toViewer,
      freshMs: () => 0,
      staleIfError: false,
    });
    return value;
  };

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
  id: z.number(),
  login: z.string(),
  name: maybeText,
  avatar_url: z.string(),
  email: maybeText,
});

function toViewer(data: unknown, headers: AnswerHeaders): Viewer {
  const { avatar_url, ...account } = viewerSchema.parse(data);
  return { ...account, avatarUrl: avatar_url, scopes: scopesOf(headers) };
}
