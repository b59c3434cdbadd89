import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Log } from '../platform/log.ts';
import { sourceFile } from '../platform/source-files.ts';
import { holdLock } from './lock.ts';
import { makePrivate } from './private-tree.ts';
import { EmbeddedSocket } from './socket.ts';
import { syncTree } from './sync-tree.ts';
import { memoryTemplate } from './template.ts';
import type { Assignment } from './worker.ts';

/** PostgreSQL inside this process. `connect` gives what `pg` takes for its `stream`; one connection at a time. */
export interface EmbeddedDatabase {
  connect(): EmbeddedSocket;
  close(): Promise<void>;
}

/**
 * Opens the embedded database in a folder, making it when it is not there; committed data survive a power cut.
 * Where it fails later, the process is ended: what comes after it recovers what was committed.
 * @throws DatabaseUnusable when another process uses the folder.
 */
export async function openFolder(
  folder: string,
  log: Log,
  endProcess: () => void = () => process.exit(1),
): Promise<EmbeddedDatabase> {
  const home = resolve(folder);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const release = holdLock(join(home, 'lock'));
  try {
    const data = join(home, 'data');
    if (!existsSync(data)) await prepareFolder(data);
    // The database writes with the permissions that it finds: earlier versions left its files to everybody.
    const denied = await makePrivate(home);
    if (denied.length > 0) log.warn({ paths: denied.slice(0, 10) }, 'other users may be able to read these paths');
    // PostgreSQL refuses to start beside a lock file of its own that a killed process left empty. Ours is held.
    rmSync(join(data, 'postmaster.pid'), { force: true });
    return await serve({ serve: 'folder', folder: data }, release, (err) => {
      log.fatal({ err, folder: home }, 'the embedded database failed: check that the disk is not full, then restart');
      endProcess();
    });
  } catch (error) {
    release();
    throw error;
  }
}

/** A database in memory, for tests and for comparing schemas: empty, or as an archive of PGlite's holds it. */
export const openMemory = async (archive?: string): Promise<EmbeddedDatabase> =>
  serve({ serve: 'memory', template: archive ?? (await emptyArchive()) });

/** The archive of an empty database. */
export const emptyArchive = () => memoryTemplate((template) => run({ prepare: 'template', template }));

/** The folder appears under its name only when it is complete and on disk. */
async function prepareFolder(data: string) {
  const draft = `${data}.new`;
  rmSync(draft, { recursive: true, force: true });
  await run({ prepare: 'folder', folder: draft });
  await syncTree(draft);
  renameSync(draft, data);
  await syncTree(dirname(data), { deep: false });
}

/** Making a database takes some 250 MB more than using it: it happens in a worker that goes away. */
async function run(assignment: Assignment) {
  const [code] = await once(await start(assignment), 'exit');
  if (code !== 0) throw new Error(`The embedded database could not be made (${code}).`);
}

async function serve(
  assignment: Assignment,
  release = () => {},
  fail: (error: Error) => void = () => {},
): Promise<EmbeddedDatabase> {
  const worker = await start(assignment);
  const open = new Set<EmbeddedSocket>();
  let stopped: Error | undefined;
  let isClosing = false;
  await once(worker, 'message');
  worker.on('error', (error: Error) => {
    stopped = new Error('The embedded database is closed: it failed.', { cause: error });
  });
  worker.on('exit', () => {
    stopped ??= new Error('The embedded database is closed.');
    for (const socket of open) socket.destroy(stopped);
    release();
    if (!isClosing) fail(stopped);
  });
  worker.unref();
  return {
    connect() {
      const { port1, port2 } = new MessageChannel();
      const socket = new EmbeddedSocket(port1);
      if (stopped) return socket.destroy(stopped);
      open.add(socket.on('close', () => open.delete(socket)));
      worker.postMessage(port2, [port2]);
      return socket;
    },
    async close() {
      if (stopped) return;
      isClosing = true;
      worker.ref();
      worker.postMessage('close');
      await once(worker, 'exit');
    },
  };
}

/** The program is compiled once for all workers of the process. */
async function start(assignment: Assignment): Promise<Worker> {
  program ??= WebAssembly.compile(
    await readFile(join(dirname(createRequire(import.meta.url).resolve(pglite)), 'pglite.wasm')),
  );
  return new Worker(sourceFile('server/embedded/worker.ts'), {
    workerData: { assignment, program: await program },
    // As the process: a report about a crash has no secret of the environment.
    execArgv: ['--report-exclude-env'],
  });
}

const pglite = '@electric-sql/pglite';
let program: Promise<WebAssembly.Module> | undefined;
