import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, inject, test } from 'vitest';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { createDatabase, findPrograms } from '../support/postgres.ts';
import { noon, run, track } from './world.ts';

const chapter = readFileSync(new URL('../../app/routes/docs/content/backup.md', import.meta.url), 'utf8');
/** The two commands as operators read them: the dump and the restore. */
const commands = [...chapter.matchAll(/```sh\n(.*?)\n```/gs)].map(([, command = '']) => command);

const folder = mkdtempSync(join(tmpdir(), 'backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const change = {
  category: 'access',
  action: 'test.happened',
  actor: { id: 1, login: 'ann' },
  targetType: 'test',
  target: 'target',
  before: null,
  after: 1,
  requestId: null,
  note: null,
} as const;

async function fill(store: Store): Promise<number> {
  const repo = await track(store);
  await store.runs.ingest(repo, [run(1), run(2)], { syncedAt: noon });
  await store.audit.append(change, noon);
  await store.audit.append(change, noon + 1);
  return repo;
}

/** Nothing is lost, and everything that the database does by itself goes on: rollups, the chain of the audit log. */
async function expectIntact(store: Store, repo: number) {
  expect(await store.runs.summary(repo)).toMatchObject({ total: 2, latestRunId: 2 });
  await store.runs.ingest(repo, [run(3)], { syncedAt: noon });
  expect(await store.runs.summary(repo)).toMatchObject({ total: 3, latestRunId: 3 });
  await store.audit.append(change, noon + 2);
  const entries = { limit: 10, before: null, categories: null, actor: null, action: null };
  expect((await store.audit.list(entries)).map(({ id }) => id)).toEqual([3, 2, 1]);
  expect(await store.audit.broken()).toBeNull();
}

eachDatabase((given) => {
  const onServer = given.name === 'postgresql' ? test : () => {};
  const onEmbedded = given.name === 'embedded' ? test : () => {};

  onServer('the commands of the chapter bring everything back, from a database in use', async () => {
    const shell = (command: string, url: string) =>
      execFileSync('sh', ['-c', command], {
        cwd: folder,
        env: { PATH: `${findPrograms()}${delimiter}${process.env.PATH}`, DATABASE_URL: url },
      });
    const [dump = '', restore = ''] = commands;
    expect([dump, restore]).toEqual([expect.stringMatching(/^pg_dump /), expect.stringMatching(/^pg_restore /)]);
    const [from, to] = [await given.address(), await createDatabase(inject('postgres') as string)];
    const store = await openTestStore(from);
    const repo = await fill(store);
    shell(dump, from);
    await store.close();
    shell(restore, to);
    const restored = await openTestStore(to);
    await expectIntact(restored, repo);
    await restored.close();
  });

  onEmbedded('a copy of the folder brings everything back', async () => {
    const url = await given.address();
    const store = await openTestStore(url);
    const repo = await fill(store);
    await store.close();
    const copy = join(folder, 'copy');
    cpSync(fileURLToPath(url.replace('pglite:', 'file:')), copy, { recursive: true });
    const restored = await openTestStore(`pglite://${copy}`);
    await expectIntact(restored, repo);
    await restored.close();
  });
});
