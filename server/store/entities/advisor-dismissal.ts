import { defineEntity, p } from '@mikro-orm/core';
import type { DismissalReason } from '../../advisor/dismissal.ts';
import { Repository } from './repository.ts';
import { day, instant } from './types.ts';

/** A recommendation that somebody does not want shown among the others, for everybody who sees the repository. */
export const AdvisorDismissal = defineEntity({
  name: 'AdvisorDismissal',
  tableName: 'advisor_dismissals',
  properties: {
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade').primary(),
    id: p.text().primary(),
    reason: p.text().$type<DismissalReason>(),
    note: p.text().strictNullable(),
    /** The last day, in UTC. */
    until: day().strictNullable(),
    byId: p.bigint('number'),
    byLogin: p.text(),
    at: instant(),
  },
});
