import { createHash } from 'node:crypto';
import { sendsToken } from '../access/bearer.ts';
import type { Context, Reply } from '../access/context.ts';
import type { Operation } from '../api/operation.ts';
import { operations } from '../api/registry.ts';
import { Problem } from '../platform/problem.ts';
import { toCsv, wantsCsv } from './csv.ts';
import { readRequest } from './input.ts';
import { matcher } from './match.ts';
import { emptyReply, perform } from './perform.ts';
import { refusalBody, refusalHeaders, refusalOf } from './refusal.ts';

const match = matcher(operations);

/** The JSON door: answers every `/api/*` request, the refused ones included. */
export async function answer(context: Context, request: Request): Promise<Response> {
  const reply = emptyReply();
  try {
    const { operation, params, allowed } = match(context.method, context.url.pathname);
    if (!operation) throw await refuseUnknown(context, allowed);
    const body = await perform(operation, () => readRequest(context, request, params), context, reply);
    if (body instanceof Response) return body;
    if (!isPublic(operation)) await renewSession(context, reply);
    return success(operation, body, context, reply);
  } catch (error) {
    const problem = await refusalOf(error, context);
    const headers = refusalHeaders(problem, context);
    for (const [name, value] of reply.headers) if (name.startsWith('ratelimit')) headers.set(name, value);
    return Response.json(refusalBody(problem, context.requestId), { status: problem.status, headers });
  }
}

/** What is not declared does not exist; only a caller who is signed in is told so. A preflight carries no cookie. */
async function refuseUnknown(context: Context, allowed: string[]): Promise<Problem> {
  const isOpen = operations.some((one) => one.path === context.url.pathname && isPublic(one));
  const isPreflight = context.method === 'OPTIONS' && allowed.length > 0;
  if (!isOpen && !isPreflight) await context.actor();
  if (allowed.length > 0)
    return new Problem('method_not_allowed', `Only ${allowed.join(', ')} can be used here.`, { details: { allowed } });
  return new Problem('not_found', 'There is nothing at this address.');
}

const isPublic = ({ access }: Operation) => access.name === 'anyone';

function success(operation: Operation, body: unknown, context: Context, reply: Reply): Response {
  const { headers, status } = reply;
  const rows = wantsCsv(context) ? operation.rows?.(body) : undefined;
  const text = rows ? toCsv(rows) : JSON.stringify(body);
  const revalidated = operation.method === 'GET' && /^\/api\/(codehost|db)\//.test(operation.path);
  headers.set('Cache-Control', operation.cache ?? (revalidated ? 'private, no-cache' : 'private, no-store'));
  if (revalidated) {
    headers.set('Vary', 'Cookie, Authorization');
    headers.set('ETag', `W/"${createHash('sha1').update(text).digest('base64url')}"`);
    if (context.headers.get('if-none-match') === headers.get('ETag'))
      return new Response(null, { status: 304, headers });
  }
  headers.set('Content-Type', rows ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
  return new Response(context.method === 'HEAD' ? null : text, { status, headers });
}

/** A cookie sealed with an earlier secret is sealed again with the newest. */
async function renewSession({ services, headers }: Context, reply: Reply): Promise<void> {
  if (sendsToken(headers) || !services.sessions.present(headers)) return;
  const opened = await services.sessions.open(headers);
  if (opened?.outdated) reply.headers.append('Set-Cookie', services.sessions.cookie(opened.session));
}
