import { defineEntity, p } from '@mikro-orm/core';
import type { Pass } from '../../sync/cursor.ts';

/** How far one kind of fact of a repository has been read. */
export const SyncCursor = defineEntity({
  name: 'SyncCursor',
  tableName: 'sync_cursors',
  properties: {
    repoId: p.integer().primary(),
    kind: p.text().primary(),
    syncedThrough: p.datetime().nullable(),
    backfilledTo: p.datetime().nullable(),
    deepAt: p.datetime().nullable(),
    resume: p.json<Pass>().nullable(),
  },
});
