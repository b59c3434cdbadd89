import { z } from 'zod';
import { changedBy } from '../../access/context.ts';
import { endedOwn } from '../../access/ending.ts';
import { organizationAdministrator } from '../../access/rules.ts';
import { Problem } from '../../platform/problem.ts';
import type { EndedSessions } from '../../store/listed-sessions.ts';
import { adminWrites, operation } from '../operation.ts';
import { bounded, clamped, identifier, login, nextOffset, searched } from '../parameters.ts';
import { decodeIdHash, sessionFields, sessionId, sessionRecord } from '../session/fields.ts';

const SessionRecord = z
  .object({
    ...sessionFields,
    codehost_id: z.string().meta({ description: 'GitHub account ID.' }),
    login: z.string(),
  })
  .meta({ id: 'SessionRecord' });

export const getSessionsOfAccounts = operation({
  method: 'GET',
  path: '/api/admin/sessions',
  summary: 'Where everybody is signed in; who was here last comes first',
  access: organizationAdministrator,
  input: z.object({
    q: searched.optional().meta({ description: 'Part of a login, in any case.' }),
    limit: clamped(1, 500, 100),
    offset: bounded(0, 1_000_000, 0),
  }),
  output: z.object({ sessions: z.array(SessionRecord), total: z.int(), limit: z.int(), offset: z.int() }),
  rows: ({ sessions }) => sessions,
  nextPage: nextOffset,
  async run({ q, limit, offset }, context) {
    const { session } = await context.actor();
    const now = context.services.clock.now();
    const found = await context.store.sessions.list({ text: q ?? null, limit, offset }, now);
    const sessions = found.sessions.map((one) => ({
      ...sessionRecord(one, session),
      codehostId: String(one.userId),
      login: one.login,
    }));
    return { sessions, total: found.total, limit, offset };
  },
});

export const endSessionsOfAccounts = operation({
  method: 'DELETE',
  path: '/api/admin/sessions',
  summary: 'Sign somebody out: of one session, or everywhere',
  access: organizationAdministrator,
  headers: ['Set-Cookie'],
  failures: ['not_found'],
  limit: adminWrites,
  input: z
    .object({
      id: sessionId.optional(),
      codehost_id: identifier.optional().meta({ description: 'GitHub account ID: ends all sessions of this account.' }),
      login: login.optional().meta({
        description:
          'Ends all sessions of everybody who was last seen under this login, which may have gone from one account to another.',
      }),
    })
    .refine((wanted) => Object.values(wanted).filter((value) => value !== undefined).length === 1, {
      path: ['id'],
      message: 'must be given, or a codehost_id or login instead',
    }),
  output: z.object({
    ok: z.literal(true),
    ended: z.int().meta({ description: 'How many sessions were ended.' }),
  }),
  async run(wanted, context, reply) {
    const { sessions } = context.services;
    const by = await changedBy(context);
    const ended = await context.store.sessions.endListed(whichSessions(wanted), by);
    sessions.forget();
    if (ended === 0)
      throw new Problem(
        'not_found',
        wanted.login ? `${wanted.login} is not signed in.` : 'There is no such session, or it has ended.',
      );
    if (await endedOwn(context)) reply.headers.set('Set-Cookie', sessions.cleared);
    return { ok: true as const, ended };
  },
});

interface Wanted {
  id?: string | undefined;
  codehost_id?: number | undefined;
  login?: string | undefined;
}

function whichSessions({ id, codehost_id: userId, login: wanted = '' }: Wanted): EndedSessions {
  if (id !== undefined) return { idHash: decodeIdHash(id) };
  return userId === undefined ? { login: wanted } : { userId };
}
