import { randomBytes } from 'node:crypto';
import { data, type RouterContextProvider, redirect } from 'react-router';
import type { Context } from '../access/context.ts';
import { type Feature, type FeatureKey, features } from '../access/features.ts';
import { isElsewhere } from '../access/same-site.ts';
import { renewSession } from '../access/session.ts';
import type { Problem } from '../platform/problem.ts';
import { noteOperation } from '../platform/request-record.ts';
import { demoContext } from './context.ts';
import { type ErrorBody, errorHeaders, toErrorBody, toProblem } from './error-body.ts';
import { contentSecurityPolicy } from './headers.ts';
import { findSharedAddress } from './old-parameters.ts';
import { decidePage } from './page-access.ts';
import { loadPageContext, type PageContext } from './page-context.ts';
import { toErrorResponse } from './page-status.ts';
import { recentCookie } from './recent.ts';
import { redirectFor } from './redirect.ts';
import { nonceContext, problemContext, requestContext } from './router-context.ts';
import { isApi } from './serve.ts';
import { assertSituation } from './situation.ts';

/** What is drawn in the place of a page that does not open. */
export interface ErrorPage {
  pageContext: PageContext;
  problem: ErrorBody;
  /** What is not granted; null where the error is about something else. */
  feature: Pick<Feature, 'label' | 'description'> | null;
  /** Where forms work. */
  appUrl: string;
  /** Whether the browser was somewhere else. */
  isElsewhere: boolean;
}

/** Around every page and its data: which world it shows, which scripts it may run, and how it is answered. */
export async function framePage(
  provider: Readonly<RouterContextProvider>,
  next: () => Promise<Response>,
): Promise<Response> {
  const current = provider.get(requestContext);
  // The JSON adapter sets its headers and rejects by itself.
  if (isApi(current.url.pathname)) return next();
  const isDemo = /^\/demo(\/|\.data$|$)/.test(current.url.pathname);
  const context = isDemo ? demoContext(current) : current;
  provider.set(requestContext, context);
  const nonce = randomBytes(16).toString('base64url');
  provider.set(nonceContext, nonce);
  const response = await next();
  await renewSession(context, response.headers);
  const cookie = response.status === 200 ? recentCookie(context) : null;
  if (cookie) response.headers.append('Set-Cookie', cookie);
  response.headers.set('Content-Security-Policy', contentSecurityPolicy(nonce, context.services.env));
  response.headers.set('Cache-Control', 'private, no-store');
  const problem = provider.get(problemContext);
  if (problem) for (const [key, value] of errorHeaders(problem, context)) response.headers.set(key, value);
  return toErrorResponse(context, response);
}

/**
 * Inside the frame, before a page's loaders: whether the caller may open it. Who is not signed in, in no group or no
 * longer welcome is sent on; another error is a page that names what is missing.
 */
export async function guardPage(
  provider: Readonly<RouterContextProvider>,
  pattern: string,
  next: () => Promise<Response>,
): Promise<Response> {
  const context = provider.get(requestContext);
  if (isApi(context.url.pathname)) return next();
  noteOperation(context.method, `/${pattern.replace(/^\//, '')}`);
  const denied = provider.get(problemContext);
  if (denied) {
    const isExplained = denied.code === 'csrf_rejected';
    throw data(isExplained ? await errorPage(denied, context) : null, { status: denied.status });
  }
  const shared = context.method === 'POST' ? null : findSharedAddress(pattern, context.url);
  if (shared) throw redirect(shared, 308);
  try {
    assertSituation(context);
    await decidePage(context, pattern.replace(/^\//, ''));
  } catch (error) {
    const problem = toProblem(error, context);
    const out = redirectFor(context, problem);
    if (out) throw out;
    provider.set(problemContext, problem);
    throw data(await errorPage(problem, context), { status: problem.status });
  }
  return next();
}

async function errorPage(problem: Problem, context: Context): Promise<ErrorPage> {
  const { flag = '' } = problem;
  return {
    pageContext: await loadPageContext(context),
    problem: toErrorBody(problem, context.requestId, context.services.env),
    feature: Object.hasOwn(features, flag) ? features[flag as FeatureKey] : null,
    appUrl: context.services.env.APP_URL,
    isElsewhere: isElsewhere(context),
  };
}
