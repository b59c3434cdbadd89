import { z } from 'zod';
import { type Session, sessionHash } from '../../access/session.ts';
import { instant } from '../../reports/kernel/instants.ts';
import type { LiveSession } from '../../store/sessions.ts';

export const sessionId = z
  .string()
  .regex(/^[\w-]{43}$/, 'is no session')
  .meta({ description: 'Names a session; it opens nothing.' });

/** What is told of a session to its owner, and to administrators. */
export const sessionFields = {
  id: sessionId,
  created_at: instant,
  last_used_at: instant.meta({ description: 'Exact to five minutes.' }),
  expires_at: instant,
  user_agent: z
    .string()
    .nullable()
    .meta({ description: 'What the browser said it is, cut at 120 characters; null when it said nothing.' }),
  current: z.boolean().meta({ description: 'true for the one that asks.' }),
};

/** The same of one session; `asking` is the one that asks, null for a script. */
export const sessionRecord = (one: LiveSession, asking: Session | null) => ({
  id: one.idHash.toString('base64url'),
  created_at: one.createdAt,
  last_used_at: one.lastSeenAt,
  expires_at: one.expiresAt,
  user_agent: one.userAgentShort || null,
  current: asking !== null && sessionHash(asking.id).equals(one.idHash),
});

/** The id of a session as the store knows it. */
export const decodeIdHash = (id: string): Buffer => Buffer.from(id, 'base64url');
