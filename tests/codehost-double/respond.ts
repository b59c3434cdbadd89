import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, expectRejected } from './answers.ts';
import type { RequestEntry, Service } from './double.ts';
import type { Fault } from './faults.ts';
import { platformToken } from './platform-token.ts';
import type { DoubleToken } from './world.ts';

/** A request as the answering parts get it. */
export interface Incoming {
  service: Service;
  entry: RequestEntry;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
  fault: Fault | null;
}

/** The token of a request, noted in its log entry; null when there is none or it is unknown. */
export function tokenOf({ service, entry, headers }: Incoming): DoubleToken | null {
  const given = /^(?:bearer|token) (.+)$/i.exec(headers.authorization ?? '')?.[1];
  const token = service.world.tokens.find((one) => one.token === given || platformToken(one.token) === given) ?? null;
  entry.token = given ?? null;
  entry.account = token?.login ?? null;
  return token;
}

/** The answer a fault puts in the place of the real one; null when the real one goes out. */
export function faultAnswer({ service, entry, fault }: Incoming): Answer | null {
  if (fault?.kind === 'status')
    return expectRejected(fault.status, fault.message ?? `Status ${fault.status}`, fault.headers);
  if (fault?.kind === 'invalid') return invalid(fault.fields);
  if (fault && 'lost' in fault) return expectRejected(500, 'Lost');
  if (fault?.kind === 'primary_limit') {
    const resetAt = Math.ceil(service.clock.now() / 1000) + 3600;
    return expectRejected(fault.status ?? 403, `API rate limit exceeded for user ID 1. (request ${entry.path})`, {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-used': '5000',
      'x-ratelimit-reset': String(resetAt),
      'x-ratelimit-resource': entry.resource ?? 'core',
    });
  }
  if (fault?.kind === 'secondary_limit') {
    const message =
      'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out for help, include the request ID.';
    return expectRejected(fault.status ?? 403, message, { 'retry-after': String(fault.retryAfter ?? 60) });
  }
  return null;
}

/** The error of what was sent, by the fields at fault. */
export function invalid(fields: string[]): Answer {
  const { body, ...answer } = expectRejected(422, 'Validation Failed');
  const errors = fields.map((field) => ({ resource: 'Issue', code: 'invalid', field }));
  return { ...answer, body: { ...(body as object), errors } };
}

/** Sends an answer, or lets it go wrong on the way. */
export async function respond(response: ServerResponse, entry: RequestEntry, answer: Answer, fault: Fault | null) {
  if (fault?.kind === 'latency') await wait(fault.ms);
  if (fault?.kind === 'held') await fault.until;
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'reset') {
    await fault.until;
    response.destroy();
    return;
  }
  const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
  const headers = {
    'x-github-request-id': 'C0DE:D0B1:000001',
    ...(text ? { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) } : {}),
    ...answer.headers,
  };
  if (fault?.kind === 'malformed_json') {
    entry.status = 200;
    response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      .end(`{"broken": ${text.slice(0, 9)}`);
    return;
  }
  response.writeHead(answer.status, headers);
  if (fault?.kind === 'cut_body') {
    response.write(text.slice(0, Math.ceil(text.length / 2)), () => response.destroy());
    return;
  }
  entry.status = answer.status;
  response.end(text || undefined);
}
