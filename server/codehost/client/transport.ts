import { GraphqlResponseError } from '@octokit/graphql';
import type { Agent } from 'undici';
import { ZodError, z } from 'zod';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Clock } from '../../platform/clock.ts';
import { noteRequested } from '../../platform/freshness.ts';
import type { Log } from '../../platform/log.ts';
import { whilePending } from '../../platform/pending-requests.ts';
import { Problem } from '../../platform/problem.ts';
import { assertRequestable } from '../../platform/stored-only.ts';
import { Exchange, type ExchangeOptions, type RequestRecord } from './exchange.ts';
import {
  failedRequest,
  isRequestFailure,
  MissingFields,
  type PlainError,
  plainError,
  problemFrom,
  toMissingProblem,
  toRejection,
  unreadableFields,
} from './failures.ts';
import { createOctokit, type Timing } from './octokit.ts';
import { dependsOnSize } from './part-errors.ts';
import type { TokenPool } from './pool.ts';
import { type Excluded, fieldsIn, isReadableItems } from './readable-items.ts';
import { instant } from './wire.ts';

export type AnswerHeaders = Record<string, string | number | undefined>;

export interface RestQuestion<T> {
  /** Names the request in counts and log lines. */
  operation: string;
  /** Method and path with `{names}`, filled from `params`; the rest of `params` goes into the query. */
  route: string;
  params: Record<string, string | number | boolean>;
  /** Converts the body into facts; a `ZodError` here is an unreadable answer. */
  read(data: unknown, headers: AnswerHeaders): T;
  /** For requests to which an error is an answer: converts it into facts, or gives null where it stays a problem. */
  fromError?(plain: PlainError): T | null;
  /** The statuses of those errors; 403 and 404 where nothing is said. */
  errorStatuses?: readonly number[];
  /** true for what must not be sent twice: it is not repeated after a failure, nor sent when its time is over. */
  once?: boolean;
  /** The budget it counts against; `free` for none. */
  resource?: 'core' | 'free';
  /** true for what is answered with a link to another host, in the header `location`. */
  isLink?: boolean;
}

export interface RestAnswer<T> {
  /** null on 304: what was read before still holds. */
  fresh: { value: T; etag: string | null } | null;
  /** Where a redirect led, null without one. */
  redirectedTo: string | null;
}

export interface GraphqlQuestion<T> {
  operation: string;
  query: string;
  variables: Record<string, string | number | boolean | null | readonly string[] | object>;
  /** Whether to ask the same again after a failure. */
  retry: boolean;
  /** Converts data and the errors about parts of it into facts; `header` gives one of the answer, null without it. */
  read(data: unknown, errors: PartError[], header: (name: string) => string | null): T;
}

/** Why a part of a GraphQL answer is missing. */
export interface PartError {
  type: string;
  message?: string;
  path: (string | number)[];
}

export interface Transport {
  /** Sends one request (with retries), conditionally when an `etag` is given. Throws `Problem`. */
  rest<T>(question: RestQuestion<T>, etag?: string | null): Promise<RestAnswer<T>>;
  /** Queries GraphQL; partial answers are given with their errors. Throws `Problem` when there is no data at all. */
  graphql<T>(question: GraphqlQuestion<T>): Promise<T>;
  /** Logs what was excluded from a list of a GraphQL answer; of REST lists `rest` does. */
  warnExcluded(operation: string, excluded: Excluded | null): void;
}

export interface TransportOptions {
  apiUrl: string;
  graphqlUrl: string;
  token: string;
  tokenHash: string;
  clock: Clock;
  log: Log;
  pool: TokenPool;
  agent: Agent;
  timing: Timing;
  background: boolean;
  onRequest(record: RequestRecord): void;
  /** The platform rejected the token; called before the caller gets the error. */
  onRejected(): Promise<void>;
}

