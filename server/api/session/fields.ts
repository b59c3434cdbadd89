import { z } from 'zod';
import { type Session, sessionHash } from '../../access/session.ts';
import { instant } from '../../reports/kernel/instants.ts';
import type { LiveSession } from '../../store/sessions.ts';

export const sessionId = z
  .string()
  .regex(/^[\w-]{43}$/, 'is no session')
  .meta({ description: 'Names a session; it opens nothing.' });

/** What is shown of a session to its owner, and to administrators. */
export const sessionFields = {
  id: sessionId,
  created_at: instant,
  last_used_at: instant.meta({ description: 'Exact to five minutes.' }),
  expires_at: instant,
  user_agent: z
    .string()
    .nullable()
    .meta({ description: 'The user agent of the browser, truncated at 120 characters; null when it sent none.' }),
  current: z.boolean().meta({ description: 'true for the session of this request.' }),
};

/** The same of one session; `current` is the session of this request, null for a script. */
export const sessionRecord = (one: LiveSession, current: Session | null) => ({
  id: one.idHash.toString('base64url'),
  createdAt: one.createdAt,
  lastUsedAt: one.lastSeenAt,
  expiresAt: one.expiresAt,
  userAgent: one.userAgentShort || null,
  current: current !== null && sessionHash(current.id).equals(one.idHash),
});

/** The id of a session as the store knows it. */
export const decodeIdHash = (id: string): Buffer => Buffer.from(id, 'base64url');
