import { defineEntity, p } from '@mikro-orm/core';
import type { MergeQueueEvent } from '../../metrics/kernel/delivery-facts.ts';
import { Repository } from './repository.ts';
import { instant } from './types.ts';

/** What a webhook said of a pull request and a merge queue, until its timeline is read. */
export const MergeQueueNotice = defineEntity({
  name: 'MergeQueueNotice',
  tableName: 'merge_queue_notices',
  properties: {
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade').primary(),
    number: p.integer().primary(),
    kind: p.text().$type<MergeQueueEvent['kind']>().primary(),
    at: instant().primary(),
    baseBranch: p.text(),
    headSha: p.text(),
    isByBot: p.boolean(),
    reason: p.text().strictNullable(),
  },
  indexes: [{ name: 'merge_queue_notices_by_age', properties: ['at'], type: 'brin' }],
});
