import { readFileSync } from 'node:fs';
import pg from 'pg';
import { createLog } from '../../server/platform/log.ts';
import { openStore } from '../../server/store/orm.ts';
import { createDatabase } from './created-databases.ts';

const script = new URL('../../migrations/scale/partition-by-month.sql', import.meta.url);

/** Does to a database what its operator does once, and then every month. */
export async function partition(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`begin; ${readFileSync(script, 'utf8')}; commit`);
  await client.end();
}

/** A new database on the server behind that socket that has this version's shape, in months. Answers its address. */
export async function createPartitioned(socket: string): Promise<string> {
  const url = await createDatabase(socket);
  const log = createLog('silent');
  await (await openStore({ url, log, poolMax: 1, statementTimeoutMs: 60_000, migrate: true })).close();
  await partition(url);
  return url;
}
