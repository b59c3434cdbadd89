import { createDatabase } from '../support/created-databases.ts';
import { migratedMemory } from '../support/migrated.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { recordOrganization } from './organization.ts';
import { recordPages } from './pages.ts';
import type { Recorder } from './recorder.ts';
import { recordStandalone } from './standalone.ts';
import { recordStored } from './stored.ts';
import { recordTrouble } from './trouble.ts';

interface Group {
  /** The file of its manifest. Both kinds of database give the same answers, so that they share one. */
  manifest: string;
  /** `socket` is where a PostgreSQL server listens, if one does. */
  record(recorder: Recorder, socket?: string): Promise<void>;
}

/** What is recorded, each by itself. */
export const groups: Record<string, Group> = {
  standalone: { manifest: 'standalone.jsonl', record: recordStandalone },
  embedded: {
    manifest: 'stored.jsonl',
    record: async (recorder) => recordStored(recorder, await migratedMemory()),
  },
  postgresql: { manifest: 'stored.jsonl', record: recordPostgres },
  organization: { manifest: 'organization.jsonl', record: recordOrganization },
  trouble: { manifest: 'trouble.jsonl', record: recordTrouble },
  pages: { manifest: 'pages.jsonl', record: recordPages },
};

async function recordPostgres(recorder: Recorder, socket?: string): Promise<void> {
  if (socket !== undefined) return recordStored(recorder, await createDatabase(socket));
  const programs = findPrograms();
  if (!programs) throw new Error('PostgreSQL is not installed here: record the other groups by their names.');
  const server = await startServer(programs);
  try {
    await recordStored(recorder, await createDatabase(server.socket));
  } finally {
    await server.stop();
  }
}
