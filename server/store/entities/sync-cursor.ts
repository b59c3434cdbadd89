import { defineEntity, p } from '@mikro-orm/core';
import type { Pass } from '../../sync/cursor.ts';
import { Repository } from './repository.ts';
import { instant } from './types.ts';

/** How far one kind of fact of a repository has been synchronized, and how its last synchronization ended. */
export const SyncCursor = defineEntity({
  name: 'SyncCursor',
  tableName: 'sync_cursors',
  properties: {
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade').primary(),
    kind: p.text().$type<'runs' | 'prs' | 'commits' | 'advice' | 'marks'>().primary(),
    syncedThrough: instant().strictNullable(),
    backfilledTo: instant().strictNullable(),
    deepAt: instant().strictNullable(),
    resume: p.json<Pass>().strictNullable(),
    lastStartedAt: instant().strictNullable(),
    lastFinishedAt: instant().strictNullable(),
    lastStatus: p.text().$type<'ok' | 'partial' | 'locked' | 'error'>().strictNullable(),
    lastError: p.text().strictNullable(),
  },
  indexes: [
    {
      name: 'sync_cursors_by_last_finish',
      properties: ['kind', 'lastFinishedAt'],
      columns: [{ name: 'kind' }, { name: 'last_finished_at', nulls: 'first' }],
    },
  ],
});
