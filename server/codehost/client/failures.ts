import { GraphqlResponseError } from '@octokit/graphql';
import { z } from 'zod';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { Problem, type ProblemCode, type ProblemDetails } from '../../platform/problem.ts';
import { deniedErrors, dependsOnSize, OverloadProblem } from './part-errors.ts';

/** What a failed request looks like; without `response` when no answer arrived. */
export interface RequestFailure extends Error {
  status: number;
  request: object;
  response?: { status: number; url: string; headers: Record<string, unknown>; data: unknown };
}

/** The upstream failure table: what the service answers when the platform did not give what was requested. */
export function problemFrom(
  operation: string,
  error: RequestFailure | GraphqlResponseError<unknown>,
  now: Instant,
): Problem {
  if (error instanceof GraphqlResponseError) return problemInAnswer(operation, error);
  const headers = getHeaders(error);
  const answered: ProblemDetails = error.response ? { upstream_status: error.response.status } : {};
  if (isLimit(error)) return limitReached(limitWait(headers, now), error.response?.status);
  if (error.status === 401) return limitProblem('unauthenticated', { ...answered, reason: 'token_rejected' });
  const sso = error.status === 403 ? ssoUrl(headers) : undefined;
  if (sso !== undefined) return limitProblem('sso_required', sso ? { ...answered, sso_url: sso } : answered);
  if (error.status >= 500) return overload(answered);
  return limitProblem(codeOfStatus[error.status] ?? 'upstream_unavailable', answered);
}

export const isRequestFailure = (error: unknown): error is RequestFailure =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' && 'request' in error;

/** A request to the platform that failed, as the log has it: without headers, which carry the token. */
export interface FailedRequest {
  operation: string;
  method?: string;
  url?: string;
  /** null when no answer arrived. */
  status?: number | null;
  error: string;
}

/** What can be determined of the request behind an error. */
export function failedRequest(operation: string, error: unknown, graphqlUrl: string): FailedRequest {
  if (error instanceof GraphqlResponseError)
    return { operation, method: 'POST', url: graphqlUrl, status: 200, error: error.message };
  const message = getMessage(error);
  if (!isRequestFailure(error)) return { operation, error: message };
  const { method, url } = error.request as { method?: string; url?: string };
  return { operation, method, url, status: error.response?.status ?? null, error: message };
}

