import { sendsToken } from './bearer.ts';
import type { Context, Services } from './context.ts';
import { type Session, tokenHash } from './session.ts';

/** Why a session ends: its owner wants it so, here or elsewhere, or its token or its owner's membership is gone. */
export type EndReason = 'signed_out' | 'ended_elsewhere' | 'replaced' | 'token_rejected' | 'org_not_allowed';

const denials: readonly EndReason[] = ['token_rejected', 'org_not_allowed'];

/**
 * Ends the session of the browser that asks, if it has one. In an organization a refusal is written down, and the
 * token is given back.
 */
export async function endSession(context: Context, reason: EndReason): Promise<void> {
  const { services, headers } = context;
  if (sendsToken(headers)) return;
  const session = services.sessions.unseal(headers)?.session;
  if (!session || !(await services.sessions.end(session, reason)) || services.env.MODE !== 'organization') return;
  if (denials.includes(reason)) await writeDown(context, session, reason);
  if (reason !== 'token_rejected') await giveBack(session, services);
}

/** Gives the token of a session back whose cookie comes although it was ended elsewhere: only the cookie holds it. */
export async function giveBackStray(session: Session, services: Services): Promise<void> {
  const { limits, clock } = services;
  const key = `stray-token:${tokenHash(session.token).toString('base64url')}`;
  if ((await limits.hit(key, 1, 3_600_000, clock.now())).allowed) await giveBack(session, services);
}

/** Gives the platform's token back, unless another session goes on with it. */
async function giveBack({ token }: Session, { store, clock, giveBackToken }: Services): Promise<void> {
  if (!(await store?.sessions.carriesToken(tokenHash(token), clock.now()))) await giveBackToken(token);
}

async function writeDown({ services: { store, clock }, requestId }: Context, { user }: Session, note: EndReason) {
  const entry = {
    ...{ category: 'access' as const, action: 'session.revoked', actor: { id: null, login: 'system' } },
    ...{ targetType: 'user', target: user.login, before: null, after: null },
    ...{ requestId, note },
  };
  await store?.audit.append(entry, clock.now());
}
