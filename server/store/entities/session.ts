import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** That a session exists, and whether it was ended; its content is encrypted in its cookie. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    idHash: p.blob().primary(),
    codehostId: p.bigint('number'),
    login: p.text(),
    createdAt: instant(),
    expiresAt: instant(),
    revokedAt: instant().strictNullable(),
    revokeReason: p.text().strictNullable(),
    lastSeenAt: instant(),
    userAgentShort: p.text(),
    tokenHash: p.blob().strictNullable(),
  },
  indexes: [{ name: 'sessions_live', properties: ['codehostId'], where: `revoked_at is null` }],
});
