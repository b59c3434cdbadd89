import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished, TestRunner } from 'vitest';
import { type Contents, empty, type Query, readContents } from './emptied-database.ts';
import { addressOf, inPostgres, migrated } from './postgres.ts';

interface Created {
  socket: string;
  name: string;
  /** What it held when it was new; null for one that is not used again. */
  contents: Contents | null;
}

/** Databases of this worker that a test may still use. */
const used = new Set<Created>();
/** Emptied ones that nobody uses: to empty one takes a tenth of what making and dropping one does. */
const idle: Created[] = [];
const maxIdle = 8;

/** A new, empty database on the server behind that socket. Answers its address. */
export async function createDatabase(socket: string): Promise<string> {
  const one = { socket, name: await copyOf('template1', socket), contents: null };
  used.add(one);
  return addressOf(socket, one.name);
}

/** The same with this version's shape, new or emptied; on the server of the whole run only. */
export async function createMigrated(socket: string): Promise<string> {
  const one = idle.pop() ?? (await makeMigrated(socket));
  used.add(one);
  // After the hooks that close what the test opens on it, since these are registered later.
  if (TestRunner.getCurrentTest()) onTestFinished(() => release(one));
  return addressOf(socket, one.name);
}

let contents: Contents | undefined;

async function makeMigrated(socket: string): Promise<Created> {
  const name = await copyOf(migrated, socket);
  contents ??= await query(socket, name, readContents);
  return { socket, name, contents };
}

/** Empties or drops the databases of a file that ended: all of a run take 7 GB. Those still connected to stay. */
export async function releaseAll(): Promise<void> {
  for (const one of used) {
    await release(one);
    if (used.delete(one)) await drop(one);
  }
}

/** Makes a database that nobody is connected to ready for another test. */
async function release(one: Created): Promise<void> {
  if (one.contents === null || !existsSync(one.socket) || (await isConnectedTo(one))) return;
  const { contents } = one;
  used.delete(one);
  if (idle.length < maxIdle && (await query(one.socket, one.name, (run) => empty(run, contents)))) idle.push(one);
  else await drop(one);
}

/** Whether somebody is connected, other than a connection that is being closed. */
async function isConnectedTo({ socket, name }: Created): Promise<boolean> {
  const connections = `select count(a.pid)::int as connections
    from pg_database d left join pg_stat_activity a using (datname) where datname = '${name}' group by datname`;
  for (let looks = 0; looks < maxLooks; looks++) {
    const [found] = await inPostgres(socket, connections);
    if (found?.connections === 0) return false;
    await sleep(closingMs);
  }
  return true;
}

const maxLooks = 5;
const closingMs = 20;

async function drop({ socket, name }: Created): Promise<void> {
  // A server of the test's own has stopped by now.
  if (existsSync(socket)) await inPostgres(socket, `drop database if exists ${name}`).catch(unlessConnected);
}

function unlessConnected(error: unknown): void {
  const connected = '55006';
  if ((error as { code?: string }).code !== connected) throw error;
}

async function copyOf(template: string, socket: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await inPostgres(socket, `create database ${name} template ${template}`);
  return name;
}

async function query<T>(socket: string, database: string, work: (query: Query) => Promise<T>): Promise<T> {
  const client = new pg.Client({ host: socket, user: 'postgres', database });
  await client.connect();
  try {
    return await work(async (sql) => (await client.query(sql)).rows);
  } finally {
    await client.end();
  }
}
