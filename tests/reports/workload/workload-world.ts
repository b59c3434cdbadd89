import { createLog } from '../../../server/platform/log.ts';
import { connect } from '../../../server/store/connection.ts';
import { toDatabase } from '../../../server/store/database.ts';
import { migrate } from '../../../server/store/migrate.ts';
import { type Answered, type Service, startService } from '../../support/service.ts';
import { besidesTokenCheck } from '../../support/token-check.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** An answer, and what was requested from the platform for it. */
export async function asking(
  service: Service,
  path: string,
  as = 'token-ann',
): Promise<Answered & { operations: (string | null)[]; quota: number }> {
  await service.signIn(as);
  service.double.requests.length = 0;
  const answer = await service.ask('GET', path, { as });
  const sent = besidesTokenCheck(service.double.requests);
  return {
    ...answer,
    operations: sent.map(({ operation }) => operation),
    quota: sent.reduce((sum, { cost }) => sum + cost, 0),
  };
}

/** A service on a database that outlives it, with these links made by an administrator before it started. */
export async function serviceOn(url: string, links: Record<string, string> = {}): Promise<Service> {
  if (Object.keys(links).length > 0) await linked(url, links);
  return startService({ DATABASE_URL: url });
}

async function linked(url: string, links: Record<string, string>) {
  const settings = { log: createLog('silent'), poolMax: 2, statementTimeoutMs: 60_000, migrate: true };
  const connection = await connect({ ...settings, url });
  await migrate(connection.orm);
  for (const [alias, primary] of Object.entries(links))
    await toDatabase(connection.orm).query(
      `insert into identity_links (alias_key, alias, primary_key, primary_login, created_by, created_at)
       values (lower($1), $1, lower($2), $2, 'admin', now())`,
      [alias, primary],
    );
  await connection.close();
}
