import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Problem } from '../platform/problem.ts';
import { limited } from '../platform/rate-limit.ts';
import type { Caller } from '../store/callers.ts';
import { assertAllowedMember } from './allow-list.ts';
import { bearerToken, sendsToken } from './bearer.ts';
import type { Actor, Context, Services } from './context.ts';
import { endSession, giveBackStray } from './ending.ts';
import { type FeatureKey, featureKeys } from './features.ts';
import { noteOutdated } from './renewed.ts';
import { sessionHash } from './session.ts';
import { assertAllowedLogin } from './sign-in.ts';

/** Everything there is, as for the one person who uses the service alone. */
export const everything = { groups: [] as string[], isAdmin: true, granted: featureKeys, features: featureKeys };

/**
 * Who is asking, and what they may. Throws `unauthenticated`, `org_not_allowed` for an account that left the
 * organizations that may sign in, and `authz_unavailable` when any of it cannot be told.
 */
export async function identify(context: Context): Promise<Actor> {
  const actor = sendsToken(context.headers) ? await fromToken(context) : await fromCookie(context);
  const { env, sessionLimits, clock } = context.services;
  const perMinute = env.RATE_LIMIT_SESSION_PER_MINUTE;
  if (perMinute > 0) {
    const key = `session:${hashOf(actor.session?.id ?? actor.token)}`;
    limited(await sessionLimits.hit(key, perMinute, 60_000, clock.now()));
  }
  if (env.MODE === 'organization') await assertMember(context, actor);
  return actor;
}

async function assertMember(context: Context, actor: Actor): Promise<void> {
  try {
    await looked(context, () => assertAllowedMember(context.services, actor));
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
    if (!(await looked(context, () => sessions.open(headers)))) throw signInFirst(services);
    noteOutdated(context, opened);
    return { ...everything, ...identity };
  }
  const caller = await looked(context, async () => store?.users.bySession(sessionHash(session.id), clock.now()));
  if (!caller) {
    await looked(context, () => giveBackStray(session, services));
    throw signInFirst(services);
  }
  noteOutdated(context, opened);
  return { ...identity, ...standing(caller, services) };
}

const signInFirst = ({ env }: Services) =>
  new Problem('unauthenticated', 'Sign in first.', { details: { mode: env.MODE } });

/** What the database says of a caller. Its words are newer than the cookie's. */
function standing({ flags, ...caller }: Caller, { env }: Services) {
  const isAdmin = caller.groups.includes('admin');
  const granted = isAdmin ? featureKeys : featureKeys.filter((key: FeatureKey) => flags.includes(key));
  return { ...caller, isAdmin, granted, features: env.ACCESS_ENFORCEMENT === 'off' ? featureKeys : granted };
}

/** Whatever keeps access from being checked never grants it. */
async function looked<T>({ services, requestId }: Context, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Problem) throw error;
    services.log.error({ err: error, request_id: requestId }, 'access could not be checked');
    throw unchecked();
  }
}

const unchecked = () =>
  new Problem('authz_unavailable', 'Your access cannot be checked right now. Try again shortly.', {
    details: { retry_after_s: 30 },
  });

const bearers = new LRUCache<string, Pick<Actor, 'id' | 'login' | 'name' | 'avatarUrl'>>({ max: 1000, ttl: 300_000 });

/** A script's caller: the owner of the platform token it sends. Makes no session. */
async function fromToken(context: Context): Promise<Actor> {
  const { services, headers } = context;
  const token = bearerToken(headers);
  if (!token || !/^[\x21-\x7e]{1,500}$/.test(token))
    throw new Problem('unauthenticated', 'Send your platform token as "Authorization: Bearer <token>".');
  const owner = await ownerOf(token, context);
  const identity = { ...owner, token, session: null };
  if (services.env.MODE === 'standalone') return { ...everything, ...identity };
  const caller = await looked(context, async () => services.store?.users.byAccount(owner.id, services.clock.now()));
  if (!caller) throw new Problem('unauthenticated', 'Sign in with a browser once, before a script of yours may ask.');
  return { ...identity, ...standing(caller, services) };
}

async function ownerOf(token: string, context: Context) {
  const { services, address } = context;
  const key = hashOf(token);
  const known = bearers.get(key);
  if (known) return known;
  limited(await looked(context, () => services.limits.hit(`bearer:${address}`, 30, 60_000, services.clock.now())));
  const { id, login, name, avatarUrl } = await services
    .connect(token)
    .viewer()
    .catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'upstream_unavailable' ? unchecked() : error;
    });
  if (services.env.MODE === 'standalone') assertAllowedLogin(services.env, login);
  const owner = { id, login, name, avatarUrl };
  bearers.set(key, owner);
  return owner;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');
