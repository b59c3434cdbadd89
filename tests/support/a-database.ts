import { eachDatabase, embeddedDatabase } from './database.ts';
import { isThorough } from './rounds.ts';

/**
 * For suites that read the database through the store alone, whose own suites run on both kinds: runs them on the
 * embedded database, and on both where there is time.
 */
export const aDatabase = isThorough ? eachDatabase : embeddedDatabase;
