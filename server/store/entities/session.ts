import { defineEntity, p } from '@mikro-orm/core';

/** That a session exists, and whether it was ended; what it holds lies sealed in its cookie. */
export const SessionRow = defineEntity({
  name: 'SessionRow',
  tableName: 'sessions',
  properties: {
    idHash: p.blob().primary(),
    tokenHash: p.blob().nullable(),
    codehostId: p.bigint('number'),
    login: p.text(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    revokedAt: p.datetime().nullable(),
    revokeReason: p.text().nullable(),
    lastSeenAt: p.datetime(),
    userAgentShort: p.text(),
  },
});
