import { z } from 'zod';
import { endSession } from '../access/ending.ts';
import { signedIn } from '../access/rules.ts';
import { sessionHash } from '../access/session.ts';
import { Problem } from '../platform/problem.ts';
import { operation } from './operation.ts';

const mostSessions = 100;

const sessionId = z
  .string()
  .regex(/^[\w-]{43}$/, 'is no session')
  .meta({ description: 'Names a session; it opens nothing.' });

export const getSessions = operation({
  method: 'GET',
  path: '/api/auth/sessions',
  summary: 'Where you are signed in',
  access: signedIn,
  input: z.object({}),
  output: z.object({
    sessions: z
      .array(
        z.object({
          id: sessionId,
          created_at: z.iso.datetime(),
          last_used_at: z.iso.datetime().meta({ description: 'Exact to five minutes.' }),
          expires_at: z.iso.datetime(),
          user_agent: z
            .string()
            .nullable()
            .meta({ description: 'What the browser said it is, cut at 120 characters; null when it said nothing.' }),
          current: z.boolean().meta({ description: 'true for the one that asks.' }),
        }),
      )
      .meta({ description: 'The newest first.' }),
    truncated: z.boolean().meta({ description: `true when there are more than ${mostSessions}.` }),
  }),
  async run(_input, context) {
    const { store, services } = context;
    const { id, session } = await context.actor();
    const own = session && sessionHash(session.id);
    const found = await store.sessions.ofUser(id, mostSessions + 1, services.clock.now());
    const sessions = found.slice(0, mostSessions).map((one) => ({
      id: one.idHash.toString('base64url'),
      created_at: new Date(one.createdAt).toISOString(),
      last_used_at: new Date(one.lastSeenAt).toISOString(),
      expires_at: new Date(one.expiresAt).toISOString(),
      user_agent: one.userAgentShort || null,
      current: own?.equals(one.idHash) ?? false,
    }));
    return { sessions, truncated: found.length > mostSessions };
  },
});

export const endSessions = operation({
  method: 'DELETE',
  path: '/api/auth/sessions',
  summary: 'Sign out elsewhere: one session, or all but the one that asks',
  access: signedIn,
  input: z
    .object({
      id: sessionId.optional(),
      others: z.literal('true').optional().meta({ description: 'Ends all sessions but the one that asks.' }),
    })
    .refine(({ id, others }) => (id === undefined) !== (others === undefined), {
      path: ['id'],
      message: 'must be given, or others=true instead',
    }),
  output: z.object({ ok: z.literal(true), ended: z.number().int() }),
  async run({ id }, context, reply) {
    const { store, services } = context;
    const { id: userId, session } = await context.actor();
    const now = services.clock.now();
    const own = session && sessionHash(session.id);
    const named = id === undefined ? null : Buffer.from(id, 'base64url');
    if (named && own?.equals(named)) {
      await endSession(context, 'signed_out');
      reply.headers.set('Set-Cookie', services.sessions.cleared);
      return { ok: true as const, ended: 1 };
    }
    const ended = named
      ? Number(await store.sessions.revokeOwn(userId, named, 'ended_elsewhere', now))
      : await store.sessions.revokeOthers(userId, own, 'ended_elsewhere', now);
    services.sessions.forget();
    if (named && ended === 0) throw new Problem('not_found', 'You have no such session.');
    return { ok: true as const, ended };
  },
});
