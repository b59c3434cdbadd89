import type { Instant } from '../metrics/kernel/facts.ts';
import { minuteMs } from '../metrics/kernel/window.ts';
import { appendAudit, type ChangedBy } from './audit.ts';
import type { Database, Queries } from './database.ts';
import type { TokenKind, TokenRevocation } from './entities/access-token.ts';
import type { Group } from './entities/user.ts';
import { listedTokens } from './listed-tokens.ts';
import { lock } from './locks.ts';
import { serviceStatements } from './statements.ts';

export interface NewAccessToken {
  /** The hash of its text, which is stored nowhere. */
  idHash: Buffer;
  kind: TokenKind;
  accountId: number;
  login: string;
  name: string;
  hint: string;
  features: readonly string[];
  /** The platform token, encrypted under the text. */
  sealed: string;
  platformTokenHash: Buffer;
  createdAt: Instant;
  expiresAt: Instant;
}

/** A token that is live, with what the groups of its account are granted right now. */
export interface FoundToken {
  id: number;
  kind: TokenKind;
  accountId: number;
  name: string;
  features: string[];
  sealed: string;
  expiresAt: Instant;
  lastUsedAt: Instant | null;
  /** Whether the platform rejected the platform token. */
  isBroken: boolean;
  /** Whether the account has signed in to this organization's deployment; never in standalone mode. */
  isKnown: boolean;
  groups: Group[];
  /** Keys of features, also such as this version does not know. */
  flags: string[];
}

/** The precision of `lastUsedAt`: a token in use writes no more often than this. */
const usedEveryMs = 5 * minuteMs;

export const accessTokens = (database: Database) => ({
  ...listedTokens(database),
  /** Stores a token with its entry of the audit log. Answers its number; null where the account has `max` live ones. */
  create: (token: NewAccessToken, max: number, by: ChangedBy): Promise<number | null> =>
    database.transaction(async (queries) => {
      await lock(queries, 'accessTokens');
      if ((await countLive(queries, token.accountId, by.now)) >= max) return null;
      const { id } = await queries.db
        .insertInto('access_tokens')
        .values({ ...token, features: [...token.features] })
        .returning('id')
        .executeTakeFirstOrThrow();
      await audit(queries, { action: 'token.created', target: `${id} ${token.name}`, note: null }, by);
      return Number(id);
    }),
  /** The token, if it is live: neither expired nor revoked. */
  async find(idHash: Buffer, now: Instant): Promise<FoundToken | null> {
    const [found] = await database.prepared<FoundToken>(serviceStatements.find_access_token, { id_hash: idHash, now });
    return found ?? null;
  },
  /** Notes that a token was used, and from which network, at most once in five minutes. */
  async noteUse({ id, lastUsedAt }: FoundToken, from: string, now: Instant): Promise<void> {
    const before = now - usedEveryMs;
    if (lastUsedAt !== null && lastUsedAt >= before) return;
    await database.db
      .updateTable('access_tokens')
      .set({ lastUsedAt: now, lastUsedFrom: from })
      .where('id', '=', id)
      .where(({ eb, or }) => or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', before)]))
      .execute();
  },
  /** Stores a platform token that was encrypted anew. */
  async reseal(id: number, before: string, sealed: string): Promise<void> {
    await database.db
      .updateTable('access_tokens')
      .set({ sealed })
      .where('id', '=', id)
      .where('sealed', '=', before)
      .execute();
  },
  /** Whether a live token rests on this token of the platform. */
  async carriesToken(platformTokenHash: Buffer, now: Instant): Promise<boolean> {
    const found = await database.db
      .selectFrom('access_tokens')
      .select('id')
      .where('platformTokenHash', '=', platformTokenHash)
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', now)
      .executeTakeFirst();
    return found !== undefined;
  },
  /** Notes on every live token that rests on this token of the platform that the platform rejects it. */
  async markBroken(platformTokenHash: Buffer, now: Instant): Promise<void> {
    await database.db
      .updateTable('access_tokens')
      .set({ brokenAt: now })
      .where('platformTokenHash', '=', platformTokenHash)
      .where('revokedAt', 'is', null)
      .where('brokenAt', 'is', null)
      .execute();
  },
  /** Revokes one token, of this account where one is given; one that has ended stays as it is. */
  revoke: (
    { id, accountId = null }: { id: number; accountId?: number | null },
    reason: TokenRevocation,
    by: ChangedBy,
  ): Promise<'revoked' | 'ended' | 'unknown'> =>
    database.transaction(async (queries) => {
      const revoked = await revokeLive(queries, reason, by)
        .where('id', '=', id)
        .$if(accountId !== null, (query) => query.where('accountId', '=', accountId as number))
        .executeTakeFirst();
      if (!revoked) return (await exists(queries, id, accountId)) ? 'ended' : 'unknown';
      await audit(queries, { action: 'token.revoked', target: `${revoked.id} ${revoked.name}`, note: reason }, by);
      return 'revoked';
    }),
  /** Accounts with a live token, each once. */
  accounts: (now: Instant): Promise<{ accountId: number }[]> =>
    database.db
      .selectFrom('access_tokens')
      .distinct()
      .select('accountId')
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', now)
      .orderBy('accountId')
      .execute(),
  /** Revokes every live token of an account. Answers how many there were. */
  revokeAll: (accountId: number, reason: TokenRevocation, by: ChangedBy): Promise<number> =>
    database.transaction(async (queries) => {
      const revoked = await revokeLive(queries, reason, by).where('accountId', '=', accountId).execute();
      const target = revoked.map(({ id, name }) => `${id} ${name}`).join(', ');
      const note = reason === 'owner' ? null : reason;
      if (revoked.length > 0) await audit(queries, { action: 'token.all_revoked', target, note }, by);
      return revoked.length;
    }),
});

async function countLive({ db }: Queries, accountId: number, now: Instant): Promise<number> {
  const { live } = await db
    .selectFrom('access_tokens')
    .select(({ fn }) => fn.countAll().as('live'))
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow();
  return Number(live);
}

async function exists({ db }: Queries, id: number, accountId: number | null): Promise<boolean> {
  const found = await db
    .selectFrom('access_tokens')
    .select('id')
    .where('id', '=', id)
    .$if(accountId !== null, (query) => query.where('accountId', '=', accountId as number))
    .executeTakeFirst();
  return found !== undefined;
}

/** Revokes those of the tokens that are live. */
const revokeLive = ({ db }: Queries, reason: TokenRevocation, { actor, now }: ChangedBy) =>
  db
    .updateTable('access_tokens')
    .set({ revokedAt: now, revokeReason: reason, revokedBy: actor.login })
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning(['id', 'name']);

const audit = (
  queries: Queries,
  { action, target, note }: { action: string; target: string; note: string | null },
  { actor, requestId, now }: ChangedBy,
): Promise<void> => {
  const entry = {
    category: 'access' as const,
    action,
    actor,
    targetType: 'access_token',
    target,
    before: null,
    after: null,
    requestId,
    note,
  };
  return appendAudit(queries, entry, now);
};
