import { text } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Exchange } from './exchange.ts';
import { isLimit, isRequestFailure, limitReached, limitWait, type RequestFailure } from './failures.ts';
import { parseJson } from './json-text.ts';
import type { TokenPool } from './pool.ts';

/** How long to wait for the platform; milliseconds. */
export interface Timing {
  restAttemptMs: number;
  restTotalMs: number;
  graphqlAttemptMs: number;
  graphqlTotalMs: number;
  /** First wait before a retry; the second is four times as long, and both get up to this much jitter. */
  retryMs: number;
  /** Length of a second when the platform requests to wait. Shorter in tests. */
  secondMs: number;
}

export const usualTiming: Timing = {
  restAttemptMs: 8_000,
  restTotalMs: 10_000,
  graphqlAttemptMs: 10_000,
  graphqlTotalMs: 20_000,
  retryMs: 300,
  secondMs: 1_000,
};

export interface OctokitSettings {
  apiUrl: string;
  token: string;
  tokenHash: string;
  pool: TokenPool;
  clock: Clock;
  log: Log;
  timing: Timing;
  background: boolean;
}

/** An Octokit that waits, retries and rejects by the upstream failure table. Each request carries its `Exchange`. */
export function createOctokit(settings: OctokitSettings): Octokit {
  const { timing } = settings;
  const plainLog = quiet(settings.log);
  const Client = Octokit.plugin(answering(settings), throttling, jitter(timing.retryMs), retry);
  return new Client({
    auth: settings.token,
    baseUrl: settings.apiUrl,
    userAgent: 'delivery-analytics',
    log: plainLog,
    request: { log: plainLog, parseSuccessResponseBody: false },
    throttle: {
      id: settings.tokenHash,
      retryAfterBaseValue: timing.secondMs,
      ...paces,
      onRateLimit: () => false,
      onSecondaryRateLimit: (wait, { request }, _octokit, retryCount) =>
        !(request as unknown as RequestState).once && retryCount === 0 && wait <= longestWaitSeconds,
    },
    retry: { retries: 2, retryAfterBaseValue: timing.retryMs, doNotRetry },
  });
}

const longestWaitSeconds = 5;
const doNotRetry = [400, 401, 403, 404, 405, 406, 409, 410, 415, 422, 429, 451];

/**
 * The token's places do the pacing. The plugin's own pace for writes would hold GraphQL to one question
 * a second, and its general one costs milliseconds for each request.
 */
const unpaced = {
  key: () => ({
    schedule: (_options: object, work: (...args: unknown[]) => unknown, ...args: unknown[]) => work(...args),
  }),
};
const paces = { global: unpaced as never, write: unpaced as never, notifications: unpaced as never };

const quiet = (log: Log) => {
  const silent = () => undefined;
  return { debug: silent, info: silent, warn: (message: string) => log.warn(message), error: silent };
};

interface RequestState {
  exchange: Exchange;
  retryCount?: number;
  retries?: number;
  /** Sent one time, whatever comes of it. */
  once?: boolean;
}

/** Innermost: takes a place, keeps the reserve, reads the answer to its end, and names every limit the same way. */
const answering =
  ({ pool, clock, timing, background }: OctokitSettings) =>
  (octokit: Octokit) => {
    octokit.hook.wrap('request', (request, options) => {
      const state = options.request as unknown as RequestState;
      // After this time another may do it, so waiting for a place counts.
      if (state.once) state.exchange.remainingMs();
      return pool.inPlace(async () => {
        await pool.held(clock.now());
        const wait = pool.budget.wait(state.exchange.resource, clock.now(), background);
        if (wait !== null) throw limitReached(wait);
        state.exchange.limits.signal.throwIfAborted();
        if (state.retryCount && !state.exchange.limits.takeRetries(1)) {
          state.retries = 0;
          throw state.exchange.failure ?? couldNotExecute(options);
        }
        state.exchange.remainingMs();
        try {
          const answer = await request(options);
          const isGraphql = state.exchange.resource === 'graphql';
          answer.data = isLinkAnswer(state, answer) ? {} : await readBody(answer.data, answer, options, isGraphql);
          return answer;
        } catch (error) {
          state.exchange.limits.signal.throwIfAborted();
          state.exchange.failure = error;
          if (state.exchange.remainingMs() <= timing.retryMs) state.retries = 0;
          if (!isRequestFailure(error) || !isLimit(error)) throw error;
          throw asSecondaryLimit(error, pool, clock.now(), timing);
        }
      });
    });
  };

/** GraphQL answers 200 with an error in text where it gave up; the retry plugin alone takes that for a failure. */
const couldNotExecute = (options: object) =>
  Object.assign(new Error('GitHub could not execute the query.'), { status: 502, request: { ...options } });

/** Octokit takes a truncated or garbled body for a text; here it is a failure that is tried again. */
async function readBody(
  body: unknown,
  answer: { status: number; headers: object },
  options: object,
  isGraphql: boolean,
): Promise<unknown> {
  const failed = (status: number, data: unknown) =>
    Object.assign(new Error('The GitHub response is invalid.'), {
      status,
      request: { ...options },
      response: { status: answer.status, headers: answer.headers, data },
    });
  if (answer.status === 204) return null;
  const data = await text(body as ReadableStream)
    .then(parseJson)
    .catch(() => undefined);
  if (answer.status >= 300 || typeof data !== 'object' || data === null) throw failed(502, null);
  if (isGraphql && hasLimitError(data)) throw failed(429, data);
  return data;
}

/** What is wanted of it is in its headers. */
const isLinkAnswer = ({ exchange }: RequestState, { status }: { status: number }) => exchange.isLink && status === 302;

/** GraphQL answers 200 also where a limit is reached: by a type of error, or by the platform's own sentence. */
function hasLimitError(data: unknown): boolean {
  const { data: answer } = limitAnswer.safeParse(data);
  const said = answer ? [answer, ...answer.errors] : [];
  return said.some(({ type, message }) => limitTypes.has(type) || limitSentence.test(message));
}

const saidError = z.object({ type: z.string().catch(''), message: z.string().catch('') });
const limitAnswer = saidError.extend({ errors: z.array(saidError.catch({ type: '', message: '' })).catch([]) });
const limitTypes: ReadonlySet<string> = new Set(['RATE_LIMITED', 'RATE_LIMIT']);
/** Whole phrases: a message may quote a name. */
const limitSentence = /exceeded a secondary rate limit|triggered an abuse detection mechanism/i;

/** The throttling plugin waits only for limits whose message contains "secondary rate". */
function asSecondaryLimit(error: RequestFailure, pool: TokenPool, now: number, { secondMs }: Timing): RequestFailure {
  const headers = error.response?.headers ?? {};
  const wait = limitWait(headers, now);
  // Whoever waits a moment is served; whoever would wait long gets an error.
  if (wait <= longestWaitSeconds) pool.hold(now + wait * 1000, wait * secondMs);
  else if (headers['x-ratelimit-remaining'] !== '0') pool.budget.pause(now + wait * 1000);
  error.message = 'secondary rate limit';
  headers['retry-after'] = String(wait);
  return error;
}

const jitter = (maxMs: number) => (octokit: Octokit) => {
  octokit.hook.wrap('request', async (request, options) => {
    const state = options.request as unknown as RequestState;
    if (state.retryCount) await sleep(Math.random() * maxMs);
    return request(options);
  });
};
