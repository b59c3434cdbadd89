import { defineEntity, p } from '@mikro-orm/core';
import type { ProposedChange } from '../../advisor/verdict/proposed.ts';
import type { PullRequestState } from '../../codehost/pull-requests/states.ts';
import { Repository } from './repository.ts';
import { instant } from './types.ts';

/**
 * A pull request that somebody opens from here: claimed first, so that a retry opens it once. Claims are in
 * milliseconds, because one is returned by the exact end of its lease.
 */
export const AdvisorPullRequest = defineEntity({
  name: 'AdvisorPullRequest',
  tableName: 'advisor_pull_requests',
  properties: {
    operationId: p.uuid().primary(),
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade'),
    userId: p.bigint('number'),
    userLogin: p.text(),
    idempotencyKey: p.text().strictNullable(),
    requestHash: p.text(),
    subjectHash: p.text(),
    /** Recommendations whose changes are in it. */
    ids: p.array().$type<string[]>(),
    /** Ids of the contents that are changed, by path. */
    baseBlobs: p.json<Record<string, string>>(),
    claimedAt: p.bigint('number'),
    leaseUntil: p.bigint('number'),
    /** null while it is not opened, as everything below. */
    number: p.integer().strictNullable(),
    htmlUrl: p.text().strictNullable(),
    openedAt: instant().strictNullable(),
    branch: p.text().strictNullable(),
    baseBranch: p.text().strictNullable(),
    baseCommit: p.text().strictNullable(),
    commit: p.text().strictNullable(),
    isDraft: p.boolean().strictNullable(),
    title: p.text().strictNullable(),
    /** What was predicted; null for one from before that was stored. */
    proposed: p.json<ProposedChange[]>().strictNullable(),
    /** As last read from the platform. */
    state: p.text().$type<PullRequestState['state']>().default('open'),
    mergedAt: instant().strictNullable(),
    mergeCommit: p.text().strictNullable(),
  },
  uniques: [{ properties: ['userId', 'idempotencyKey'] }],
  indexes: [
    { name: 'advisor_pull_requests_by_number', properties: ['repoId', 'number'] },
    { name: 'advisor_pull_requests_by_age', properties: ['claimedAt'] },
  ],
});
