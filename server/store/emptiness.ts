import { createLog } from '../platform/log.ts';
import { connect } from './connection.ts';

/** Whether there is any table in a database that is not PostgreSQL's own. */
export async function hasTables(url: string): Promise<boolean> {
  const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 60_000 });
  try {
    const tables = await connection.orm.em.getKysely().introspection.getTables();
    return tables.length > 0;
  } finally {
    await connection.close();
  }
}
