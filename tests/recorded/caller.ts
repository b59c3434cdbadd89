import { bearerOf } from '../codehost-double/platform-token.ts';
import type { Answered, Service } from '../support/service.ts';
import { finished } from './finished.ts';
import { requestId } from './masks.ts';
import type { Recorder } from './recorder.ts';

export interface Call {
  /** A token of the world, which signs in first; `token-ann` where it is not said, nobody where it is null. */
  as?: string | null;
  /** The same token sent along by a script, without a session. */
  bearer?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Named in the record in the place of body and headers. */
  reported?: string;
  /** The address as the record names it, where it holds something random. */
  shown?: string;
  /** The list of the answer that stands in the order in which its parts were ready. */
  unordered?: string;
}

/** Asks a service and records what it answers. */
export type Caller = (method: string, path: string, call?: Call) => Promise<Answered>;

/** Each request comes from an address of its own, so that limits for an address are met on purpose only. */
export function callerOf(service: Service, recorder: Recorder): Caller {
  let requests = 0;
  return async (method, path, { as = 'token-ann', bearer, body, headers, reported, shown = path, unordered } = {}) => {
    requests++;
    const from = `10.1.${Math.floor(requests / 250)}.${requests % 250}`;
    const cookie = as === null || bearer ? null : await service.signIn(as);
    const sent = { 'x-request-id': requestId, ...(cookie && { cookie }), ...(bearer && bearerOf(bearer)), ...headers };
    const answer = await finished(path, () => service.ask(method, path, { headers: sent, body, from }));
    const who = bearer ? ` by bearer ${bearer}` : as === null ? '' : ` as ${as.replace(/^token-/, '')}`;
    recorder.add(
      `${method} ${shown}${who}${detail(reported, body, headers)}`,
      unordered ? inOrder(answer, unordered) : answer,
    );
    return answer;
  };
}

function detail(reported: string | undefined, body: unknown, headers: Call['headers']): string {
  if (reported !== undefined) return ` ${reported}`;
  const parts = [body, headers].filter((one) => one !== undefined).map((one) => JSON.stringify(one));
  return parts.map((one) => ` ${one.length > 160 ? `${one.slice(0, 160)}…` : one}`).join('');
}

function inOrder(answer: Answered, list: string): Answered {
  if (!Array.isArray(answer.body?.[list])) return answer;
  const sorted = answer.body[list]
    .map((one: unknown) => JSON.stringify(one))
    .sort()
    .map((one: string) => JSON.parse(one));
  return { ...answer, text: JSON.stringify({ ...answer.body, [list]: sorted }) };
}
