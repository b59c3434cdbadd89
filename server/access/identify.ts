import { createHash } from 'node:crypto';
import { isTokenShaped } from '../codehost/accounts/viewer.ts';
import { Problem } from '../platform/problem.ts';
import { assertWithinLimit } from '../platform/rate-limit.ts';
import type { Caller } from '../store/callers.ts';
import { isAdmitted, notAdmitted } from './admission.ts';
import { assertAllowedMember } from './allow-list.ts';
import type { Actor, Context, Services } from './context.ts';
import { endSession, revokeStray } from './ending.ts';
import { type FeatureKey, featureKeys } from './features.ts';
import { bearerToken, isCronSecret, sendsToken } from './machines.ts';
import { noteOutdated, type Session, sessionHash } from './session.ts';

/** Everything there is, as for the one person who uses the service alone. */
export const everything = { groups: [] as string[], isAdmin: true, granted: featureKeys, features: featureKeys };

/**
 * The caller, and what they may do. Throws `unauthenticated`, `org_not_allowed` for an account that left the
 * organizations that may sign in, and `authz_unavailable` when any of it cannot be determined.
 */
export async function identify(context: Context): Promise<Actor> {
  const actor = sendsToken(context.headers) ? await fromToken(context) : await fromCookie(context);
  const { env, sessionLimits, clock } = context.services;
  const perMinute = env.RATE_LIMIT_SESSION_PER_MINUTE;
  if (perMinute > 0) {
    const key = `session:${hashToken(actor.session?.id ?? actor.token)}`;
    assertWithinLimit(await sessionLimits.hit(key, perMinute, 60_000, clock.now()));
  }
  if (env.MODE === 'organization') await assertMember(context, actor);
  return actor;
}

async function assertMember(context: Context, actor: Actor): Promise<void> {
  try {
    await looked(() => assertAllowedMember(context.services, { ...actor, requestId: context.requestId }));
  } catch (error) {
    if (error instanceof Problem && error.code === 'org_not_allowed') {
      const { store, clock } = context.services;
      await endSession(context, 'org_not_allowed');
      await store?.users.denied(actor.id, error.code, clock.now());
    }
    throw error;
  }
}

async function fromCookie(context: Context): Promise<Actor> {
  const { services, headers } = context;
  const { env, store, sessions, clock } = services;
  const opened = sessions.unseal(headers);
  if (!opened) throw signInFirst(services);
  const { session } = opened;
  const identity = { ...session.user, token: session.token, session };
  if (env.MODE === 'standalone') {
    if (!(await looked(() => sessions.open(headers)))) throw signInFirst(services);
    await assertStillAdmitted(context, session);
    noteOutdated(context, opened);
    return { ...everything, ...identity };
  }
  const caller = await looked(async () => store?.users.bySession(sessionHash(session.id), clock.now()));
  if (!caller) {
    await looked(() => revokeStray(session, services));
    throw signInFirst(services);
  }
  noteOutdated(context, opened);
  return { ...identity, ...callerStatus(caller, services) };
}

/** Who was taken off the list of accounts, or signed in before there was an owner, loses the session. */
async function assertStillAdmitted(context: Context, { user }: Session): Promise<void> {
  const { services } = context;
  if (await looked(() => isAdmitted(services, user))) return;
  await looked(() => endSession(context, 'not_admitted'));
  throw signInFirst(services);
}

const signInFirst = ({ env }: Services) =>
  new Problem('unauthenticated', 'Sign in first.', { details: { mode: env.MODE } });

/** What is stored about a caller; it is newer than the cookie. */
function callerStatus({ flags, ...caller }: Caller, { env }: Services) {
  const isAdmin = caller.groups.includes('admin');
  const granted = isAdmin ? featureKeys : featureKeys.filter((key: FeatureKey) => flags.includes(key));
  return { ...caller, isAdmin, granted, features: env.ACCESS_ENFORCEMENT === 'off' ? featureKeys : granted };
}

/** Whatever keeps access from being checked never grants it. */
async function looked<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    throw error instanceof Problem ? error : unchecked(error);
  }
}

const unchecked = (cause: unknown) =>
  new Problem('authz_unavailable', 'Your access cannot be checked right now. Try again shortly.', {
    cause,
    details: { retry_after_s: 30 },
  });

/** A script's caller: the owner of the platform token it sends. Makes no session. */
async function fromToken(context: Context): Promise<Actor> {
  const { services, headers } = context;
  const token = bearerToken(headers);
  if (!token || !isTokenShaped(token) || isCronSecret(token, services.env))
    throw new Problem('unauthenticated', 'Send your GitHub token as "Authorization: Bearer <token>".');
  const owner = await readTokenOwner(token, context);
  const identity = { ...owner, token, session: null };
  if (services.env.MODE === 'standalone') {
    if (await looked(() => isAdmitted(services, owner))) return { ...everything, ...identity };
    throw notAdmitted(services, owner);
  }
  const caller = await looked(async () => services.store?.users.byAccount(owner.id, services.clock.now()));
  if (!caller) throw new Problem('unauthenticated', 'Sign in with a browser once before using scripts.');
  return { ...identity, ...callerStatus(caller, services) };
}

/** The account behind a token: as the platform named it within five minutes, or by a request. */
async function readTokenOwner(token: string, context: Context) {
  const codehost = context.services.connect(token, { requestId: context.requestId });
  const { id, login, name, avatarUrl } =
    codehost.knownViewer() ?? (await countRejected(context, token, () => codehost.viewer()));
  return { id, login, name, avatarUrl };
}

const maxRejected = 30;
/** The tokens that are being looked up, by address. */
const lookedUp = new Map<string, Set<string>>();

/**
 * Thirty tokens of an address may be rejected a minute, those that are being looked up included; what the platform
 * accepts or cannot check is not counted.
 */
async function countRejected<T>(context: Context, token: string, request: () => Promise<T>): Promise<T> {
  const { limits, clock } = context.services;
  const key = `bearer:${context.address}`;
  const callerStatus = await looked(() => limits.look(key, maxRejected, 60_000, clock.now()));
  const others = lookedUp.get(key) ?? new Set();
  assertWithinLimit({
    ...callerStatus,
    allowed: callerStatus.allowed && (others.has(token) || others.size < callerStatus.remaining),
  });
  lookedUp.set(key, others.add(token));
  try {
    return await request();
  } catch (error) {
    const code = error instanceof Problem ? error.code : null;
    if (code === 'unauthenticated')
      assertWithinLimit(await looked(() => limits.hit(key, maxRejected, 60_000, clock.now())));
    throw code === 'upstream_unavailable' ? unchecked(error) : error;
  } finally {
    others.delete(token);
    if (others.size === 0) lookedUp.delete(key);
  }
}

const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url');
