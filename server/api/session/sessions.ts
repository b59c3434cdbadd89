import { z } from 'zod';
import { endSession, storedHere } from '../../access/ending.ts';
import { signedIn } from '../../access/rules.ts';
import { sessionHash } from '../../access/session.ts';
import { Problem } from '../../platform/problem.ts';
import { operation } from '../operation.ts';
import { decodeIdHash, sessionFields, sessionId, sessionRecord } from './fields.ts';

const maxSessions = 100;

export const getSessions = operation({
  method: 'GET',
  path: '/api/auth/sessions',
  summary: 'Where you are signed in',
  access: signedIn,
  input: z.object({}),
  output: z.object({
    sessions: z.array(z.object(sessionFields)).meta({ description: 'The newest first.' }),
    truncated: z.boolean().meta({ description: `true when there are more than ${maxSessions}.` }),
  }),
  async run(_input, context) {
    const { store, services } = context;
    const { id, session } = await context.actor();
    const found = await store.sessions.ofUser(id, maxSessions + 1, services.clock.now());
    const sessions = found.slice(0, maxSessions).map((one) => sessionRecord(one, session));
    return { sessions, truncated: found.length > maxSessions };
  },
});

export const endSessions = operation({
  method: 'DELETE',
  path: '/api/auth/sessions',
  summary: 'Sign out elsewhere: one session, or all but the current one',
  access: signedIn,
  failures: ['not_found'],
  headers: ['Set-Cookie', 'Clear-Site-Data'],
  input: z
    .object({
      id: sessionId.optional(),
      others: z.literal('true').optional().meta({ description: 'Ends all sessions but the current one.' }),
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
    const named = id === undefined ? null : decodeIdHash(id);
    if (named && own?.equals(named)) {
      await endSession(context, 'signed_out');
      reply.headers.set('Set-Cookie', services.sessions.cleared);
      reply.headers.set('Clear-Site-Data', storedHere);
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
