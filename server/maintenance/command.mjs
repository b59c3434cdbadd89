import { DatabaseUnusable } from '../embedded/lock.ts';
import { CommandRefused } from './command-refused.ts';

/** Prints what a command of operators has to say. An expected error is one sentence on standard error, and code 1. */
export async function runCommand(work) {
  try {
    const { DATABASE_URL: databaseUrl } = process.env;
    if (!databaseUrl) throw new DatabaseUnusable('DATABASE_URL is not set: there is no database.');
    const lines = await work({ databaseUrl, env: process.env, argument: process.argv[2] });
    for (const line of lines) console.log(line);
  } catch (error) {
    if (!(error instanceof DatabaseUnusable || error instanceof CommandRefused)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
