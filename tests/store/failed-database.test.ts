import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { type EmbeddedDatabase, openFolder } from '../../server/embedded/database.ts';
import { createLog } from '../../server/platform/log.ts';

const connect = async (database: EmbeddedDatabase) => {
  const client = new Client({ stream: () => database.connect() as never, user: 'postgres', database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

test('a database that PostgreSQL gives up on ends the process with one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'failed-'));
  const file = join(folder, 'log');
  const home = join(folder, 'db');
  const ended = Promise.withResolvers<void>();
  const database = await openFolder(home, createLog('info', file), ended.resolve);
  const client = await connect(database);
  await client.query('create table lamps (id int)');
  await client.query('insert into lamps values (1)');
  await client.query('checkpoint');
  // The log can get no further file, as on a full disk.
  rmSync(join(home, 'data', 'pg_wal'), { recursive: true });
  await client.query('select pg_switch_wal()');
  await expect(client.query('insert into lamps values (2)')).rejects.toThrow('pg_wal');
  await ended.promise;
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 60,
    folder: home,
    msg: 'the embedded database failed: check that the disk is not full, then restart',
    err: { message: expect.stringContaining('PostgreSQL panicked: could not create file') },
  });
  const late = database.connect();
  const [error] = await once(late, 'error');
  expect(error.message).toContain('closed: it failed');
  rmSync(folder, { recursive: true });
});

test('one that is closed ends nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'closed-'));
  const ends: string[] = [];
  const database = await openFolder(join(folder, 'db'), createLog('silent'), () => ends.push('ended'));
  await database.close();
  expect(ends).toEqual([]);
  rmSync(folder, { recursive: true });
});
