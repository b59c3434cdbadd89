import { sendsToken } from '../access/bearer.ts';
import type { Context } from '../access/context.ts';
import { endSession } from '../access/ending.ts';
import { Problem, type ProblemCode, type ProblemDetails } from '../platform/problem.ts';
import { isDatabaseUnavailable } from '../store/failure.ts';

/** The body of every answer that is not a success. */
export interface Refusal {
  error: string;
  code: ProblemCode;
  flag?: string;
  details?: ProblemDetails;
  request_id: string;
}

/** Turns whatever was thrown into an expected refusal; a defect is logged and answered without its words. */
export async function refusalOf(error: unknown, context: Context): Promise<Problem> {
  const problem = asProblem(error, context);
  if (problem.details?.reason === 'token_rejected') await endRejected(context);
  return problem;
}

function asProblem(error: unknown, { services, requestId }: Context): Problem {
  if (error instanceof Problem) return error;
  services.log.error({ err: error, request_id: requestId }, 'a request failed');
  if (isDatabaseUnavailable(error))
    return new Problem('db_unavailable', 'The database cannot be reached right now.', {
      details: { retry_after_s: 10 },
    });
  return new Problem('internal', 'Something went wrong here. The request id helps to find it in the log.');
}

/** A token that the platform rejects ends the session that carried it; that this fails does not change the answer. */
async function endRejected(context: Context): Promise<void> {
  try {
    await endSession(context, 'token_rejected');
  } catch (error) {
    context.services.log.error({ err: error }, 'a session could not be ended');
  }
}

export const refusalBody = ({ message, code, flag, details }: Problem, requestId: string): Refusal => ({
  error: message,
  code,
  ...(flag && { flag }),
  ...(details && { details }),
  request_id: requestId,
});

export function refusalHeaders(
  { code, details }: Problem,
  { services: { sessions }, headers: asked }: Context,
): Headers {
  const headers = new Headers({ 'Cache-Control': 'private, no-store' });
  if (details?.retry_after_s) headers.set('Retry-After', String(details.retry_after_s));
  if (code === 'method_not_allowed') headers.set('Allow', (details?.allowed ?? []).join(', '));
  const isOver = code === 'unauthenticated' || code === 'org_not_allowed';
  if (isOver && !sendsToken(asked) && sessions.present(asked)) headers.set('Set-Cookie', sessions.cleared);
  return headers;
}
