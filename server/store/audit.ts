import { type Selectable, sql } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database, Queries, Tables } from './database.ts';
import type { AuditCategory } from './entities/audit-entry.ts';

type Row = Selectable<Tables['audit_log']>;

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

/** One change: what it was about, and how that was before and after. Never a secret. */
export interface AuditEntry
  extends Pick<Row, 'category' | 'action' | 'targetType' | 'target' | 'before' | 'after' | 'requestId' | 'note'> {
  actor: AuditActor;
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
  categories: readonly AuditCategory[] | null;
  actor: string | null;
  action: string | null;
}

/** Adds an entry in the transaction of the change: either both are stored, or neither. */
export async function appendAudit({ db }: Queries, { actor, ...entry }: AuditEntry, at: Instant): Promise<void> {
  const values = { ...entry, at, actorId: actor.id, actorLogin: actor.login };
  await db
    .insertInto('audit_log')
    .values({ ...values, ...givenByTrigger })
    .execute();
}

export const auditLog = (database: Database) => ({
  /** Adds an entry about something that the database does not hold itself. */
  append: (entry: AuditEntry, now: Instant): Promise<void> => appendAudit(database, entry, now),
  /** Newest first. */
  async list({ limit, before, categories, actor, action }: AuditQuery): Promise<StoredAuditEntry[]> {
    const rows = await database.db
      .selectFrom('audit_log')
      .selectAll()
      .$if(before !== null, (query) => query.where('id', '<', before as number))
      .$if(categories !== null, (query) =>
        query.where('category', '=', ({ fn, val }) => fn.any(val(categories as readonly AuditCategory[]))),
      )
      .$if(actor !== null, (query) =>
        query.where(({ eb, fn }) => eb(fn<string>('lower', ['actorLogin']), '=', (actor as string).toLowerCase())),
      )
      .$if(action !== null, (query) => query.where('action', '=', action as string))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ actorId, actorLogin, previousHash: _, hash, ...entry }) => ({
      ...entry,
      actor: { id: actorId, login: actorLogin },
      hash: Buffer.from(hash).toString('hex'),
    }));
  },
  /** The number of the first entry that is not what was written, or whose predecessor is gone; null when all is well. */
  async broken(): Promise<number | null> {
    const row = await database.db
      .selectFrom((eb) =>
        eb
          .selectFrom('audit_log')
          .select(['id', 'hash', 'previousHash'])
          .select(sql<Buffer>`audit_log_hash(audit_log)`.as('computed'))
          .select(({ fn }) => [
            fn
              .agg<Buffer | null>('lag', ['hash'])
              .over((over) => over.orderBy('id'))
              .as('expected'),
            fn
              .agg<number>('row_number')
              .over((over) => over.orderBy('id'))
              .as('position'),
          ])
          .as('entry'),
      )
      .select('entry.id')
      .where(({ eb, or, ref }) =>
        or([
          eb('entry.hash', '!=', ref('entry.computed')),
          eb('entry.previousHash', 'is distinct from', ref('entry.expected')),
          eb('entry.id', '!=', ref('entry.position')),
        ]),
      )
      .orderBy('entry.id')
      .limit(1)
      .executeTakeFirst();
    return row?.id ?? null;
  },
});

/** The trigger chains entries under a lock. */
const givenByTrigger = { id: sql<number>`default`, hash: sql<Buffer>`default` };
