import { redirect } from 'react-router';
import type { Context } from '../access/context.ts';
import { localPath } from '../access/sign-in-flow.ts';
import { parseScopes } from '../platform/env.ts';
import type { Problem } from '../platform/problem.ts';
import { errorHeaders } from './error-body.ts';

/** Where a caller is sent who cannot be helped on this page; null when its own text helps. */
export function redirectFor(context: Context, problem: Problem): Response | null {
  const target = placeToGo(context, problem);
  return target === null ? null : redirect(target, { headers: errorHeaders(problem, context) });
}

function placeToGo(context: Context, { code, details }: Problem): string | null {
  if (code === 'no_groups') return '/no-access';
  if (code === 'org_not_allowed') return '/login?error=org_not_allowed';
  if (code !== 'unauthenticated') return null;
  const back = context.method === 'GET' ? `${context.url.pathname}${context.url.search}` : '/';
  const query = new URLSearchParams();
  if (back !== '/') query.set('return_to', back);
  if (details?.reason) query.set('reason', details.reason);
  return query.size > 0 ? `${signInPath(context)}?${query}` : signInPath(context);
}

/** Where people sign in: with a token of their own, or through the platform. */
export const signInPath = ({ services: { env } }: Pick<Context, 'services'>): '/setup' | '/login' =>
  env.MODE === 'standalone' ? '/setup' : '/login';

/** What the platform will ask people to allow; empty for an app with permissions of its own. */
export const requestedScopes = ({ services: { env } }: Pick<Context, 'services'>): string[] => parseScopes(env);

/** Where a query or a form wants to go on to afterwards: a path of this site, or the start page. */
export const returnTo = (given: URLSearchParams | FormData): string => localPath(given.get('return_to'));
