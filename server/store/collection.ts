import type { FactKind } from '../facts/fact-repository.ts';
import type { Instant, RepositoryName } from '../metrics/kernel/facts.ts';
import type { Pass } from '../sync/cursor.ts';
import type { Database } from './database.ts';
import { readingStatements } from './statements.ts';

/** How far one kind was read by a synchronization. */
export interface CursorReading {
  kind: 'runs' | 'prs' | 'commits';
  syncedThrough: Instant | null;
  backfilledTo: Instant | null;
  /** Where an interrupted reading goes on; of runs a pass. */
  resume: Pass | object | null;
  lastFinishedAt: Instant | null;
  /** The code of the error that ended the last reading. */
  lastError: string | null;
}

/** How far one kind of facts was read. */
export interface FactSyncState {
  kind: FactKind;
  floor: Instant;
  through: Instant;
  capped: boolean;
  /** The oldest stored fact where a cap ended the first reading; null where there is none, or no cap. */
  oldestAt: Instant | null;
}

/** What has been read of a repository, as stored. */
export interface RepositoryReadings extends RepositoryName {
  codehostId: number;
  tracked: boolean;
  unreachableSince: Instant | null;
  lastErrorCode: string | null;
  cursors: CursorReading[];
  states: FactSyncState[];
  /** When the oldest stored run was created. */
  firstRunAt: Instant | null;
  /** Pull requests merged since the instant requested: how many, those without their commits, those truncated at a limit. */
  merged: {
    total: number;
    unread: number;
    truncated: number;
    oldestReadAt: Instant | null;
    newestReadAt: Instant | null;
  };
  /** Run attempts of which all jobs are stored. */
  jobs: { attempts: number; lastReadAt: Instant | null };
}

/** What has been read and what not. */
export const collection = (database: Database) => ({
  /** Of the repositories with these ids of the platform the known ones, by name; merged pull requests since then. */
  of: (codehostIds: readonly number[], mergedSince: Instant): Promise<RepositoryReadings[]> =>
    database.run<RepositoryReadings>(readingStatements.repository_readings, {
      codehost_ids: codehostIds,
      merged_since: mergedSince,
    }),
});
