import {
  decideClaim,
  type FiledIssue,
  type Filing,
  filingKeptMs,
  type IssueFilings,
} from '../platform/issue-filings.ts';
import { appendAudit } from './audit.ts';
import type { Database, Queries } from './database.ts';
import { fileIssues } from './locks.ts';

/** Filings of issues, shared by all processes. Of the issue itself no text is kept. */
export const filedIssues = (database: Database): IssueFilings => ({
  claim: (wanted, now) =>
    database.transaction(async (queries) => {
      const user = [wanted.userId];
      await queries.query(`select ${fileIssues('hashint8($1::bigint)')}`, user);
      await queries.query(forget, [wanted.userId, now - filingKeptMs]);
      const known = (await queries.query<Row>(select, user)).map(filingOf);
      const claim = decideClaim(known, wanted, now);
      if (claim.kind === 'own') await save(queries, claim.filing);
      return claim;
    }),
  filed: ({ operationId }, { number, htmlUrl, createdAt }, note) =>
    database.transaction(async (queries) => {
      const settled = await queries.query(settle, [operationId, number, htmlUrl, createdAt]);
      if (note && settled.length > 0) await appendAudit(queries, note.entry, note.now);
    }),
  async released({ operationId, leaseUntil }) {
    const own = 'operation_id = $1 and lease_until = $2 and number is null';
    await database.query(`delete from filed_issues where ${own}`, [operationId, leaseUntil]);
  },
  async unsure({ operationId, leaseUntil }, now) {
    const own = 'operation_id = $1 and lease_until = $2 and number is null';
    await database.query(`update filed_issues set lease_until = $3 where ${own}`, [operationId, leaseUntil, now]);
  },
});

type Row = Omit<Filing, 'issue'> & { [Key in keyof FiledIssue]: FiledIssue[Key] | null };

const filingOf = ({ number, htmlUrl, createdAt, ...filing }: Row): Filing => ({
  ...filing,
  issue: number === null || htmlUrl === null || createdAt === null ? null : { number, htmlUrl, createdAt },
});

const forget = 'delete from filed_issues where codehost_id = $1 and claimed_at <= $2';

const select = `
  select operation_id as "operationId", codehost_id::float8 as "userId", idempotency_key as key,
    request_hash as "requestHash", subject_hash as "subjectHash", claimed_at::float8 as "claimedAt",
    lease_until::float8 as "leaseUntil", number, html_url as "htmlUrl", issue_created_at::float8 as "createdAt"
  from filed_issues where codehost_id = $1`;

const save = ({ query }: Queries, filing: Filing) =>
  query(
    `insert into filed_issues
       (operation_id, codehost_id, idempotency_key, request_hash, subject_hash, claimed_at, lease_until)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (operation_id) do update set lease_until = excluded.lease_until`,
    [
      ...[filing.operationId, filing.userId, filing.key, filing.requestHash, filing.subjectHash],
      ...[filing.claimedAt, filing.leaseUntil],
    ],
  );

const settle = `
  update filed_issues set number = $2, html_url = $3, issue_created_at = $4
  where operation_id = $1 and number is null returning operation_id`;
