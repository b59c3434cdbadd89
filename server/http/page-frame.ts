import { randomBytes } from 'node:crypto';
import { data, type RouterContextProvider } from 'react-router';
import type { Context } from '../access/context.ts';
import { type Feature, type FeatureKey, features } from '../access/features.ts';
import type { Problem } from '../platform/problem.ts';
import { type Chrome, chrome } from './chrome.ts';
import { demoContext } from './context.ts';
import { contentSecurityPolicy } from './headers.ts';
import { decidePage } from './page-access.ts';
import { refusalOfPage } from './page-status.ts';
import { type Refusal, refusalBody, refusalHeaders, refusalOf } from './refusal.ts';
import { renewSession } from './renewal.ts';
import { nonceContext, refusedContext, requestContext } from './router-context.ts';
import { isApi } from './serve.ts';
import { wayOut } from './way-out.ts';

/** What is drawn in the place of a page that does not open. */
export interface RefusedPage {
  chrome: Chrome;
  refusal: Refusal;
  /** What is not granted; null where the refusal is about something else. */
  feature: Pick<Feature, 'label' | 'description'> | null;
}

/** Around every page and its data: which world it shows, which scripts it may run, and how it is answered. */
export async function framePage(
  provider: Readonly<RouterContextProvider>,
  next: () => Promise<Response>,
): Promise<Response> {
  const asked = provider.get(requestContext);
  // The JSON door frames and refuses by itself.
  if (isApi(asked.url.pathname)) return next();
  const context = /^\/demo(\/|\.data$|$)/.test(asked.url.pathname) ? demoContext(asked) : asked;
  provider.set(requestContext, context);
  const nonce = randomBytes(16).toString('base64url');
  provider.set(nonceContext, nonce);
  const response = await next();
  await renewSession(context, response.headers);
  response.headers.set('Content-Security-Policy', contentSecurityPolicy(nonce, context.services.env));
  response.headers.set('Cache-Control', 'private, no-store');
  const refused = provider.get(refusedContext);
  if (refused) for (const [key, value] of refusalHeaders(refused, context)) response.headers.set(key, value);
  return refusalOfPage(context, response);
}

/**
 * Inside the frame, before a page's loaders: whether the caller may open it. Who is not signed in, in no group or no
 * longer welcome is sent on; another refusal is a page that says what is missing.
 */
export async function guardPage(
  provider: Readonly<RouterContextProvider>,
  pattern: string,
  next: () => Promise<Response>,
): Promise<Response> {
  const context = provider.get(requestContext);
  if (isApi(context.url.pathname)) return next();
  const denied = provider.get(refusedContext);
  if (denied) throw data(null, { status: denied.status });
  try {
    await decidePage(context, pattern.replace(/^\//, ''));
  } catch (error) {
    const problem = refusalOf(error, context);
    const out = wayOut(context, problem);
    if (out) throw out;
    provider.set(refusedContext, problem);
    throw data(await refusedPage(problem, context), { status: problem.status });
  }
  return next();
}

async function refusedPage(problem: Problem, context: Context): Promise<RefusedPage> {
  const { flag = '' } = problem;
  return {
    chrome: await chrome(context),
    refusal: refusalBody(problem, context.requestId),
    feature: Object.hasOwn(features, flag) ? features[flag as FeatureKey] : null,
  };
}
