import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** An issue as it was last read. */
export const Issue = defineEntity({
  name: 'Issue',
  tableName: 'issue_facts',
  properties: {
    repoId: p.integer().primary(),
    number: p.integer().primary(),
    createdAt: instant(),
    updatedAt: instant(),
    closedAt: instant().strictNullable(),
    closeReason: p.text().strictNullable(),
    closedByBot: p.boolean(),
    authorId: p.bigint('string').strictNullable(),
    labels: p.json<string[]>(),
    assignees: p.json<string[]>(),
    comments: p.integer(),
    htmlUrl: p.text(),
  },
  indexes: [
    {
      name: 'issue_facts_by_end',
      expression: `create index issue_facts_by_end on issue_facts (repo_id, coalesce(closed_at, 'infinity'::timestamptz) desc)`,
    },
  ],
});

/** An issue that somebody files from here: claimed first, so that a retry files it once. Instants in milliseconds, because a claim is returned by the exact end of its lease. */
export const FiledIssue = defineEntity({
  name: 'FiledIssue',
  tableName: 'filed_issues',
  properties: {
    operationId: p.uuid().primary(),
    codehostId: p.bigint('number'),
    idempotencyKey: p.text().strictNullable(),
    requestHash: p.text(),
    subjectHash: p.text(),
    claimedAt: p.bigint('number'),
    leaseUntil: p.bigint('number'),
    number: p.integer().strictNullable(),
    htmlUrl: p.text().strictNullable(),
    issueCreatedAt: p.bigint('number').strictNullable(),
  },
  uniques: [{ properties: ['codehostId', 'idempotencyKey'] }],
  indexes: [{ name: 'filed_issues_by_age', properties: ['claimedAt'] }],
});
