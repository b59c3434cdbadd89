import type { Selectable } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import { containing, type Database, type Tables } from './database.ts';

/** An access token as its owner and administrators see it; its text and the platform token are not in it. */
export type ListedToken = Omit<
  Selectable<Tables['access_tokens']>,
  'idHash' | 'sealed' | 'platformTokenHash' | 'revokeReason' | 'revokedBy' | 'accountId'
>;

export interface TokenQuery {
  /** Part of the login of an owner, in any case. */
  text: string | null;
  /** Live ones alone, or those that have ended. */
  state: 'live' | 'ended' | null;
  limit: number;
  offset: number;
}

/** More are not shown of one account; those that are live are among them. */
const maxShown = 100;

export const listedTokens = (database: Database) => ({
  /** Tokens of an account, the newest first; of those that have ended, as many of the newest as there is room for. */
  async ofAccount(accountId: number, now: Instant): Promise<ListedToken[]> {
    const tokens = await select(database)
      .where('accountId', '=', accountId)
      .orderBy(({ eb, and }) => and([eb('revokedAt', 'is', null), eb('expiresAt', '>', now)]), 'desc')
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(maxShown)
      .execute();
    return tokens.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  },
  /** Tokens of everybody, the newest first. */
  async list(
    { text, state, limit, offset }: TokenQuery,
    now: Instant,
  ): Promise<{ tokens: ListedToken[]; total: number }> {
    const matching = select(database)
      .$if(text !== null, (query) =>
        query.where(({ eb, fn }) => eb(fn<string>('lower', ['login']), 'like', containing(text as string))),
      )
      .$if(state === 'live', (query) => query.where('revokedAt', 'is', null).where('expiresAt', '>', now))
      .$if(state === 'ended', (query) =>
        query.where(({ eb, or }) => or([eb('revokedAt', 'is not', null), eb('expiresAt', '<=', now)])),
      );
    const { total } = await matching
      .clearSelect()
      .select(({ fn }) => fn.countAll().as('total'))
      .executeTakeFirstOrThrow();
    const tokens = await matching
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return { tokens, total: Number(total) };
  },
});

const select = ({ db }: Database) =>
  db
    .selectFrom('access_tokens')
    .select([
      'id',
      'kind',
      'login',
      'name',
      'hint',
      'features',
      'createdAt',
      'expiresAt',
      'lastUsedAt',
      'lastUsedFrom',
      'brokenAt',
      'revokedAt',
    ]);
