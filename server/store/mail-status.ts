import type { Selectable } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database, Tables } from './database.ts';

/** How the last emails went; null for what has not happened yet. */
export type MailStatus = Omit<Selectable<Tables['mail_status']>, 'id'>;

/** One row for all processes: how the last emails went that were sent through a provider. */
export const mailStatus = ({ db }: Database) => ({
  async get(): Promise<MailStatus> {
    const status = await db
      .selectFrom('mail_status')
      .select(['lastSuccessAt', 'lastError', 'lastErrorAt'])
      .executeTakeFirst();
    return status ?? { lastSuccessAt: null, lastError: null, lastErrorAt: null };
  },
  async succeeded(now: Instant): Promise<void> {
    await db
      .insertInto('mail_status')
      .values({ lastSuccessAt: now })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(({ fn }) => ({
          lastSuccessAt: fn('greatest', ['mail_status.lastSuccessAt', 'excluded.lastSuccessAt']),
        })),
      )
      .execute();
  },
  async failed(error: string, now: Instant): Promise<void> {
    await db
      .insertInto('mail_status')
      .values({ lastError: error, lastErrorAt: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ lastError: error, lastErrorAt: now }))
      .execute();
  },
});
