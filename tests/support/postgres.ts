import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { migrate } from '../../server/store/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the socket of a real PostgreSQL server, null where there is none. */
    postgres: string | null;
  }
}

/** Starts one PostgreSQL server for the whole run, where the machine has its programs, and stops it at the end. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const programs = findPrograms();
  project.provide('postgres', null);
  if (!programs) {
    if (process.env.REQUIRE_POSTGRES === '1')
      throw new Error('REQUIRE_POSTGRES=1, but no PostgreSQL programs were found.');
    console.warn('\n  PostgreSQL is not installed here: its half of the database tests is LEFT OUT.\n');
    return;
  }
  const server = await startServer(programs);
  await makeMigrated(server.socket);
  project.provide('postgres', server.socket);
  return server.stop;
}

/** The database that has this version's shape. */
export const migrated = 'migrated';

/** Makes what `createMigrated` copies: making it once takes what each copy saves. */
async function makeMigrated(socket: string): Promise<void> {
  await inPostgres(socket, `create database ${migrated}`);
  const url = addressOf(socket, migrated);
  const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 60_000 });
  await migrate(connection.orm);
  await connection.close();
}

/** A throw-away PostgreSQL server that listens on a socket of its own only. */
export async function startServer(programs: string): Promise<{ socket: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const user = unprivileged();
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { ...user, cwd: folder };
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(programs, 'initdb'), initdb, { ...options, stdio: 'ignore' });
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=on', 'max_connections=100'];
  const command = [join(programs, 'postgres'), '-D', data, ...settings.flatMap((one) => ['-c', one])];
  const server = spawn('sh', ['-c', untilInputEnds, folder, ...command], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const stop = async () => {
    server.stdin.end();
    if (server.exitCode === null) await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  await ready(server, data);
  return { socket: folder, stop };
}

/** Runs a command until the input is closed, which happens however the run of the tests ends; then tidies up. */
const untilInputEnds = '"$@" & server=$!; cat; kill -INT $server; wait $server; rm -rf "$0"';

/** Connections of this process, by the folder of the socket. They end by themselves, and keep no process from its end. */
const pools = new Map<string, pg.Pool>();

/** Lets a statement run in the database of the server that no test uses: to connect takes longer than most of them. */
export async function inPostgres(socket: string, statement: string): Promise<Record<string, unknown>[]> {
  const pool = pools.get(socket) ?? poolOf(socket);
  pools.set(socket, pool);
  return (await pool.query(statement)).rows;
}

function poolOf(socket: string): pg.Pool {
  const pool = new pg.Pool({ host: socket, user: 'postgres', database: 'postgres', max: 2, allowExitOnIdle: true });
  // A server that stops ends connections that nobody uses at that time.
  pool.on('error', () => undefined);
  return pool;
}

export const addressOf = (socket: string, name: string) =>
  `postgres://postgres@localhost/${name}?host=${encodeURIComponent(socket)}`;

export const findPrograms = (): string | null =>
  candidates().find((folder) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program)))) ?? null;

function candidates(): string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [...versions.map((version) => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(delimiter)];
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!user) throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody.');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

async function ready(server: ChildProcess, data: string) {
  for (let waited = 0; waited < 30_000; waited += 20) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended at once (${server.exitCode}).`);
    const state = join(data, 'postmaster.pid');
    if (existsSync(state) && readFileSync(state, 'utf8').split('\n')[7]?.trim() === 'ready') return;
    await sleep(20);
  }
  throw new Error('PostgreSQL did not become ready within 30 s.');
}
