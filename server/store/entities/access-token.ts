import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** `feed`: stands in the address of a feed, and opens nothing else. */
export const tokenKinds = ['personal', 'feed'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** Why an access token was revoked. */
export type TokenRevocation = 'owner' | 'administrator' | 'org_not_allowed' | 'account_mismatch';

/**
 * A token of this service that stands for an account. Its text is stored nowhere: it is known by its hash, and the
 * platform token is encrypted under it.
 */
export const AccessToken = defineEntity({
  name: 'AccessToken',
  tableName: 'access_tokens',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    idHash: p.blob().unique('access_tokens_by_hash'),
    kind: p.text().$type<TokenKind>(),
    accountId: p.bigint('number'),
    /** As the account was called then, for lists; it is known by its number. */
    login: p.text(),
    name: p.text(),
    /** The last four characters of its text. */
    hint: p.text(),
    features: p.array().$type<string[]>(),
    sealed: p.text(),
    platformTokenHash: p.blob(),
    createdAt: instant(),
    expiresAt: instant(),
    lastUsedAt: instant().strictNullable(),
    /** The network it was last used from: 24 bits of IPv4, 48 of IPv6. */
    lastUsedFrom: p.text().strictNullable(),
    /** When the platform rejected the platform token. */
    brokenAt: instant().strictNullable(),
    revokedAt: instant().strictNullable(),
    revokeReason: p.text().$type<TokenRevocation>().strictNullable(),
    revokedBy: p.text().strictNullable(),
  },
  indexes: [
    { name: 'access_tokens_of_account', properties: ['accountId'], where: 'revoked_at is null' },
    { name: 'access_tokens_by_platform_token', properties: ['platformTokenHash'], where: 'revoked_at is null' },
    { name: 'access_tokens_by_expiry', properties: ['expiresAt'] },
  ],
});
