import type { Context } from '../access/context.ts';
import { sendsToken } from '../access/machines.ts';
import { feedToken } from '../access/own-bearer.ts';
import type { Env } from '../platform/env.ts';
import { nameHost } from '../platform/host-name.ts';
import { Problem, type ProblemCode, type ProblemDetails } from '../platform/problem.ts';
import { httpRefusals } from '../platform/process-metrics.ts';
import { isDatabaseUnavailable, isTooSlow } from '../store/failure.ts';

/** The body of every answer that is not a success. */
export interface ErrorBody {
  error: string;
  code: ProblemCode;
  flag?: string;
  details?: ProblemDetails;
  request_id: string;
}

/** Converts whatever was thrown into an expected error, and counts it; a defect is logged and answered without its message. */
export function toProblem(error: unknown, context: Context): Problem {
  const problem = asProblem(error, context);
  httpRefusals.add({ code: problem.code });
  if (problem === error && unavailable.has(problem.status)) logUnavailable(problem, context);
  return problem;
}

const unavailable = new Set([502, 503]);

/** Logs why something is not available, and which request to the platform failed, where one did. */
function logUnavailable(problem: Problem, { services: { log }, requestId }: Context): void {
  const { status, code } = problem;
  // What a provider of email answers may hold addresses; it is for the caller alone.
  const cause = code === 'provider_error' ? 'the provider rejected the request' : rootCause(problem);
  log.warn({ status, code, cause, request_id: requestId }, 'a request could not be answered');
}

const rootCause = ({ cause, message }: Error): unknown =>
  cause instanceof Error ? rootCause(cause) : (cause ?? message);

function asProblem(error: unknown, { services, requestId, signal }: Context): Problem {
  if (error instanceof Problem) return error;
  if (signal.aborted) return new Problem('client_closed_request', 'You went away before the answer.');
  services.log.error({ err: error, request_id: requestId }, 'a request failed');
  if (isDatabaseUnavailable(error))
    return new Problem('db_unavailable', 'The database cannot be reached right now.', {
      details: { retry_after_s: 10 },
    });
  if (isTooSlow(error))
    return new Problem('db_unavailable', 'The database took too long. Try again shortly.', {
      details: { retry_after_s: 10 },
    });
  return new Problem('internal', 'Something went wrong. Use the request ID to find it in the log.');
}

export const toErrorBody = (
  { message, code, flag, details }: Problem,
  requestId: string,
  env: Pick<Env, 'CODEHOST_WEB_URL'>,
): ErrorBody => ({
  error: nameHost(message, env),
  code,
  ...(flag && { flag }),
  ...(details && { details }),
  request_id: requestId,
});

export function errorHeaders(
  { code, details }: Problem,
  { services: { sessions }, headers: requestHeaders, url }: Context,
): Headers {
  const headers = new Headers({ 'Cache-Control': 'private, no-store' });
  if (details?.retry_after_s) headers.set('Retry-After', String(details.retry_after_s));
  if (code === 'method_not_allowed') headers.set('Allow', (details?.allowed ?? []).join(', '));
  const isOver = code === 'unauthenticated' || code === 'org_not_allowed';
  const isByToken = sendsToken(requestHeaders) || feedToken(url) !== null;
  if (isOver && !isByToken && sessions.present(requestHeaders)) headers.set('Set-Cookie', sessions.cleared);
  return headers;
}
