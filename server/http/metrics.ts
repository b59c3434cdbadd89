import type { Context } from '../access/context.ts';
import { assertMetricsBearer } from '../access/machines.ts';
import { negotiateFormat } from '../openmetrics/negotiation.ts';
import { contentTypes } from '../platform/exposition.ts';
import { Problem } from '../platform/problem.ts';
import { noteOperation } from '../platform/request-record.ts';
import type { Outgoing } from './answer.ts';
import { errorHeaders, toErrorBody, toProblem } from './error-body.ts';

/** The one address that scrapers request. */
export const isMetrics = (path: string): boolean => path === '/metrics';

/** Answers `/metrics` to whoever sends `METRICS_TOKEN`. */
export const answerMetrics = (context: Context): Promise<Outgoing> =>
  answered(context, async () => {
    await assertMetricsBearer(context);
    return exposed(context);
  });

/** Answers on the listener of `METRICS_LISTEN`, which serves `/metrics` to everybody, and nothing else. */
export const answerInternally = (context: Context): Promise<Outgoing> =>
  answered(context, async () => {
    if (!isMetrics(context.url.pathname)) throw new Problem('not_found', 'Not found.');
    return exposed(context);
  });

async function answered(context: Context, work: () => Promise<Outgoing>): Promise<Outgoing> {
  try {
    return await work();
  } catch (error) {
    const problem = toProblem(error, context);
    const headers = errorHeaders(problem, context);
    headers.set('Content-Type', 'application/json; charset=utf-8');
    if (problem.status === 401) headers.set('WWW-Authenticate', 'Bearer');
    const body = JSON.stringify(toErrorBody(problem, context.requestId, context.services.env));
    return { status: problem.status, headers, body: context.method === 'HEAD' ? null : body };
  }
}

async function exposed({ method, headers: requested, services }: Context): Promise<Outgoing> {
  if (method !== 'GET' && method !== 'HEAD') {
    const allowed = ['GET', 'HEAD'];
    throw new Problem('method_not_allowed', 'Only GET, HEAD can be used here.', { details: { allowed } });
  }
  noteOperation(method, '/metrics');
  const format = negotiateFormat(requested.get('accept'));
  const body = await services.metrics.read(format);
  const headers = new Headers({ 'Content-Type': contentTypes[format], 'Cache-Control': 'no-store', Vary: 'Accept' });
  return { status: 200, headers, body: method === 'HEAD' ? null : body };
}
