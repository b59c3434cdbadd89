import { z } from 'zod';
import { changedBy } from '../../access/context.ts';
import { bySessionOnly, organizationAdministrator } from '../../access/rules.ts';
import { Problem } from '../../platform/problem.ts';
import { adminWrites, operation } from '../operation.ts';
import { bounded, clamped, nextOffset, searched } from '../parameters.ts';
import { tokenFields, tokenId, tokenRecord } from '../tokens/fields.ts';

const AccountToken = z.object({ ...tokenFields, login: z.string() }).meta({ id: 'AccountToken' });

export const getTokensOfAccounts = operation({
  method: 'GET',
  path: '/api/admin/tokens',
  summary: 'Access tokens of everybody, without their texts; the newest first',
  access: bySessionOnly(organizationAdministrator),
  input: z.object({
    q: searched.optional().meta({ description: 'Part of the login of an owner, in any case.' }),
    state: z.enum(['live', 'ended']).optional().meta({ description: 'Tokens that work, or expired and revoked ones.' }),
    limit: clamped(1, 500, 100),
    offset: bounded(0, 1_000_000, 0),
  }),
  output: z.object({ tokens: z.array(AccountToken), total: z.int(), limit: z.int(), offset: z.int() }),
  rows: ({ tokens }) => tokens,
  nextPage: nextOffset,
  async run({ q, state, limit, offset }, context) {
    const now = context.services.clock.now();
    const query = { text: q ?? null, state: state ?? null, limit, offset };
    const { tokens, total } = await context.store.accessTokens.list(query, now);
    const shown = tokens.map((token) => ({ ...tokenRecord(token, now), login: token.login }));
    return { tokens: shown, total, limit, offset };
  },
});

export const revokeTokenOfAccount = operation({
  method: 'DELETE',
  path: '/api/admin/tokens',
  summary: 'Revoke an access token of somebody',
  access: bySessionOnly(organizationAdministrator),
  failures: ['not_found'],
  limit: adminWrites,
  input: z.object({ id: tokenId }),
  output: z.object({
    ok: z.literal(true),
    revoked: z.int().meta({ description: '0 for a token that had ended before.' }),
  }),
  async run({ id }, context) {
    const revoked = await context.store.accessTokens.revoke({ id }, 'administrator', await changedBy(context));
    if (revoked === 'unknown') throw new Problem('not_found', 'There is no such access token.');
    return { ok: true as const, revoked: revoked === 'revoked' ? 1 : 0 };
  },
});
