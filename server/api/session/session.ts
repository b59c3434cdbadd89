import { z } from 'zod';
import { admit } from '../../access/admission.ts';
import type { Context, Reply } from '../../access/context.ts';
import { type EndReason, endSession, storedHere } from '../../access/ending.ts';
import { featureKeys } from '../../access/features.ts';
import { alsoByAccessToken, anyone, signedIn } from '../../access/rules.ts';
import { isOwnToken } from '../../access/token-text.ts';
import { count } from '../../domain/quantity.ts';
import type { Env } from '../../platform/env.ts';
import { Problem } from '../../platform/problem.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { operation, perMinute } from '../operation.ts';

const ok = z.object({ ok: z.literal(true) });

const pat = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,500}$/, 'is not a token: 1 to 500 visible characters without spaces')
  .meta({ description: 'GitHub personal access token.' });

export const setUp = operation({
  method: 'POST',
  path: '/api/auth/setup',
  summary: 'Sign in with a personal access token',
  access: anyone,
  headers: ['Set-Cookie'],
  failures: ['invalid_token', 'wrong_mode', 'upstream_forbidden', 'authz_unavailable'],
  limit: perMinute('auth-setup', 5, { per: 'address', counts: 'before' }),
  input: z.object({ pat }),
  output: z.object({
    ok: z.literal(true),
    user: z.object({
      login: z.string(),
      name: z.string().nullable(),
      avatar_url: z.string(),
      email: z.string().nullable(),
    }),
    scopes: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Scopes of a classic token; null when it has none to show.' }),
  }),
  run: async ({ pat }, context, reply) => {
    assertStandalone(context);
    if (isOwnToken(pat))
      throw new Problem('invalid_token', 'This is an access token of this service. Sign in with a GitHub token.');
    const viewer = await validate(pat, context);
    await admit(context.services, viewer);
    await forget(context, reply, 'replaced');
    const { id, login, name, avatarUrl, email, scopes } = viewer;
    const userAgent = context.headers.get('user-agent') ?? '';
    reply.headers.set(
      'Set-Cookie',
      await context.services.sessions.begin({ id, login, name, avatarUrl }, pat, userAgent),
    );
    context.services.log.info({ login }, 'signed in');
    return { ok: true as const, user: { login, name, avatarUrl, email }, scopes };
  },
});

export const signOut = operation({
  method: 'DELETE',
  path: '/api/auth/setup',
  summary: 'Forget the stored token and sign out',
  access: anyone,
  failures: ['wrong_mode'],
  headers: ['Set-Cookie', 'Clear-Site-Data'],
  input: z.object({}),
  output: ok,
  run: async (_input, context, reply) => {
    assertStandalone(context);
    await forget(context, reply, 'signed_out');
    reply.headers.set('Clear-Site-Data', storedHere);
    return { ok: true as const };
  },
});

export const logOut = operation({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'End the session',
  access: anyone,
  successes: { 200: 'OK', 303: 'A form is redirected to the page of signing in.' },
  headers: ['Location', 'Set-Cookie', 'Clear-Site-Data'],
  input: z.object({}),
  output: ok,
  async run(_input, context, reply) {
    await forget(context, reply, 'signed_out');
    reply.headers.set('Clear-Site-Data', storedHere);
    return isForm(context) ? backToSignIn(context, reply) : { ok: true as const };
  },
});

/** A form without a page of its own answers with the page that comes next. */
const isForm = ({ headers }: Context) => headers.get('accept')?.includes('text/html') ?? false;

function backToSignIn({ services: { env } }: Context, { headers }: Reply): Response {
  headers.set('Location', env.MODE === 'standalone' ? '/setup' : '/login');
  headers.set('Cache-Control', 'private, no-store');
  return new Response(null, { status: 303, headers });
}

