import { sendsToken } from './bearer.ts';
import type { Context } from './context.ts';
import type { Session } from './session.ts';

/** Why a session ends: its owner wants it so, or its token or its owner's membership is gone. */
export type EndReason = 'signed_out' | 'replaced' | 'token_rejected' | 'org_not_allowed';

const denials: readonly EndReason[] = ['token_rejected', 'org_not_allowed'];

/** Ends the session of the browser that asks, if it has one; a refusal is written down. Answers what was ended. */
export async function endSession(context: Context, reason: EndReason): Promise<Session | null> {
  const { services, headers, requestId } = context;
  if (sendsToken(headers)) return null;
  const session = services.sessions.unseal(headers)?.session;
  if (!session || !(await services.sessions.end(session, reason))) return null;
  if (services.env.MODE === 'organization' && denials.includes(reason)) {
    const { store, clock } = services;
    const entry = {
      ...{ category: 'access' as const, action: 'session.revoked', actor: { id: null, login: 'system' } },
      ...{ targetType: 'user', target: session.user.login, before: null, after: null },
      ...{ requestId, note: reason },
    };
    await store?.audit.append(entry, clock.now());
  }
  return session;
}
