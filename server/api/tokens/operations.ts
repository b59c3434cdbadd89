import { z } from 'zod';
import { changedBy } from '../../access/context.ts';
import { bySessionOnly, signedIn } from '../../access/rules.ts';
import { Problem } from '../../platform/problem.ts';
import { operation } from '../operation.ts';
import { tokenFields, tokenId, tokenRecord } from './fields.ts';
import { makeToken, newToken } from './make.ts';

const access = bySessionOnly(signedIn);

const AccessTokenRecord = z.object(tokenFields).meta({ id: 'AccessToken' });

export const getTokens = operation({
  method: 'GET',
  path: '/api/tokens',
  summary: 'Your access tokens, without their texts',
  access,
  input: z.object({}),
  output: z.object({ tokens: z.array(AccessTokenRecord).meta({ description: 'The newest first.' }) }),
  async run(_input, context) {
    const { id } = await context.actor();
    const now = context.services.clock.now();
    const tokens = await context.store.accessTokens.ofAccount(id, now);
    return { tokens: tokens.map((token) => tokenRecord(token, now)) };
  },
});

export const createToken = operation({
  method: 'POST',
  path: '/api/tokens',
  summary: 'Make an access token; its text is shown in this answer alone',
  access,
  limit: { bucket: 'access-tokens', times: 10, windowMs: 3_600_000, per: 'account', counts: 'after' },
  failures: ['token_limit', 'authz_unavailable'],
  successes: { 201: 'Created' },
  input: newToken,
  output: z.object({
    token: z.string().meta({ description: 'Sent as `Authorization: Bearer <token>`. It is stored nowhere.' }),
    access_token: AccessTokenRecord,
  }),
  async run(input, context, reply) {
    const made = await makeToken(input, context);
    reply.status = 201;
    return made;
  },
});

export const revokeTokens = operation({
  method: 'DELETE',
  path: '/api/tokens',
  summary: 'Revoke one of your access tokens, or all of them',
  access,
  failures: ['not_found'],
  input: z
    .object({
      id: tokenId.optional(),
      all: z.literal('1').optional().meta({ description: 'Revokes every one that is live.' }),
    })
    .refine(({ id, all }) => (id === undefined) !== (all === undefined), {
      path: ['id'],
      message: 'must be given, or all=1 instead',
    }),
  output: z.object({
    ok: z.literal(true),
    revoked: z.int().meta({ description: 'How many were revoked; 0 for a token that had ended before.' }),
  }),
  async run({ id }, context) {
    const { accessTokens } = context.store;
    const { id: accountId } = await context.actor();
    const by = await changedBy(context);
    if (id === undefined) return { ok: true as const, revoked: await accessTokens.revokeAll(accountId, 'owner', by) };
    const revoked = await accessTokens.revoke({ id, accountId }, 'owner', by);
    if (revoked === 'unknown') throw new Problem('not_found', 'You have no such access token.');
    return { ok: true as const, revoked: revoked === 'revoked' ? 1 : 0 };
  },
});
