import { z } from 'zod';
import { beginFlow, finishFlow, type SignInError } from '../../access/organization-sign-in.ts';
import { anyone } from '../../access/rules.ts';
import { localPath } from '../../access/sign-in-flow.ts';
import type { Problem } from '../../platform/problem.ts';
import { operation, perMinute } from '../operation.ts';

const nothing = z.object({});

/** A person at a browser who may not go on reads why on the page of sign-in. */
const backToSignIn = ({ code }: Problem) => loginWith(code === 'rate_limited' ? 'rate_limited' : 'server');

export const beginLogin = operation({
  method: 'GET',
  path: '/api/auth/login',
  summary: 'Start sign-in with GitHub',
  access: anyone,
  limit: perMinute('auth-login', 10, { per: 'address', counts: 'before' }),
  deniedPage: backToSignIn,
  successes: { 302: 'Redirects to GitHub; in standalone mode to `/setup`.' },
  headers: ['Location', 'Set-Cookie'],
  input: z.object({
    return_to: z
      .string()
      .optional()
      .meta({ description: 'A path of this site to go on to; anything else is ignored.' }),
  }),
  output: nothing,
  async run({ return_to }, context) {
    if (context.services.env.MODE === 'standalone') return redirectTo('/setup');
    const { location, cookie } = await beginFlow(context, localPath(return_to));
    return redirectTo(location.href, cookie);
  },
});

export const finishLogin = operation({
  method: 'GET',
  path: '/api/auth/callback',
  summary: 'OAuth callback',
  access: anyone,
  limit: perMinute('auth-callback', 20, { per: 'address', counts: 'before' }),
  deniedPage: backToSignIn,
  successes: { 302: 'Redirects to where signing in began, or to `/login` with what went wrong.' },
  headers: ['Location', 'Set-Cookie'],
  input: z.object({ code: z.string().optional(), state: z.string().optional(), error: z.string().optional() }),
  output: nothing,
  async run(callback, context) {
    if (context.services.env.MODE === 'standalone') return redirectTo('/setup');
    const outcome = await finishFlow(context, callback);
    const { cleared } = context.services.flows;
    return typeof outcome === 'string'
      ? redirectTo(loginWith(outcome), cleared)
      : redirectTo(outcome.returnTo, outcome.cookie, cleared);
  },
});

const loginWith = (error: SignInError) => `/login?error=${error}`;

function redirectTo(location: string, ...cookies: string[]): Response {
  const headers = new Headers({ Location: location, 'Cache-Control': 'private, no-store' });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 302, headers });
}
