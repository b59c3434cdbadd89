import { defineEntity, p } from '@mikro-orm/core';
import type { FactKind } from '../../facts/fact-repository.ts';
import { Repository } from './repository.ts';
import { instant } from './types.ts';

/** Which stretch of time the stored facts of one kind cover. */
export const FactSyncState = defineEntity({
  name: 'FactSyncState',
  tableName: 'fact_sync_state',
  properties: {
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade').primary(),
    kind: p.text().$type<FactKind>().primary(),
    floor: instant(),
    through: instant(),
    capped: p.boolean(),
    total: p.bigint('number').strictNullable(),
    newestAt: instant().strictNullable(),
    openCount: p.integer().strictNullable(),
    head: p.text().strictNullable(),
  },
});
