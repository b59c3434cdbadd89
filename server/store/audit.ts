import type { Instant } from '../metrics/facts.ts';
import type { Database, Queries } from './database.ts';

/** Who changed something: an account of the platform, or the service itself. */
export interface AuditActor {
  id: number | null;
  login: string;
}

/** Who changes something, by which request, and when. */
export interface ChangedBy {
  actor: AuditActor;
  requestId: string | null;
  now: Instant;
}

export const auditCategories = ['access', 'identity', 'settings', 'alerts', 'issues'] as const;

/** One change, as it is written down: what it was about, and how that was before and after. Never a secret. */
export interface AuditEntry {
  category: (typeof auditCategories)[number];
  action: string;
  actor: AuditActor;
  targetType: string;
  target: string;
  before: unknown;
  after: unknown;
  requestId: string | null;
  note: string | null;
}

export interface StoredAuditEntry extends AuditEntry {
  id: number;
  at: Instant;
  /** SHA-256 over the entry and the hash of the one before, in hexadecimal. */
  hash: string;
}

export interface AuditQuery {
  limit: number;
  /** Entries with a smaller number only. */
  before: number | null;
  categories: readonly string[] | null;
  actor: string | null;
  action: string | null;
}

/** Writes an entry down in the transaction of the change: either both are kept, or neither. */
export async function appendAudit({ query }: Queries, entry: AuditEntry, now: Instant): Promise<void> {
  const { category, action, actor, targetType, target, before, after, requestId, note } = entry;
  await query(insert, [
    ...[now, category, action, actor.id, actor.login, targetType, target],
    ...[json(before), json(after), requestId, note],
  ]);
}

export const auditLog = (database: Database) => ({
  /** An entry about something that the database does not hold itself. */
  append: (entry: AuditEntry, now: Instant): Promise<void> => appendAudit(database, entry, now),
  /** Newest first. */
  list: ({ limit, before, categories, actor, action }: AuditQuery): Promise<StoredAuditEntry[]> =>
    database.query<StoredAuditEntry>(select, [limit, before, categories, actor?.toLowerCase() ?? null, action]),
  /** The number of the first entry that is not what was written, or whose predecessor is gone; null when all is well. */
  async broken(): Promise<number | null> {
    const [row] = await database.query<{ id: number }>(verify);
    return row?.id ?? null;
  },
});

const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));

const insert = `
  insert into audit_log
    (at, category, action, actor_id, actor_login, target_type, target, before, after, request_id, note)
  values (to_timestamp($1::float8 / 1000), $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb, $10, $11)`;

const select = `
  select id::float8 as id, (extract(epoch from at) * 1000)::float8 as at, category, action,
    jsonb_build_object('id', actor_id, 'login', actor_login) as actor,
    target_type as "targetType", target, before, after, request_id as "requestId", note, encode(hash, 'hex') as hash
  from audit_log
  where ($2::bigint is null or id < $2) and ($3::text[] is null or category = any($3))
    and ($4::text is null or lower(actor_login) = $4) and ($5::text is null or action = $5)
  order by id desc limit $1`;

const verify = `
  select id::float8 as id
  from (select audit_log, id, hash, previous_hash, lag(hash) over (order by id) as expected,
          row_number() over (order by id) as place from audit_log) entry
  where hash <> audit_log_hash(audit_log) or previous_hash is distinct from expected or id <> place
  order by id limit 1`;
