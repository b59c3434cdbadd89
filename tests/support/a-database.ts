import { cheapestDatabase, eachDatabase, embeddedDatabase } from './database.ts';
import { isThorough } from './rounds.ts';

/**
 * For suites that read the database through the store alone, whose own suites run on both kinds: runs them on the
 * kind that takes half the time, PostgreSQL, and with many rounds, which follow that, on the embedded database. Where there is no
 * PostgreSQL, on the embedded database alone.
 */
export const aDatabase = isThorough ? embeddedDatabase : cheapestDatabase;

/** The same for suites that depend on chance: with many rounds on both. */
export const aDatabaseByChance = isThorough ? eachDatabase : cheapestDatabase;
