import type { Context, Reply } from '../access/context.ts';
import { assertCronBearer, isForScheduler } from '../access/machines.ts';
import type { Access } from '../access/rules.ts';
import { accessTokenBearer, platformSignature, sharedAddress } from '../access/rules.ts';
import { renewSession } from '../access/session.ts';
import type { Operation } from '../api/operation.ts';
import { operations } from '../api/registry.ts';
import { Problem } from '../platform/problem.ts';
import { noteOperation } from '../platform/request-record.ts';
import { getDemo } from '../reports/demo/operations.ts';
import { readNextPage, toFileInput, toFirstPage } from './all-pages.ts';
import { isUnencrypted } from './context.ts';
import { allowOrigin, answerPreflight } from './cross-origin.ts';
import { errorHeaders, toErrorBody, toProblem } from './error-body.ts';
import { admit, emptyReply, perform } from './execute.ts';
import { allowAsImage, inertPolicy } from './headers.ts';
import { type RawInput, type RequestBody, readAddress, readBytes, readRequest } from './input.ts';
import { type Match, matcher } from './match.ts';
import { represent, representAllPages, requestsAllPages } from './representation.ts';
import { readSigned } from './signed-body.ts';

/**
 * An answer before it is bytes. A `Response` is one too; making one costs more than the rest of a small answer, so the
 * JSON adapter does without until somebody wants one.
 */
export interface Outgoing {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | ReadableStream<Uint8Array> | null;
  /** Whether the body is made while it is sent. */
  readonly isMadeOnTheWay?: boolean;
}

export const toResponse = (outgoing: Outgoing): Response =>
  outgoing instanceof Response
    ? outgoing
    : new Response(outgoing.body, { status: outgoing.status, headers: outgoing.headers });

const match = matcher(operations);

/** The JSON adapter: answers every `/api/*` request, the rejected ones included. */
export async function answer(context: Context, request: RequestBody): Promise<Outgoing> {
  const found = match(context.method, context.url.pathname);
  const outgoing = answerPreflight(found, context) ?? (await answerMatched(found, context, request));
  allowOrigin(found, context, outgoing);
  outgoing.headers.set('Content-Security-Policy', inertPolicy);
  if (found.operation?.svg) allowAsImage(outgoing.headers);
  return outgoing;
}

/** The same of the sample organization, for what its pages offer as files: the reports. */
export function answerDemo(context: Context, request: RequestBody): Promise<Outgoing> {
  const found = match(context.method, context.url.pathname.replace(/^\/demo/, ''));
  const { operation } = found;
  const isOffered = operation !== null && (operation.rows ?? operation.diff) !== undefined && isReport(operation);
  const limited = isOffered && found.operation ? { ...found.operation, limit: getDemo.limit } : null;
  return answerMatched({ ...found, operation: limited, allowed: [] }, context, request);
}

const isReport = ({ method, path }: Operation): boolean =>
  method === 'GET' && /^\/api\/(advisor|ai-authorship|codehost|db|explain|exposure)(\/|$)/.test(path);

async function answerMatched(
  { operation, params, allowed }: Match,
  context: Context,
  request: RequestBody,
): Promise<Outgoing> {
  const reply = emptyReply();
  try {
    assertEncrypted(context);
    if (!operation) throw await denyUnknown(context, allowed);
    if (operation.isEnabled?.(context.services.env) === false) throw new Problem('not_found', 'Not found.');
    noteOperation(operation.method, operation.path);
    const read = readers.get(operation.access) ?? readRequest;
    const raw = () => read(context, request, params, operation);
    const requested = await admit(operation, raw, context, reply);
    const isWhole = requestsAllPages(operation, context);
    const input = isWhole ? toFileInput(operation, requested) : requested;
    const body = await perform(operation, input, context, reply);
    if (body instanceof Response) return isJson(body) ? atOnce(body) : body;
    if (!isPublic(operation) && !isForMachines(operation)) await renewSession(context, reply.headers);
    if (isWhole)
      return sendAllPages(operation, toFirstPage(operation, body, requested), {
        context,
        reply,
        readNext: readNextPage(operation, input, context),
      });
    return success(operation, body, context, reply);
  } catch (error) {
    const problem = toProblem(error, context);
    const headers = errorHeaders(problem, context);
    for (const [name, value] of reply.headers) if (/^(x-)?ratelimit-/.test(name)) headers.set(name, value);
    // No cookie takes part in it, so none is taken away either.
    if (operation && isForMachines(operation)) headers.delete('Set-Cookie');
    if (operation?.deniedPage && isBrowser(context)) {
      headers.set('Location', operation.deniedPage(problem));
      return { status: 302, headers, body: null };
    }
    headers.set('Content-Type', 'application/json; charset=utf-8');
    const answer = operation?.describeFailure?.(problem, context, headers) ?? {
      ...(operation?.includesOk && { ok: false }),
      ...toErrorBody(problem, context.requestId, context.services.env),
    };
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return { status: problem.status, headers, body: isBodiless(context) ? null : text };
  }
}

