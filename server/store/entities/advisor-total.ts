import { defineEntity, p } from '@mikro-orm/core';
import type { JudgedPlan } from '../../advisor/judge.ts';
import { Repository } from './repository.ts';
import { instant } from './types.ts';

/** What the open recommendations of a repository come to, as of when it was judged last. */
export const AdvisorTotal = defineEntity({
  name: 'AdvisorTotal',
  tableName: 'advisor_totals',
  properties: {
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade').primary(),
    asOf: instant(),
    /** null since what people decided about its recommendations has changed. */
    plan: p.json<JudgedPlan>().strictNullable(),
  },
});
