import { on } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DurableFiles, durable } from './durable-files.ts';

/** What a worker is started for: serve a folder or memory, or only prepare one and end. */
export type Assignment =
  | { serve: 'folder'; folder: string }
  | { serve: 'memory'; template: string }
  | { prepare: 'folder'; folder: string }
  | { prepare: 'template'; template: string };

/** Of PGlite's 128 MB most are a second copy of what the kernel has in its cache of files. */
const inFolder = [...durable(PGlite.defaultStartParams), '-c', 'shared_buffers=32MB'];

/** The data are in memory already: most of the time to start would go into the space for a second copy. */
const inMemory = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB', '-c', 'wal_recycle=off'];

const { assignment, program }: { assignment: Assignment; program: WebAssembly.Module } = workerData;
if ('prepare' in assignment) await prepare(assignment);
else await serve(assignment);

async function prepare(wanted: Extract<Assignment, { prepare: string }>) {
  const database = await PGlite.create({
    ...(wanted.prepare === 'folder'
      ? { dataDir: wanted.folder }
      : { initDbStartParams: ['--wal-segsize=1'], startParams: inMemory }),
    pgliteWasmModule: program,
  });
  if (wanted.prepare === 'template') {
    // What PostgreSQL makes databases from is two thirds of the archive, and this one makes none.
    for (const name of ['template0', 'template1']) {
      await database.exec(`alter database ${name} is_template false`);
      await database.exec(`drop database ${name}`);
    }
    await database.exec('checkpoint');
    const archive = await database.dumpDataDir('none');
    writeFileSync(wanted.template, Buffer.from(await archive.arrayBuffer()));
  }
  await database.close();
}

async function serve(wanted: Extract<Assignment, { serve: string }>) {
  const database = await PGlite.create({
    ...(wanted.serve === 'folder'
      ? { fs: new DurableFiles(wanted.folder), startParams: inFolder }
      : { loadDataDir: new Blob([readFileSync(wanted.template)]), startParams: inMemory }),
    pgliteWasmModule: program,
  });
  // PostgreSQL in one process has one session: connections are served one after the other.
  let last: Promise<unknown> = Promise.resolve();
  parentPort?.on('message', (port: MessagePort | 'close') => {
    const serveNext = port === 'close' ? () => end(database) : receive(database, port);
    last = last.then(serveNext);
  });
  parentPort?.postMessage('ready');
}

async function end(database: PGlite) {
  await database.close();
  parentPort?.postMessage('closed');
  parentPort?.close();
}

/** Collects what a connection sends until its turn comes; also its end, which may come before that. */
function receive(database: PGlite, port: MessagePort) {
  const messages = on(port, 'message', { close: ['close'] });
  port.start();
  return () => converse(database, port, messages);
}

/** Answers one connection until it sends Terminate or its port closes, and leaves a clean session behind. */
async function converse(database: PGlite, port: MessagePort, messages: ReturnType<typeof on>) {
  const frames = createFrameReader();
  for await (const [chunk] of messages) {
    const answer: Uint8Array[] = [];
    for (const frame of frames(chunk)) {
      if (frame[0] === terminate) port.close();
      else await database.execProtocolRawStream(frame, { onRawData: (bytes) => answer.push(bytes.slice()) });
    }
    if (answer.length === 0) continue;
    const bytes = Buffer.concat(answer);
    const panic = findPanic(bytes);
    port.postMessage(Uint8Array.from(bytes));
    if (panic !== null) throw new Error(`PostgreSQL panicked: ${panic}`);
  }
  await database.exec('rollback');
  await database.exec('discard all');
}

const terminate = 'X'.charCodeAt(0);

/**
 * What PostgreSQL panicked about, such as a full disk under its log; null where it did not. A server of its own would
 * end and recover; this one goes on with memory that is not to be trusted, and answers that request no more.
 */
function findPanic(answer: Buffer): string | null {
  const isComplete = answer.at(-6) === readyForQuery;
  if (isComplete || !answer.includes('VPANIC\0')) return null;
  return /\0M([^\0]*)/.exec(answer.toString())?.[1] ?? '';
}

const readyForQuery = 'Z'.charCodeAt(0);

/** Splits the byte stream into protocol messages: the first has a length only, all others a type before it. */
function createFrameReader() {
  let rest = Buffer.alloc(0);
  let typeBytes = 0;
  return function* (chunk: Uint8Array) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    while (rest.length >= typeBytes + 4) {
      const length = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < length) return;
      yield Uint8Array.from(rest.subarray(0, length));
      rest = rest.subarray(length);
      typeBytes = 1;
    }
  };
}