/** The one way to the platform: two verbs that share token, places, budget and failure table. */
export function createTransport(options: TransportOptions): Transport {
  // Most requests of callers send none to the platform: what was read before still holds.
  let client: ReturnType<typeof createOctokit> | undefined;
  const octokit = () => (client ??= createOctokit(options));
  const endpoint = { baseUrl: new URL(options.graphqlUrl).origin, url: options.graphqlUrl };
  const { timing } = options;
  const exchange = (
    overrides: Pick<ExchangeOptions, 'operation' | 'resource' | 'attemptMs' | 'totalMs' | 'isLink'>,
  ) => {
    assertRequestable();
    noteRequested();
    const made = new Exchange({ ...options, ...overrides });
    return { exchange: made, fetch: made.fetch };
  };
  const failure = async (operation: string, error: unknown) => {
    const explained = explain(options, operation, error);
    if (explained instanceof Problem && explained.code === 'unauthenticated') await options.onRejected();
    return explained;
  };
  const warnExcluded = (operation: string, excluded: Excluded | null) => {
    if (excluded) options.log.warn({ operation, ...excluded }, 'items excluded');
  };
  return {
    warnExcluded,
    async rest(question, etag) {
      const { operation, route, params, once = false, resource = 'core', isLink = false } = question;
      const headers = { ...apiVersion, ...(etag ? { 'if-none-match': etag } : {}) };
      const times = { attemptMs: timing.restAttemptMs, totalMs: timing.restTotalMs };
      const plain = exchange({ operation, resource, isLink, ...times });
      const request = once ? { ...plain, once, retries: 0 } : plain;
      const { method, url: requestedUrl } = octokit().request.endpoint(route, params);
      try {
        const answer = await whilePending({ operation, method, url: requestedUrl }, () =>
          octokit().request(route, { ...params, headers, request }),
        );
        const value = question.read(answer.data, answer.headers);
        if (isReadableItems(value)) warnExcluded(operation, value.excluded);
        return { fresh: { value, etag: answer.headers.etag ?? null }, redirectedTo: moved(requestedUrl, answer.url) };
      } catch (error) {
        if (etag && isRequestFailure(error) && error.status === 304) return { fresh: null, redirectedTo: null };
        const denial = question.fromError ? plainError(error, question.errorStatuses) : null;
        const value = denial && question.fromError?.(denial);
        if (denial && value) return { fresh: { value, etag: null }, redirectedTo: moved(requestedUrl, denial.url) };
        throw (once && toRejection(error)) || (await failure(operation, error));
      }
    },
    async graphql({ operation, query, variables, retry, read }) {
      const times = { attemptMs: timing.graphqlAttemptMs, totalMs: timing.graphqlTotalMs };
      const sent = exchange({ operation, resource: 'graphql', ...times });
      const header = (name: string) => sent.exchange.answered?.get(name) ?? null;
      const request = {
        ...sent,
        // The retry plugin repeats errors too when a number above 0 is given here.
        ...(retry ? {} : { retries: 0 }),
      };
      try {
        const data = await whilePending({ operation, method: 'POST', url: options.graphqlUrl }, () =>
          octokit().graphql.defaults(endpoint)(query, { ...variables, headers: apiVersion, request }),
        );
        noteBudget(options.pool, data);
        return read(data, [], header);
      } catch (error) {
        const part = findPart(error);
        if (!part) throw await failure(operation, error);
        noteBudget(options.pool, part.data);
        return await understood(failure, operation, part.errors, () => read(part.data, part.errors, header));
      }
    },
  };
}

const apiVersion = { 'x-github-api-version': '2022-11-28' };

/** What an answer with errors contains all the same; null where there is no data. */
function findPart(error: unknown): { data: object; errors: PartError[] } | null {
  if (error instanceof GraphqlResponseError && error.data) {
    return { data: error.data, errors: (error.errors ?? []) as PartError[] };
  }
  // An answer whose first error says that something went wrong: the retry plugin makes it a failure of the server.
  if (!isRequestFailure(error) || error.response?.status !== 200) return null;
  const { data: answer } = answerWithErrors.safeParse(error.response.data);
  return answer ?? null;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const answerWithErrors = z.object({ data: z.looseObject({}), errors: z.array(z.custom<PartError>(isObject)) });

const moved = (requestedUrl: string, answered: string) => (new URL(requestedUrl).href === answered ? null : answered);

type Failure = (operation: string, error: unknown) => Promise<unknown>;

/** Reads an answer that came with errors. Where the platform gave up on what is needed, that is the failure. */
async function understood<T>(failure: Failure, operation: string, errors: PartError[], read: () => T): Promise<T> {
  try {
    return read();
  } catch (error) {
    const isTruncated = error instanceof ZodError && errors.some(dependsOnSize);
    throw await failure(operation, isTruncated ? new MissingFields(fieldsIn([error]), errors) : error);
  }
}

/** Queries ask for their price; what is left is remembered. A server without limits answers null. */
function noteBudget(pool: TokenPool, data: unknown): void {
  const { data: left } = pricedAnswer.safeParse(data);
  if (left) pool.budget.note('graphql', left.rateLimit);
}

const pricedAnswer = z.object({
  rateLimit: z.object({ limit: z.number(), remaining: z.number(), resetAt: instant }),
});

/**
 * The problem behind an error, with the request that failed as its cause; a defect of this service stays what it is.
 */
function explain(options: TransportOptions, operation: string, error: unknown): unknown {
  const problem = problemBehind(options, operation, error);
  if (problem instanceof Problem) problem.cause ??= failedRequest(operation, error, options.graphqlUrl);
  return problem;
}

function problemBehind({ clock, log }: TransportOptions, operation: string, error: unknown): unknown {
  const problem = toProblem(operation, error, clock.now());
  if (error !== problem && problem instanceof Problem && problem.code === 'upstream_unavailable') {
    const { upstream_status: status = null, upstream_fields: fields } = problem.details ?? {};
    log.warn({ operation, status, fields }, fields ? 'unreadable answer' : 'platform unavailable');
  }
  return problem;
}

function toProblem(operation: string, error: unknown, now: Instant): unknown {
  if (error instanceof ZodError) return unreadableFields(operation, fieldsIn([error]));
  if (error instanceof MissingFields) return toMissingProblem(operation, error);
  if (isRequestFailure(error) || error instanceof GraphqlResponseError) return problemFrom(operation, error, now);
  return error;
}