/** The innermost message: it is the most specific. */
function getMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${getMessage(error.cause)}` : error.message;
}

/** An error that is about the thing requested: no limit, and no single sign-on. */
export interface PlainError {
  status: number;
  /** The platform's own sentence; empty without one. */
  message: string;
  /** The address that answered. */
  url: string;
}

/** The platform's message in a failure of these statuses that is about the thing requested; null for every other. */
export function plainError(error: unknown, statuses: readonly number[] = [403, 404]): PlainError | null {
  if (!isRequestFailure(error) || !error.response || isLimit(error)) return null;
  const { status, url, headers, data } = error.response;
  if (!statuses.includes(status) || (status === 403 && ssoUrl(headers) !== undefined)) return null;
  const { data: answer } = errorBody.safeParse(data);
  const details = (answer?.errors ?? []).flatMap((one) => errorDetail.safeParse(one).data?.message ?? []);
  return { status, url, message: [answer?.message ?? '', ...details].join(' ').trim() };
}

const errorBody = z.object({ message: z.string().catch(''), errors: z.array(z.unknown()).catch([]) });
const errorDetail = z.object({ message: z.string() });

/** Whether the platform answered that a limit is reached, in one of its many ways. */
export function isLimit(error: RequestFailure): boolean {
  if (error.status === 429) return true;
  const headers = getHeaders(error);
  const named = headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined;
  return error.status === 403 && (named || /secondary rate|abuse/i.test(error.message));
}

/** Seconds to wait before the next request; the platform's rule is a minute where it names none. */
export function limitWait(headers: Record<string, unknown>, now: Instant): number {
  const retryAfter = headers['retry-after'];
  const seconds = retryAfter === undefined ? Number.NaN : Number(retryAfter);
  if (!Number.isNaN(seconds)) return Math.max(1, Math.ceil(seconds));
  const until = typeof retryAfter === 'string' ? Date.parse(retryAfter) : readReset(headers);
  return Number.isNaN(until) ? 60 : Math.max(1, Math.ceil((until - now) / 1000));
}

/** The error of a reached limit; `status` when the platform reported it itself. */
export const limitReached = (waitSeconds: number, status?: number) =>
  limitProblem('upstream_rate_limited', {
    retry_after_s: waitSeconds,
    ...(status === undefined ? {} : { upstream_status: status }),
  });

/** The error of an answer of which these fields could not be read. */
export const unreadableFields = (operation: string, fields: readonly string[]) =>
  new Problem(
    'upstream_unavailable',
    `The GitHub response to "${operation}" could not be parsed: ${fields.join(', ')}.`,
    { details: { upstream_status: 200, upstream_operation: operation, upstream_fields: fields } },
  );

const codeOfStatus: Record<number, ProblemCode> = {
  403: 'upstream_forbidden',
  404: 'not_found',
  410: 'gone',
  451: 'legally_blocked',
};

const sentences = {
  unauthenticated: 'GitHub rejected the token. Sign in again.',
  sso_required: 'The organization requires single sign-on for this token.',
  upstream_forbidden: 'The token lacks permission for this on GitHub.',
  not_found: 'Not found on GitHub, or not visible to the token.',
  gone: 'This no longer exists on GitHub.',
  upstream_rejected: 'GitHub rejected the request.',
  legally_blocked: 'GitHub has blocked this for legal reasons.',
  upstream_rate_limited: 'The GitHub API rate limit of the token is exceeded.',
  upstream_unavailable: 'GitHub is not responding properly.',
} satisfies Partial<Record<ProblemCode, string>>;

const limitProblem = (code: ProblemCode, details: ProblemDetails) =>
  new Problem(code, sentences[code as keyof typeof sentences], { details });

const overload = (details: ProblemDetails) =>
  new OverloadProblem('upstream_unavailable', sentences.upstream_unavailable, { details });

/** The verdict of the platform on what was sent to it: a 422, with the fields it names; null for other failures. */
export function toRejection(error: unknown): Problem | null {
  if (!isRequestFailure(error) || error.response?.status !== 422) return null;
  return limitProblem('upstream_rejected', { upstream_status: 422, upstream_fields: listFields(error) });
}

function listFields({ response }: RequestFailure): string[] {
  const { data } = z.object({ errors: z.array(z.unknown()) }).safeParse(response?.data);
  const fields = (data?.errors ?? []).flatMap((one) => {
    const { data: named } = z.object({ field: z.string().regex(/^\w{1,40}$/) }).safeParse(one);
    return named ? [named.field] : [];
  });
  return [...new Set(fields)];
}

const getHeaders = (error: RequestFailure): Record<string, unknown> => error.response?.headers ?? {};

const readReset = (headers: Record<string, unknown>) =>
  headers['x-ratelimit-remaining'] === '0' ? Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1000 : Number.NaN;

/** undefined when single sign-on is not the matter, '' when the platform names no address. */
function ssoUrl(headers: Record<string, unknown>): string | undefined {
  const header = headers['x-github-sso'];
  if (typeof header !== 'string') return undefined;
  return /\burl=(https?:\/\/[^\s;,]+)/.exec(header)?.[1] ?? '';
}

function problemInAnswer(operation: string, error: GraphqlResponseError<unknown>): Problem {
  const sso = ssoUrl(error.headers as Record<string, unknown>);
  if (sso !== undefined) {
    return limitProblem('sso_required', sso ? { upstream_status: 200, sso_url: sso } : { upstream_status: 200 });
  }
  return toMissingProblem(operation, new MissingFields(['data'], error.errors ?? []));
}

/** A GraphQL answer lacks fields that whoever reads it cannot do without. */
export class MissingFields extends Error {
  readonly fields: readonly string[];
  readonly errors: readonly AnswerError[];
  /** `errors` are those of the answer that may show why. */
  constructor(fields: readonly string[], errors: readonly AnswerError[]) {
    super(`The response has no ${fields.join(', ')}.`);
    this.fields = fields;
    this.errors = errors;
  }
}

/** The platform gave up on parts of an answer, for the reasons that its errors give. */
export function toPartProblem(operation: string, errors: readonly AnswerError[]): Problem {
  const problem = overload({ upstream_status: 200 });
  const messages = [...new Set(errors.map(({ type, message }) => message ?? type))].join('; ');
  problem.cause = { operation, method: 'POST', status: 200, error: messages } satisfies FailedRequest;
  return problem;
}

interface AnswerError {
  type: string;
  message?: string;
}

/** What the errors of an answer without these fields mean, if they mean anything that is known. */
export function toMissingProblem(operation: string, { fields, errors }: MissingFields): Problem {
  if (errors.some(isSignOnFailure)) return limitProblem('sso_required', { upstream_status: 200 });
  if (errors.some(dependsOnSize)) return overload({ upstream_status: 200 });
  const code = errors.map(({ type }) => codeOfType[type]).find((known) => known !== undefined);
  return code ? limitProblem(code, { upstream_status: 200 }) : unreadableFields(operation, fields);
}

/** What it means that a list has items and none of them could be read; `fields` are what they lack. */
export function problemOfUnreadItems(
  operation: string,
  fields: readonly string[],
  errors: readonly AnswerError[],
): Problem {
  if (errors.some(isSignOnFailure)) return limitProblem('sso_required', { upstream_status: 200 });
  const isDenied = errors.length > 0 && errors.every(({ type }) => deniedErrors.has(type));
  if (!isDenied) return unreadableFields(operation, fields);
  const details = { upstream_status: 200, upstream_operation: operation, upstream_fields: fields };
  return limitProblem('upstream_forbidden', details);
}

const codeOfType: Record<string, ProblemCode> = {
  NOT_FOUND: 'not_found',
  FORBIDDEN: 'upstream_forbidden',
  INSUFFICIENT_SCOPES: 'upstream_forbidden',
};

const isSignOnFailure = (error: { type: string; message?: string; extensions?: Record<string, unknown> }) =>
  error.extensions?.saml_failure === true || /SAML enforcement/i.test(error.message ?? '');
