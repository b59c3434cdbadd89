import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { toDatabase } from '../../server/store/database.ts';
import { delivered, runEvent, webhookSecret } from '../codehost-double/webhook.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { goodQuestion, readsOf, withQuery } from '../recorded/questions.ts';
import { baseline } from '../support/baseline.ts';
import { createDatabase } from '../support/created-databases.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { findPrograms } from '../support/postgres.ts';
import { type Service, startService } from '../support/service.ts';

const root = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newFile = () => join(folder, `${++files}.backup`);

/** Runs `npm run <name> -- <argument>` without what npm does before. */
function runScript(name: 'backup' | 'restore', url: string | undefined, argument: string, path = withPrograms()) {
  const [, script = ''] = /^node --env-file-if-exists=\.env (\S+)$/.exec(scripts[name]) ?? [];
  const env = { PATH: path, ...(url !== undefined && { DATABASE_URL: url }) };
  return new Promise<{ code: number; said: string; complaint: string }>((done) => {
    const child = execFile(
      process.execPath,
      [baseline, join(root, script), argument],
      { env, cwd: folder },
      (_, said, complaint) => done({ code: child.exitCode ?? -1, said, complaint }),
    );
  });
}

const withPrograms = () => [findPrograms(), process.env.PATH].join(delimiter);

const settings = {
  MODE: 'organization',
  DEFAULT_GROUP: 'devops',
  CODEHOST_WEBHOOK_SECRET: webhookSecret,
  RATE_LIMIT_SESSION_PER_MINUTE: '0',
};
const minute = 60_000;

/** What only the database knows, beside what was read from the platform: rules, settings, views, the audit log. */
async function fill(service: Service): Promise<void> {
  const write = async (method: string, path: string, body?: object) => {
    service.clock.advance(minute);
    const { status, text } = await service.ask(method, path, { as: 'token-ann', body });
    expect(status, `${method} ${path} ${text}`).toBeLessThan(300);
  };
  await write('POST', '/api/db/sync?owner=octo&repo=web');
  await write('POST', '/api/db/sync?owner=octo&repo=api');
  await write('POST', '/api/alerts', { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20 });
  await write('PUT', '/api/settings/ai', { enabled: true, provider: 'openai', api_key: 'sk-0123456789abcdef' });
}

/**
 * What every operation that reads answers to people of sessions that exist; what is left of GitHub’s limit is not ours, and what was
 * read from there is newer in a new process. */
async function everyAnswer(service: Service, cookies: string[]): Promise<Record<string, string>> {
  const reads = readsOf(await service.ask('GET', '/api/openapi.json'));
  expect(reads.length).toBeGreaterThan(60);
  const answers: Record<string, string> = {};
  for (const cookie of cookies)
    for (const read of reads.filter(({ path }) => path !== '/api/codehost/rate-limit')) {
      const question = withQuery(read.path, goodQuestion(read));
      const { status, text } = await service.ask('GET', question, { headers: { cookie } });
      answers[`${cookies.indexOf(cookie)} ${question}`] =
        `${status} ${text.replace(/"(request_id|generated_at)":"[^"]+"/g, '')}`;
    }
  return answers;
}

/** What the database does by itself goes on: a delivered run is counted. */
async function expectCounting(service: Service): Promise<void> {
  const web = repositoryOf(service.double.world, 'octo/web');
  const total = async () => {
    const { body } = await service.ask('GET', '/api/db/runs?owner=octo&repo=web&limit=1', { as: 'token-ann' });
    return body.runs[0]?.id;
  };
  const run = service.double.putRun('octo/web', { id: 990_001, createdAt: service.clock.now(), conclusion: 'failure' });
  const { body, headers } = delivered(runEvent(web, run), { delivery: 'delivery-restored' });
  expect(await service.ask('POST', '/api/webhooks/codehost', { body, headers })).toMatchObject({ status: 200 });
  expect(await total()).toBe(990_001);
}

