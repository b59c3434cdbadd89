import { eachDatabase, embeddedDatabase, postgresDatabase } from './database.ts';
import { isThorough } from './rounds.ts';

/**
 * For suites that read the database through the store alone, whose own suites run on both kinds: runs them on the
 * embedded database, and with many rounds, which follow that, on PostgreSQL.
 */
export const aDatabase = isThorough ? postgresDatabase : embeddedDatabase;

/** The same for suites that depend on chance: runs them on the embedded database, and with many rounds on both. */
export const aDatabaseByChance = isThorough ? eachDatabase : embeddedDatabase;
