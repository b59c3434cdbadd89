import { createHash, randomBytes } from 'node:crypto';
import { Problem } from '../platform/problem.ts';
import { assertAllowedSignIn } from './allow-list.ts';
import type { Context } from './context.ts';
import { endSession } from './ending.ts';
import { beginSignIn, finishSignIn, type Granted } from './oauth.ts';

/** Why a sign-in came to nothing, as it is shown on the sign-in page. */
export const signInErrors = [
  'access_denied',
  'state_mismatch',
  'state_expired',
  'token_exchange',
  'missing_scope',
  'server',
  'org_not_allowed',
  'authz_unavailable',
  'rate_limited',
] as const;

export type SignInError = (typeof signInErrors)[number];

/** Begins a sign-in: where the browser is sent, and the cookie that remembers it. */
export async function beginFlow({ services }: Context, returnTo: string): Promise<{ location: URL; cookie: string }> {
  const verifier = randomBytes(32).toString('base64url');
  const { location, state } = await beginSignIn(services.env, verifier);
  return { location, cookie: services.flows.cookie({ state, verifier, returnTo }) };
}

export interface Callback {
  code?: string | undefined;
  state?: string | undefined;
  error?: string | undefined;
}

/** Ends a sign-in: the cookie of the new session and where to go on, or what went wrong. */
export async function finishFlow(
  context: Context,
  { code, state = '', error }: Callback,
): Promise<{ cookie: string; returnTo: string } | SignInError> {
  const { services, headers } = context;
  if (error !== undefined || code === undefined) return 'access_denied';
  const flow = services.flows.match(headers, state);
  if (typeof flow === 'string') return flow;
  if (!(await isFirstUse(context, state))) return 'state_mismatch';
  const granted = await finishSignIn(services.env, { code, state, verifier: flow.verifier }).catch(
    (reason: unknown) => {
      services.log.warn({ reason: (reason as Error).name, request_id: context.requestId }, 'no token was given');
      return null;
    },
  );
  if (!granted) return 'token_exchange';
  const outcome = await welcome(context, granted);
  if (typeof outcome !== 'string') return { ...outcome, returnTo: flow.returnTo };
  await services.revokeToken(granted.token);
  return outcome;
}

/** A state opens once, in whichever process. */
async function isFirstUse({ services: { limits, clock } }: Context, state: string): Promise<boolean> {
  const key = `oauth-state:${createHash('sha256').update(state).digest('base64url')}`;
  return (await limits.hit(key, 1, 600_000, clock.now())).allowed;
}

const membershipScopes = ['read:org', 'write:org', 'admin:org'];

async function welcome(context: Context, { token, scopes }: Granted): Promise<{ cookie: string } | SignInError> {
  const { services, headers, requestId } = context;
  const { env, store, sessions, clock, log } = services;
  const readsMemberships = scopes === null || membershipScopes.some((scope) => scopes.includes(scope));
  if (env.SERVICE_ALLOWED_ORGS.length > 0 && !readsMemberships) return 'missing_scope';
  try {
    const { id, login, name, avatarUrl } = await services.connect(token, { requestId }).viewer();
    const { isOwner } = await assertAllowedSignIn(services, { id, token, requestId });
    const isNamed = env.BOOTSTRAP_ADMINS.some((one) => one.toLowerCase() === login.toLowerCase());
    const entitlement = { mayBootstrap: isNamed || isOwner, defaultGroup: env.DEFAULT_GROUP ?? null };
    const profile = { id, login, name, avatarUrl };
    await store?.users.signedIn(profile, entitlement, requestId, clock.now());
    const cookie = await sessions.begin(profile, token, headers.get('user-agent') ?? '');
    await endSession(context, 'replaced');
    log.info({ login }, 'signed in');
    return { cookie };
  } catch (error) {
    log.warn({ err: error, request_id: requestId }, 'a sign-in failed');
    return toSignInError(error);
  }
}

function toSignInError(error: unknown): SignInError {
  const code = error instanceof Problem ? error.code : null;
  return code === 'org_not_allowed' || code === 'authz_unavailable' ? code : 'server';
}