eachDatabase((given) => {
  const onServer = given.name === 'postgresql';
  const emptyUrl = async () =>
    onServer ? createDatabase(inject('postgres') as string) : `pglite://${join(folder, `database-${++files}`)}`;

  describe('a backup', () => {
    test('that is restored gives every answer that was given before', async () => {
      const [from, to, file] = [await given.address(), await emptyUrl(), newFile()];
      const before = await startService({ ...settings, DATABASE_URL: from });
      await fill(before);
      const cookies = [await before.signIn('token-ann'), await before.signIn('token-bo')];
      // The first time, answers store what they read; then they are made as by a process that has just begun.
      await everyAnswer(before, cookies);
      before.app.services.reusedAnswers.clear();
      const answers = await everyAnswer(before, cookies);
      await before.app.close();

      expect(await runScript('backup', from, file)).toMatchObject({
        code: 0,
        said: expect.stringMatching(/^Wrote .+ \(\d+\.\d MB\)\.\nSave the secrets too/),
        complaint: '',
      });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
      expect(await runScript('restore', to, file)).toEqual({
        code: 0,
        said: expect.stringMatching(
          /^Restored .+: 2 repositories\.\nThe audit log is unbroken\.\nWhat was ended after the backup works again: /,
        ),
        complaint: '',
      });

      const after = await startService({ ...settings, DATABASE_URL: to }, before);
      expect(await everyAnswer(after, cookies)).toEqual(answers);
      await expectCounting(after);
      await after.close();
      await before.double.close();
    });

    test('that is restored gives no number again that a message sent since may bear', async () => {
      const [from, to, file] = [await given.address(), await emptyUrl(), newFile()];
      const nextIds = async (url: string): Promise<number[]> => {
        const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 60_000 });
        const named = ['alert_rules', 'alert_events', 'digest_sends'].map((table) => `nextval('${table}_id_seq')::int`);
        const asked = toDatabase(connection.orm).query<{ ids: number[] }>(`select array[${named}] as ids`);
        const [row] = await asked.finally(connection.close);
        return row?.ids ?? [];
      };
      const [before = 0, ...others] = await nextIds(from);
      expect((await runScript('backup', from, file)).code).toBe(0);
      expect((await runScript('restore', to, file)).code).toBe(0);
      const after = await nextIds(to);
      expect(after).toHaveLength(3);
      for (const [index, id] of [before, ...others].entries()) expect(after[index]).toBeGreaterThan(id + 1_000_000);
    });

    test('is never written over another file, and leaves nothing where it fails', async () => {
      const file = newFile();
      writeFileSync(file, 'another');
      expect(await runScript('backup', await given.address(), file)).toEqual({
        code: 1,
        said: '',
        complaint: `${file} exists already: name another file.\n`,
      });
      expect(readFileSync(file, 'utf8')).toBe('another');
      const missing = onServer ? 'postgres://nobody:secret@127.0.0.1:1/none' : `pglite://${join(folder, 'none')}`;
      const failed = newFile();
      const { code, complaint } = await runScript('backup', missing, failed);
      expect(code).toBe(1);
      expect(complaint).toMatch(onServer ? /^pg_dump: error: connection to server/ : /^There is no embedded database/);
      expect(complaint).not.toContain('secret');
      expect(existsSync(failed)).toBe(false);
      expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
    });

    test('is restored into an empty database alone, which keeps what it has', async () => {
      const [url, file] = [await given.address(), newFile()];
      expect((await runScript('backup', url, file)).code).toBe(0);
      expect(await runScript('restore', url, file)).toEqual({
        code: 1,
        said: '',
        complaint: expect.stringMatching(onServer ? /^The database has tables already/ : /^There is a database in /),
      });
      await (await openTestStore(url, { migrate: false })).close();
    });

    test('that is damaged restores nothing', async () => {
      const [url, to, file] = [await given.address(), await emptyUrl(), newFile()];
      expect((await runScript('backup', url, file)).code).toBe(0);
      const whole = readFileSync(file);
      writeFileSync(file, whole.subarray(0, whole.length * 0.6));
      expect((await runScript('restore', to, file)).code).toBe(1);
      writeFileSync(file, whole);
      expect(await runScript('restore', to, file)).toMatchObject({ code: 0, complaint: '' });
    });
  });

  if (!onServer)
    test('the embedded database is not backed up while it is in use', async () => {
      const url = await given.address();
      const store = await openTestStore(url);
      expect(await runScript('backup', url, newFile())).toMatchObject({
        code: 1,
        complaint: expect.stringMatching(/^Another process already uses the embedded database: /),
      });
      await store.close();
    });

  if (onServer) {
    test('a database is backed up while it is in use', async () => {
      const url = await given.address();
      const store = await openTestStore(url);
      expect(await runScript('backup', url, newFile())).toMatchObject({ code: 0 });
      await store.close();
    });

    test('a backup of the other kind is refused, and so is what is none', async () => {
      const [file, to] = [newFile(), `pglite://${join(folder, 'other')}`];
      expect((await runScript('backup', await given.address(), file)).code).toBe(0);
      expect(await runScript('restore', to, file)).toMatchObject({
        code: 1,
        complaint: `${file} is a backup of PostgreSQL; DATABASE_URL names the embedded database.\n`,
      });
      writeFileSync(join(folder, 'text'), 'no backup');
      expect((await runScript('restore', to, join(folder, 'text'))).complaint).toBe(
        `${join(folder, 'text')} is no backup.\n`,
      );
      expect((await runScript('restore', to, join(folder, 'nowhere'))).complaint).toBe(
        `${join(folder, 'nowhere')} cannot be read.\n`,
      );
      expect(existsSync(join(folder, 'other', 'data'))).toBe(false);
    });

    test('without the programs of PostgreSQL it is said what to install', async () => {
      expect(await runScript('backup', await given.address(), newFile(), folder)).toEqual({
        code: 1,
        said: '',
        complaint: 'pg_dump was not found: install the client programs of PostgreSQL.\n',
      });
    });
  }
});

test('without a database there is nothing to back up', async () => {
  expect(await runScript('backup', undefined, newFile())).toEqual({
    code: 1,
    said: '',
    complaint: 'DATABASE_URL is not set: there is no database.\n',
  });
});
