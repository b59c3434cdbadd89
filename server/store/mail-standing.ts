import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import { fromMs, toMs } from './wire-sql.ts';

/** How the last letters went; null for what has not happened yet. */
export interface MailStanding {
  lastSuccessAt: Instant | null;
  /** What the provider said, without addresses and keys. */
  lastError: string | null;
  lastErrorAt: Instant | null;
}

/** One row for all processes: what came of the last letters that were handed to a provider. */
export const mailStanding = (database: Database) => ({
  async get(): Promise<MailStanding> {
    const [row] = await database.query<MailStanding>(select);
    return row ?? { lastSuccessAt: null, lastError: null, lastErrorAt: null };
  },
  async succeeded(now: Instant): Promise<void> {
    await database.query(
      `insert into mail_standing as known (last_success_at) values (${fromMs('$1')})
       on conflict (id) do update set last_success_at = greatest(known.last_success_at, excluded.last_success_at)`,
      [now],
    );
  },
  async failed(error: string, now: Instant): Promise<void> {
    await database.query(
      `insert into mail_standing (last_error, last_error_at) values ($1, ${fromMs('$2')})
       on conflict (id) do update set last_error = excluded.last_error, last_error_at = excluded.last_error_at`,
      [error, now],
    );
  },
});

const select = `
  select ${toMs('last_success_at')} as "lastSuccessAt", last_error as "lastError",
    ${toMs('last_error_at')} as "lastErrorAt"
  from mail_standing`;
