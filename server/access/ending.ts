import type { Context, Services } from './context.ts';
import { areDeparturesHeld, findDeparted } from './departed.ts';
import { sendsToken } from './machines.ts';
import { type Session, tokenHash } from './session.ts';

/** Why a session ends: its owner wants it so, here or elsewhere, or its token or its owner's admission is gone. */
export type EndReason =
  | 'signed_out'
  | 'ended_elsewhere'
  | 'replaced'
  | 'token_rejected'
  | 'org_not_allowed'
  | 'not_admitted';

/**
 * `Clear-Site-Data` of a sign-out: answers that the browser has stored, and what scripts have. Not cookies: they are
 * those of every service below the same domain, and hold the chosen theme.
 */
export const storedHere = '"cache", "storage"';

/**
 * Ends the session of the requesting browser, if it has one. In an organization the end for lack of an organization
 * is audited, and the token is revoked. Answers whether it was this that ended it.
 */
export async function endSession(context: Context, reason: EndReason): Promise<boolean> {
  const { services, headers } = context;
  if (sendsToken(headers)) return false;
  const session = services.sessions.unseal(headers)?.session;
  const isOrganization = services.env.MODE === 'organization';
  const isAudited = isOrganization && reason === 'org_not_allowed';
  const audit = isAudited ? { requestId: context.requestId } : undefined;
  if (!session || !(await services.sessions.end(session, reason, audit))) return false;
  if (!isOrganization) return true;
  await revoke(session, services);
  return true;
}

/**
 * Revokes the badges and links of somebody who could not show a membership, once the service's own token confirms that
 * they have left; in the background. Never throws.
 */
export function endDepartedShares(accountId: number, { services, requestId }: Context): void {
  const { store, clock, log, background } = services;
  if (!store) return;
  const by = { actor: { id: null, login: 'system' }, requestId, now: clock.now() };
  background.begin(async () => {
    try {
      const live = await store.shares.live(accountId, by.now);
      if (live.length === 0 || (await areDeparturesHeld({ ...services, store }))) return;
      if (!(await (await findDeparted(services))({ accountId }))) return;
      for (const { id } of live) await store.shares.revoke({ id }, 'maker_left', by);
    } catch (error) {
      log.error({ err: error, request_id: requestId }, 'shares of a departed account could not be revoked');
    }
  });
}

/**
 * Ends every session that carries a token which the platform rejects, in all processes, and notes it on the access tokens
 * that rest on it. That this fails does not change what is shown to the caller.
 */
export async function endRejectedToken(services: Services, tokenHash: string, requestId: string | null): Promise<void> {
  const { sessions, store, clock, log } = services;
  try {
    const hash = Buffer.from(tokenHash, 'hex');
    await store?.accessTokens.markBroken(hash, clock.now());
    await sessions.endByToken(hash, 'token_rejected', requestId);
  } catch (error) {
    log.error({ err: error, request_id: requestId }, 'sessions of a rejected token could not be ended');
  }
}

/**
 * Whether the session of the requesting browser was just ended with others; in an organization its token is revoked.
 */
export async function endedOwn({ services, headers }: Context): Promise<boolean> {
  const session = services.sessions.unseal(headers)?.session;
  if (!session || (await services.sessions.open(headers))) return false;
  if (services.env.MODE === 'organization') await revokeStray(session, services);
  return true;
}

/** Gives the token of a session back whose cookie comes although it was ended elsewhere: only the cookie holds it. */
export async function revokeStray(session: Session, services: Services): Promise<void> {
  const { limits, clock } = services;
  const key = `stray-token:${tokenHash(session.token).toString('base64url')}`;
  if ((await limits.hit(key, 1, 3_600_000, clock.now())).allowed) await revoke(session, services);
}

/** Gives the platform's token back, unless another session or an access token goes on with it. */
async function revoke({ token }: Session, { store, clock, revokeToken }: Services): Promise<void> {
  const hash = tokenHash(token);
  if (await store?.sessions.carriesToken(hash, clock.now())) return;
  if (await store?.accessTokens.carriesToken(hash, clock.now())) return;
  await revokeToken(token);
}
