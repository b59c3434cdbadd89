import type { Clock } from '../../platform/clock.ts';
import { deliveryFailure, errorMessage, isPermanent, type Outcome } from './provider.ts';

/** What a provider answered. */
interface Answer {
  status: number;
  text: string;
  /** The answer was longer than is read. */
  isTruncated: boolean;
  retryAfterMs: number | null;
}

/** One request to a provider's API. */
export interface Exchange {
  /** Follows no redirect, reads no more than 64 KiB, and ends within the time, reading included. */
  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  /** What became of the request, where the email was not taken. */
  failure(): Outcome;
}

const longestAnswer = 64 * 1024;

/** Carries an SDK's request, and remembers what came of it. */
export function exchange({ timeoutMs, clock, secret }: { timeoutMs: number; clock: Clock; secret: string }): Exchange {
  let answer: Answer | null = null;
  let problem = '';
  return {
    async fetch(input, init) {
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const response = await fetch(input, { ...init, redirect: 'manual', signal });
        const { text, isTruncated } = await readUpTo(response, longestAnswer);
        answer = { status: response.status, text, isTruncated, retryAfterMs: parseRetryAfter(response.headers, clock) };
        return new Response(bodiless.has(response.status) ? null : text, { status: response.status });
      } catch (error) {
        problem = reason(error, timeoutMs);
        throw error;
      }
    },
    failure() {
      if (!answer) {
        const failed = deliveryFailure(problem || 'The provider request failed.');
        return problem === '' ? failed : { ...failed, isUnreachable: true };
      }
      const { status, text, isTruncated, retryAfterMs } = answer;
      if (status < 300)
        return deliveryFailure(`The provider’s response could not be read${isTruncated ? ': it is too long' : ''}.`);
      if (status < 400)
        return deliveryFailure(`The provider responded with a redirect (${status}), which is not followed.`);
      const message = errorMessage(findErrorMessage(text), [secret]) || `The provider responded with status ${status}.`;
      return deliveryFailure(message, { permanent: isPermanent(status), retryAfterMs });
    },
  };
}

const bodiless = new Set([204, 205, 304]);

async function readUpTo({ body }: Response, limit: number): Promise<{ text: string; isTruncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    // Leaving the loop ends the transfer.
    if (size > limit) break;
  }
  return { text: Buffer.concat(chunks).subarray(0, limit).toString('utf8'), isTruncated: size > limit };
}

/** How long to wait, from seconds or a date. */
function parseRetryAfter(headers: Headers, clock: Clock): number | null {
  const given = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(given)) return Number(given) * 1000;
  const at = Date.parse(given);
  return Number.isNaN(at) ? null : Math.max(0, at - clock.now());
}

/** The provider's sentence, where its answer is JSON with one; the answer itself otherwise. */
function findErrorMessage(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (body === null || typeof body !== 'object') return text;
    const message = Object.entries(body).find(([name]) => /^message$/i.test(name))?.[1];
    return typeof message === 'string' && message !== '' ? message : text;
  } catch {
    return text;
  }
}

function reason(error: unknown, timeoutMs: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `The provider did not respond within ${timeoutMs / 1000} s.`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return `The provider could not be reached${code}.`;
}
