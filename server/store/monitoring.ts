import type { Database } from './database.ts';

/** Connections of this process, and statements that wait for one. */
export interface ConnectionCounts {
  active: number;
  idle: number;
  waiting: number;
}

/** What is watched about the database itself, for `/metrics`. */
export const monitoring = (database: Database) => ({
  connections: (): Promise<ConnectionCounts> => database.connections(),
});
