import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** The platform's answers that mean a repository is not available: 404 and 451. */
export type UnreachableCode = 'not_found' | 'legally_blocked';

/** A repository the service knows; the runs of tracked ones are stored. */
export const Repository = defineEntity({
  name: 'Repository',
  tableName: 'repos',
  properties: {
    id: p.integer().primary().autoincrement(),
    codehostRepoId: p.bigint('number').unique(),
    owner: p.text(),
    name: p.text(),
    ownerKey: p.text(),
    nameKey: p.text(),
    htmlUrl: p.text(),
    private: p.boolean(),
    defaultBranch: p.text().strictNullable(),
    archived: p.boolean(),
    /** On the platform; null until a repository of an earlier version is read again. */
    codehostCreatedAt: instant().strictNullable(),
    tracked: p.boolean(),
    trackedBy: p.text().strictNullable(),
    trackedAt: instant().strictNullable(),
    unreachableSince: instant().strictNullable(),
    lastErrorCode: p.text().$type<UnreachableCode>().strictNullable(),
    firstRunAt: instant().strictNullable(),
  },
  uniques: [{ properties: ['ownerKey', 'nameKey'] }],
});