const isJson = ({ headers }: Response) => headers.get('content-type')?.startsWith('application/json') ?? false;

/** Sending a text takes a third of the time of sending it as a stream. */
const atOnce = async (response: Response): Promise<Outgoing> => ({
  status: response.status,
  headers: response.headers,
  body: await response.text(),
});

/** How the request of an operation is read, by who calls it; the others by `readRequest`. */
const readers = new Map<Access, typeof readRequest>([
  [platformSignature, readSigned],
  [accessTokenBearer, readMessage],
  [sharedAddress, readAddress],
]);

/** A script that sends its token in the clear must notice: it is not redirected. Probes and senders inside do. */
function assertEncrypted(context: Context): void {
  if (isInternal.test(context.url.pathname) || !isUnencrypted(context)) return;
  throw new Problem('invalid_request', `Use ${context.services.env.APP_URL}: without encryption nothing is answered.`, {
    details: { fields: [] },
  });
}

const isInternal = /^\/api\/(health|ready|webhooks|cron)(\/|$)/;

/** What is not declared does not exist; only a signed-in caller is answered so, or a scheduler with its secret. */
async function denyUnknown(context: Context, allowed: string[]): Promise<Problem> {
  if (allowed.length === 0 && isForScheduler(context.url)) assertCronBearer(context);
  else await assertMayRequest(context, allowed);
  if (allowed.length > 0)
    return new Problem('method_not_allowed', `Only ${allowed.join(', ')} can be used here.`, { details: { allowed } });
  if (context.services.env.MODE === 'organization') return new Problem('unregistered', 'Not found.');
  return new Problem('not_found', 'Not found.');
}

/** A preflight carries no cookie. */
async function assertMayRequest(context: Context, allowed: string[]): Promise<void> {
  const isOpen = operations.some((one) => one.path === context.url.pathname && (isPublic(one) || isForMachines(one)));
  const isPreflight = context.method === 'OPTIONS' && allowed.length > 0;
  if (!isOpen && !isPreflight) await context.actor();
}

/** What requires a secret of its own does not depend on sessions. */
const isForMachines = ({ access }: Operation) => machines.has(access.name);

const machines: ReadonlySet<string> = new Set(['bearer', 'signature', 'accessToken', 'feed', 'share']);

const isPublic = ({ access }: Operation) => access.name === 'anyone';

const isBrowser = ({ headers }: Context) => headers.get('accept')?.includes('text/html') ?? false;

const isBodiless = ({ method }: Context) => method === 'HEAD';

function success(operation: Operation, body: unknown, context: Context, reply: Reply): Outgoing {
  const { headers, status } = reply;
  const { contentType, disposition, text, tag } = represent(operation, body, context);
  const revalidated = operation.method === 'GET' && /^\/api\/(advisor|codehost|db)\//.test(operation.path);
  headers.set('Cache-Control', operation.cache ?? (revalidated ? 'private, no-cache' : 'private, no-store'));
  const depends = [
    ...(revalidated ? ['Cookie', 'Authorization'] : []),
    ...(operation.rows || operation.sarif || operation.diff ? ['Accept'] : []),
  ];
  if (depends.length > 0) headers.set('Vary', depends.join(', '));
  if (revalidated || operation.svg) {
    headers.set('ETag', tag());
    if (isKnown(tag(), context.headers.get('if-none-match'))) return { status: 304, headers, body: null };
  }
  headers.set('Content-Type', contentType);
  if (disposition) headers.set('Content-Disposition', disposition);
  return { status, headers, body: isBodiless(context) ? null : text };
}

interface Sending {
  context: Context;
  reply: Reply;
  readNext(body: unknown): Promise<unknown>;
}

/** Every page of a table as one file. */
function sendAllPages(operation: Operation, first: unknown, { context, reply, readNext }: Sending): Outgoing {
  const file = representAllPages(operation, first, { context, readNext });
  const { headers, status } = reply;
  headers.set('Cache-Control', 'private, no-store');
  headers.set('Vary', 'Cookie, Authorization, Accept');
  headers.set('Content-Type', file.contentType);
  headers.set('Content-Disposition', file.disposition);
  return { status, headers, body: isBodiless(context) ? null : file.body, isMadeOnTheWay: true };
}

/**
 * Whether `If-None-Match` names this tag: as one of several, or by `*`. Weak and strong tags are equal here
 * (RFC 9110 §13.1.2).
 */
function isKnown(tag: string, ifNoneMatch: string | null): boolean {
  if (ifNoneMatch === null) return false;
  const named: string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return ifNoneMatch.trim() === '*' || named.includes(tag.replace(/^W\//, ''));
}

/** Tool calls are short. */
const bodyLimit = 64 * 1024;

/** The text of a message, which the library of its protocol reads: what is wrong with it is answered in its words. */
async function readMessage(_context: Context, request: RequestBody): Promise<RawInput> {
  const message = (await readBytes(request, bodyLimit)).toString('utf8');
  return { values: { message }, duplicates: [], unknown: [] };
}
