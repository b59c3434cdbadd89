import { MessageChannel } from 'node:worker_threads';
import pg from 'pg';
import { type EmbeddedDatabase, openMemory } from '../../server/embedded/database.ts';
import { EmbeddedSocket } from '../../server/embedded/socket.ts';
import { type Contents, empty, type Query, readContents } from './emptied-database.ts';

/** An embedded database that is open, as it was made: what it held, and what it consists of. */
interface Prepared {
  database: EmbeddedDatabase;
  archive: string;
  contents: Contents;
  uses: number;
}

/** Databases of a pool that nobody uses now. */
type IdleMemories = Prepared[];

const shared: IdleMemories = [];
/** So many stay open in a worker that nobody uses, and so often is one used: its log only grows. */
const mostIdle = 2;
const mostUses = 40;

/**
 * Opens the database of an archive in memory, or uses one again that was closed: to empty one takes a tenth of the time.
 * What changed the shape is not used again, nor is an empty database, from which only tests of migrating begin.
 */
export const reusedMemory = (archive?: string): Promise<EmbeddedDatabase> => openReused(shared, archive);

/** The same of a pool of its own, which nobody else fills or uses up. */
export function createMemories(): typeof reusedMemory {
  const idle: IdleMemories = [];
  return (archive) => openReused(idle, archive);
}

async function openReused(idle: IdleMemories, archive?: string): Promise<EmbeddedDatabase> {
  if (archive === undefined) return openMemory();
  const place = idle.findLastIndex((one) => one.archive === archive);
  const [found = await prepare(archive)] = place < 0 ? [] : idle.splice(place, 1);
  found.uses += 1;
  let closing: Promise<void> | undefined;
  return {
    connect: () => (closing ? closedSocket() : found.database.connect()),
    close: () => (closing ??= putBack(found, idle)),
  };
}

async function prepare(archive: string): Promise<Prepared> {
  const database = await openMemory(archive);
  const contents = await speak(database, readContents);
  return { database, archive, contents, uses: 0 };
}

async function putBack(used: Prepared, idle: IdleMemories): Promise<void> {
  const isAsItWas =
    used.uses < mostUses &&
    idle.length < mostIdle &&
    (await speak(used.database, (query) => empty(query, used.contents)));
  if (isAsItWas) idle.push(used);
  else await used.database.close();
}

/** Lets statements run on an embedded database that nobody else uses meanwhile. */
export async function speak<T>(database: EmbeddedDatabase, work: (query: Query) => Promise<T>): Promise<T> {
  const client = new pg.Client({ user: 'postgres', database: 'postgres', stream: () => database.connect() as never });
  await client.connect();
  try {
    return await work(async (sql) => (await client.query(sql)).rows);
  } finally {
    await client.end();
  }
}

const closedSocket = () =>
  new EmbeddedSocket(new MessageChannel().port1).destroy(new Error('The embedded database is closed.'));
