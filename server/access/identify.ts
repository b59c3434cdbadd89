import { hash } from 'node:crypto';
import { Problem } from '../platform/problem.ts';
import { assertWithinLimit } from '../platform/rate-limit.ts';
import { isAdmitted } from './admission.ts';
import { assertAllowedMember } from './allow-list.ts';
import { callerStatus, everything } from './caller-status.ts';
import { looked } from './checked.ts';
import type { Actor, Context, Services } from './context.ts';
import { endDepartedShares, endSession, revokeStray } from './ending.ts';
import { bearerToken } from './machines.ts';
import { feedToken, findOwnToken, identifyByToken, revokeToken } from './own-bearer.ts';
import { fromPlatformToken } from './platform-bearer.ts';
import { noteOutdated, type Session, sessionHash } from './session.ts';
import { isOwnToken } from './token-text.ts';

/**
 * The caller, and what they may do. Throws `unauthenticated`, `org_not_allowed` for an account that left the
 * organizations that may sign in, and `authz_unavailable` when any of it cannot be determined.
 */
export async function identify(context: Context): Promise<Actor> {
  const actor = await fromCredentials(context);
  if (context.services.env.MODE === 'organization') await assertMember(context, actor);
  return actor;
}

async function fromCredentials(context: Context): Promise<Actor> {
  const ofFeed = feedToken(context.url);
  if (ofFeed !== null) return fromAccessToken(ofFeed, context);
  const sent = bearerToken(context.headers);
  if (sent !== null && isOwnToken(sent)) return fromAccessToken(sent, context);
  const actor = sent === null ? await fromCookie(context) : await fromPlatformToken(sent, context);
  await countRequest(context, hashToken(actor.session?.id ?? actor.token));
  return actor;
}

/** The order is part of the promise: what is not found costs nothing, and is counted before a request to the platform. */
async function fromAccessToken(sent: string, context: Context): Promise<Actor> {
  const found = await findOwnToken(sent, context);
  await countRequest(context, found.idHash.toString('base64url'));
  return identifyByToken(found, context);
}

/** Every session, platform token and access token has its own limit. */
async function countRequest({ services }: Context, key: string): Promise<void> {
  const { env, sessionLimits, clock } = services;
  const perMinute = env.RATE_LIMIT_SESSION_PER_MINUTE;
  if (perMinute > 0) assertWithinLimit(await sessionLimits.hit(`session:${key}`, perMinute, 60_000, clock.now()));
}

async function assertMember(context: Context, actor: Actor): Promise<void> {
  try {
    await looked(() => assertAllowedMember(context.services, { ...actor, requestId: context.requestId }));
  } catch (error) {
    if (error instanceof Problem && error.code === 'org_not_allowed') {
      const { store, clock } = context.services;
      // A token that was made by hand may only be unable to show the membership: what it ends comes back with another one.
      // One of several requests at once looks for them.
      if (actor.session && (await endSession(context, 'org_not_allowed'))) endDepartedShares(actor.id, context);
      if (actor.accessToken) await revokeToken(actor.accessToken.id, 'org_not_allowed', context);
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
  const identity = { ...session.user, token: session.token, session, accessToken: null };
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

const hashToken = (token: string) => hash('sha256', token, 'base64url');