export const getMe = operation({
  method: 'GET',
  path: '/api/auth/me',
  summary: 'Who is signed in, and what they may do',
  access: alsoByAccessToken(signedIn),
  input: z.object({}),
  output: z.object({
    login: z.string(),
    mode: z.enum(['standalone', 'organization']),
    name: z.string().nullable(),
    avatar_url: z.string(),
    groups: z.array(z.string()),
    is_admin: z.boolean(),
    features: z.array(z.enum(featureKeys)),
    enforcement: z.boolean(),
    session_expires_at: instant.nullable().meta({ description: 'null for a caller who sent a token.' }),
    token: z
      .object({ name: z.string(), expires_at: instant })
      .nullable()
      .meta({ description: 'The access token that was sent; `features` are those it was made for.' }),
  }),
  run: async (_input, context) => {
    const actor = await context.actor();
    return {
      login: actor.login,
      mode: context.services.env.MODE,
      name: actor.name,
      avatarUrl: actor.avatarUrl,
      groups: actor.groups,
      isAdmin: actor.isAdmin,
      features: actor.features,
      enforcement: isEnforced(context.services.env),
      sessionExpiresAt: actor.session?.expiresAt ?? null,
      token: actor.accessToken,
    };
  },
});

export const getAdministrators = operation({
  method: 'GET',
  path: '/api/auth/administrators',
  summary: 'Who can give access',
  access: signedIn,
  input: z.object({}),
  output: z.object({
    exists: z.boolean().meta({ description: 'false while nobody can give access.' }),
    logins: z.array(z.string()).nullable().meta({ description: 'By name; null for a caller who is in no group.' }),
  }),
  run: async (_input, context) => {
    const { login, groups } = await context.actor();
    if (context.services.env.MODE === 'standalone') return { exists: true, logins: [login] };
    const logins = await context.store.users.admins();
    return { exists: logins.length > 0, logins: groups.length > 0 ? logins : null };
  },
});

/** Where one person uses the service alone, there is nothing to enforce. */
const isEnforced = ({ MODE, ACCESS_ENFORCEMENT }: Env) => MODE === 'organization' && ACCESS_ENFORCEMENT === 'on';

/** Requests from the platform whose token this is. An outage is never reported as a wrong token. */
async function validate(token: string, { services, requestId }: Context) {
  try {
    return await services.connect(token, { requestId }).viewer();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    services.log.warn({ reason: error.code, request_id: requestId }, 'a sign-in failed');
    if (error.code === 'unauthenticated') throw new Problem('invalid_token', 'GitHub rejected this token.');
    if (error.code === 'upstream_forbidden' || error.code === 'sso_required') throw deniedToken(error);
    throw new Problem('authz_unavailable', describeOutage(error), {
      cause: error,
      details: { retry_after_s: error.details?.retry_after_s ?? 30 },
    });
  }
}

const deniedToken = (cause: Problem) =>
  new Problem('upstream_forbidden', 'GitHub denied this token. The account may be suspended, or your IP not allowed.', {
    cause,
    ...(cause.details && { details: cause.details }),
  });

/** Why a token could not be checked, with when to come again where that is known. */
function describeOutage({ code, details }: Problem): string {
  if (code === 'not_found') return 'The GitHub API was not found. Check CODEHOST_API_URL.';
  if (code !== 'upstream_rate_limited') return 'GitHub cannot be reached to check the token. Try again shortly.';
  const minutes = Math.ceil((details?.retry_after_s ?? 60) / 60);
  return `The GitHub API rate limit of this token is exceeded. Try again in ${count(minutes, 'minute', 'minutes')}.`;
}

/** Setting up with a token exists where one person uses the service alone. */
function assertStandalone({ services: { env } }: Context): void {
  if (env.MODE !== 'standalone') throw new Problem('wrong_mode', 'Sign in with GitHub instead.');
}

/** Ends the session of this browser, if it has one. Repeating it changes nothing. */
async function forget(context: Context, reply: Reply, reason: EndReason) {
  await endSession(context, reason);
  reply.headers.set('Set-Cookie', context.services.sessions.cleared);
}
