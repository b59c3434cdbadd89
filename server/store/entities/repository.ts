import { defineEntity, p } from '@mikro-orm/core';

/** The platform's answers that say a repository cannot be had: 404 and 451. */
export type UnreachableCode = 'not_found' | 'legally_blocked';

/** A repository the service knows; the runs of tracked ones are kept. */
export const RepositoryRow = defineEntity({
  name: 'RepositoryRow',
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
    defaultBranch: p.text().nullable(),
    archived: p.boolean(),
    tracked: p.boolean(),
    trackedBy: p.text().nullable(),
    trackedAt: p.datetime().nullable(),
    unreachableSince: p.datetime().nullable(),
    lastErrorCode: p.text().$type<UnreachableCode>().nullable(),
  },
});
