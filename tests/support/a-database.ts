import { embeddedDatabase, postgresDatabase } from './database.ts';
import { isThorough } from './rounds.ts';

/**
 * For suites that read the database through the store alone, whose own suites run on both kinds: runs them on the
 * embedded database, and with many rounds, which follow that, on PostgreSQL.
 */
export const aDatabase = isThorough ? postgresDatabase : embeddedDatabase;
