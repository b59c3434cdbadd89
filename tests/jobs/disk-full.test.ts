import { chown, mkdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { runsSync } from '../../jobs/runs-sync.ts';
import { isDatabaseUnavailable } from '../../server/store/failure.ts';
import { run, track } from '../store/world.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { nightlyStage, troubleMs } from './nightly-stage.ts';
import { smallDisk } from './small-disk.ts';

const programs = findPrograms();
// Without the right to mount there is no small disk to fill.
const canMount = (() => {
  const disk = smallDisk(1);
  disk?.remove();
  return disk !== null;
})();

describe.skipIf(!canMount)('a disk that is full', () => {
  const disks: ReturnType<typeof smallDisk>[] = [];
  afterAll(() => {
    for (const disk of disks) disk?.remove();
  });
  const newDisk = (megabytes: number) => {
    const disk = smallDisk(megabytes);
    disks.push(disk);
    if (!disk) throw new Error('The disk could not be made.');
    return disk;
  };

  describe('under the embedded database', () => {
    const disk = canMount ? newDisk(160) : null;
    suite(disk, async () => `pglite://${disk?.folder}/db`);
  });

  describe.skipIf(programs === null)('under the tables of PostgreSQL', () => {
    const disk = canMount && programs !== null ? newDisk(64) : null;
    // A server of its own: on a shared one any session may have to write a page of this database, and fails.
    let server: Awaited<ReturnType<typeof startServer>> | undefined;
    // What is requested first comes last: the service is closed by then.
    afterAll(() => server?.stop());
    suite(disk, async () => {
      server = await startServer(programs ?? '');
      const { socket } = server;
      await mkdir(`${disk?.folder}/data`);
      await giveToServer(`${disk?.folder}/data`, socket);
      await onServer(socket, `create tablespace small location '${disk?.folder}/data'`);
      await onServer(socket, 'create database small tablespace small');
      return `postgres://postgres@localhost/small?host=${encodeURIComponent(socket)}`;
    });
  });
});

type Disk = NonNullable<ReturnType<typeof smallDisk>> | null;

function suite(disk: Disk, address: () => Promise<string>) {
  const stage = nightlyStage(address);

  test('is reported as what it is; nothing that was stored is lost; and the work goes on by itself when there is room', async () => {
    const repoId = await track(stage.store);
    let written = 0;
    const saved: number[] = [];
    const ingest = async (count: number) => {
      const runs = Array.from({ length: count }, () => run(++written, { createdAt: stage.clock.now() }));
      await stage.store.runs.ingest(repoId, runs, { syncedAt: stage.clock.now() });
      saved.push(...runs.map(({ id }) => id));
    };
    await ingest(100);
    disk?.fill();
    // What there is room for within the files is still written.
    const failure = await (async () => {
      for (let tries = 0; tries < 60; tries++) await ingest(500);
    })().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: '53100' });
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect((await stage.store.runs.summary(repoId)).total, 'what is there can be read').toBe(saved.length);
    const slot = stage.begin(runsSync);
    await sleep(troubleMs);
    expect((await slot.rows()).map(({ status }) => status)).not.toContain('done');
    disk?.free();
    await stage.doneSoon(slot);
    await ingest(1);
    const stored = await stage.store.runs.attempts(repoId, { since: 0, limit: 100_000 });
    expect(stored.map(({ id }) => id).sort((one, other) => one - other)).toEqual(saved);
    const both = await stage.stored();
    expect(both.kept.map(({ runs }) => runs)).toEqual(both.there.map(({ runs }) => runs));
  });
}

/** The server's own folder reports whose a tablespace must be. */
async function giveToServer(folder: string, socket: string) {
  const { uid, gid } = await stat(socket);
  await chown(folder, uid, gid);
}

async function onServer(socket: string, statement: string) {
  const client = new pg.Client({ host: socket, user: 'postgres', database: 'postgres' });
  await client.connect();
  await client.query(statement);
  await client.end();
}
