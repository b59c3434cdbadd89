import type { Selectable } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import { appendAudit, type ChangedBy } from './audit.ts';
import { type Database, jsonb, type Queries, type Tables } from './database.ts';
import type { ShareKind } from './entities/share.ts';
import { lock } from './locks.ts';
import { serviceStatements } from './statements.ts';

type Row = Selectable<Tables['shares']>;

/** A share without its snapshot; its token is stored nowhere. */
export type StoredShare = Omit<Row, 'tokenHash' | 'snapshot' | 'passHash'>;

export type NewShare = Pick<
  Row,
  | 'tokenHash'
  | 'kind'
  | 'accountId'
  | 'login'
  | 'page'
  | 'params'
  | 'snapshot'
  | 'format'
  | 'passHash'
  | 'createdAt'
  | 'expiresAt'
>;

/** A link that has not ended. */
export type LiveLink = Pick<Row, 'page' | 'passHash' | 'snapshot'> & { id: number; expiresAt: Instant };

/** Why a share ends. */
export type ShareRevocation =
  | 'owner'
  | 'administrator'
  | 'maker_left'
  | 'feature_revoked'
  | 'repository_private'
  | 'expired';

/** Badges and links that are readable without signing in. */
export const shares = (database: Database) => ({
  /** Stores a share with its entry of the audit log. Answers its number; null where the account has `max` live ones of the kind. */
  create: (share: NewShare, max: number, by: ChangedBy): Promise<number | null> =>
    database.transaction(async (queries) => {
      await lock(queries, 'shares');
      if ((await countLive(queries, share, by.now)) >= max) return null;
      const { id } = await queries.db
        .insertInto('shares')
        .values({
          ...share,
          params: share.params && (jsonb(share.params) as never),
          snapshot: share.snapshot === null ? null : (jsonb(share.snapshot) as never),
          opensByDay: jsonb({}) as never,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const ends = share.expiresAt === null ? 'no end' : `until ${new Date(share.expiresAt).toISOString()}`;
      await audit(queries, { share: { ...share, id }, what: 'created', note: ends }, by);
      return Number(id);
    }),
  /** Also one that has ended. */
  async find(tokenHash: Buffer, kind: ShareKind): Promise<StoredShare | null> {
    const query = select(database).where('tokenHash', '=', tokenHash).where('kind', '=', kind);
    return (await query.executeTakeFirst()) ?? null;
  },
  /** A live link with what it shows. */
  async findLink(tokenHash: Buffer, now: Instant): Promise<LiveLink | null> {
    const found = await database.db
      .selectFrom('shares')
      .select(['id', 'page', 'expiresAt', 'passHash', 'snapshot'])
      .where('tokenHash', '=', tokenHash)
      .where('kind', '=', 'link')
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', now)
      .executeTakeFirst();
    return found ? { ...found, id: Number(found.id), expiresAt: found.expiresAt as Instant } : null;
  },
  /** Counts that a link was opened. */
  noteOpen: async (id: number, now: Instant): Promise<void> => {
    await database.run(serviceStatements.note_open, { id, day: new Date(now).toISOString().slice(0, 10) });
  },
  /** Those of an account, or of everybody, that have not been deleted yet; the newest first. */
  async list(
    accountId: number | null,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ shares: StoredShare[]; total: number }> {
    const matching = select(database).$if(accountId !== null, (query) =>
      query.where('accountId', '=', accountId as number),
    );
    const { total } = await matching
      .clearSelect()
      .select(({ fn }) => fn.countAll().as('total'))
      .executeTakeFirstOrThrow();
    const shares = await matching
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return { shares, total: Number(total) };
  },
  /** Those of an account, or of everybody, that have not ended. */
  live: async (accountId: number | null, now: Instant): Promise<Pick<StoredShare, 'id' | 'accountId' | 'login'>[]> =>
    whereLive(select(database), now)
      .$if(accountId !== null, (query) => query.where('accountId', '=', accountId as number))
      .execute(),
  /**
   * Those that may stay no longer: expired links, those of makers without a group, badges of kinds whose feature no group
   * of their maker is granted, and endless badges of what is private now.
   */
  outdated: (
    now: Instant,
    { isOrganization, features }: { isOrganization: boolean; features: Readonly<Record<string, string | null>> },
  ): Promise<{ id: number; reason: ShareRevocation }[]> =>
    database.run(serviceStatements.outdated_shares, {
      now,
      is_organization: isOrganization,
      features: JSON.stringify(features),
    }),
  /** Revokes one, of this account where one is given; one that has ended stays as it is. */
  revoke: (
    { id, accountId = null }: { id: number; accountId?: number | null },
    reason: ShareRevocation,
    by: ChangedBy,
  ): Promise<'revoked' | 'ended' | 'unknown'> =>
    database.transaction(async (queries) => {
      const share = await select(queries)
        .where('id', '=', id)
        .$if(accountId !== null, (query) => query.where('accountId', '=', accountId as number))
        .forUpdate()
        .executeTakeFirst();
      if (!share) return 'unknown';
      if (share.revokedAt !== null || (reason !== 'expired' && !isLive(share, by.now))) return 'ended';
      await queries.db.updateTable('shares').set({ revokedAt: by.now }).where('id', '=', id).execute();
      const what = reason === 'expired' ? 'expired' : 'revoked';
      await audit(queries, { share, what, note: reason }, by);
      return 'revoked';
    }),
});

export const isLive = ({ revokedAt, expiresAt }: Pick<Row, 'revokedAt' | 'expiresAt'>, now: Instant): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

const select = ({ db }: Queries) =>
  db.selectFrom('shares').select([
    'id',
    'kind',
    'accountId',
    'login',
    'page',
    'params',
    'createdAt',
    'expiresAt',
    'revokedAt',
    'opensByDay',
    // A process of a version without the column leaves it empty.
    ({ cast, fn, ref }) =>
      fn.coalesce('format', cast<number | null>(ref('snapshot', '->>').key('format' as never), 'integer')).as('format'),
  ]);

const whereLive = (query: ReturnType<typeof select>, now: Instant) =>
  query
    .where('revokedAt', 'is', null)
    .where(({ eb, or }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]));

async function countLive(queries: Queries, { accountId, kind }: NewShare, now: Instant): Promise<number> {
  const { live } = await whereLive(select(queries), now)
    .where('accountId', '=', accountId)
    .where('kind', '=', kind)
    .clearSelect()
    .select(({ fn }) => fn.countAll().as('live'))
    .executeTakeFirstOrThrow();
  return Number(live);
}

interface Audited {
  share: Pick<Row, 'id' | 'kind' | 'page' | 'params'>;
  what: 'created' | 'revoked' | 'expired';
  note: string;
}

function audit(
  queries: Queries,
  { share: { id, kind, page, params }, what, note }: Audited,
  { actor, requestId, now }: ChangedBy,
): Promise<void> {
  const of = params ? ` ${params.owner}/${params.repo}` : '';
  const entry = {
    category: 'access' as const,
    action: `${kind === 'badge' ? 'badge' : 'share'}.${what}`,
    actor,
    targetType: 'share',
    target: `${id} ${page}${of}`,
    before: null,
    after: null,
    requestId,
    note,
  };
  return appendAudit(queries, entry, now);
}
