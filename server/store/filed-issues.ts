import type { Selectable } from 'kysely';
import type { FiledIssue } from '../codehost/issues/writes.ts';
import { type Claimed, type Claims, claimTtlMs, decideClaim } from '../platform/claims.ts';
import { appendAudit } from './audit.ts';
import type { Database, Queries, Tables } from './database.ts';
import { lockFiledIssues } from './locks.ts';

/** Filings of issues, shared by all processes. Of the issue itself no text is stored. */
export const filedIssues = (database: Database): Claims<FiledIssue> => ({
  claim: (wanted, now) =>
    database.transaction(async (queries) => {
      const { db } = queries;
      await lockFiledIssues(queries, wanted.userId);
      await db
        .deleteFrom('filed_issues')
        .where('codehostId', '=', wanted.userId)
        .where('claimedAt', '<=', now - claimTtlMs)
        .execute();
      const stored = await db.selectFrom('filed_issues').selectAll().where('codehostId', '=', wanted.userId).execute();
      const claim = decideClaim(stored.map(toFiling), wanted, now);
      if (claim.kind === 'own') await putFiling(queries, claim.claimed);
      return claim;
    }),
  done: ({ operationId }, { number, htmlUrl, createdAt }, note) =>
    database.transaction(async (queries) => {
      const { numUpdatedRows } = await queries.db
        .updateTable('filed_issues')
        .set({ number, htmlUrl, issueCreatedAt: createdAt })
        .where('operationId', '=', operationId)
        .where('number', 'is', null)
        .executeTakeFirstOrThrow();
      if (note && numUpdatedRows > 0n) await appendAudit(queries, note.entry, note.now);
    }),
  async released({ operationId, leaseUntil }) {
    await database.db
      .deleteFrom('filed_issues')
      .where('operationId', '=', operationId)
      .where('leaseUntil', '=', leaseUntil)
      .where('number', 'is', null)
      .execute();
  },
  async unsure({ operationId, leaseUntil }, now) {
    await database.db
      .updateTable('filed_issues')
      .set({ leaseUntil: now })
      .where('operationId', '=', operationId)
      .where('leaseUntil', '=', leaseUntil)
      .where('number', 'is', null)
      .execute();
  },
});

const toFiling = ({
  number,
  htmlUrl,
  issueCreatedAt,
  ...row
}: Selectable<Tables['filed_issues']>): Claimed<FiledIssue> => ({
  operationId: row.operationId,
  userId: row.codehostId,
  key: row.idempotencyKey,
  requestHash: row.requestHash,
  subjectHash: row.subjectHash,
  claimedAt: row.claimedAt,
  leaseUntil: row.leaseUntil,
  made:
    number === null || htmlUrl === null || issueCreatedAt === null
      ? null
      : { number, htmlUrl, createdAt: issueCreatedAt },
});

const putFiling = ({ db }: Queries, filing: Claimed<FiledIssue>) =>
  db
    .insertInto('filed_issues')
    .values({
      operationId: filing.operationId,
      codehostId: filing.userId,
      idempotencyKey: filing.key,
      requestHash: filing.requestHash,
      subjectHash: filing.subjectHash,
      claimedAt: filing.claimedAt,
      leaseUntil: filing.leaseUntil,
    })
    .onConflict((conflict) => conflict.column('operationId').doUpdateSet({ leaseUntil: filing.leaseUntil }))
    .execute();
