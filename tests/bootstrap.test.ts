import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { describeEnv, readEnv } from '../server/platform/env.ts';

const server = resolve(import.meta.dirname, '../server');
// Plain scripts without types.
const script = (name: string) => import(join(server, name));
const { hashFiles, installedByHand, isNewEnough } = await script('bootstrap-plans.mjs');
const { prepareEnvFile, envFile } = await script('bootstrap-env.mjs');
const { runStep } = await script('bootstrap-step.mjs');
const { acquireSetupLock } = await script('bootstrap-lock.mjs');

let root = '';
const roots: string[] = [];
let said: string[] = [];
const say = (line: string) => said.push(line);
const put = (name: string, text: string) => {
  fs.mkdirSync(dirname(join(root, name)), { recursive: true });
  fs.writeFileSync(join(root, name), text);
};
const read = (name: string) => fs.readFileSync(join(root, name), 'utf8');

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'bootstrap-'));
  roots.push(root);
  said = [];
});

afterAll(() => {
  for (const each of roots) fs.rmSync(each, { recursive: true, force: true });
});

describe('what was made from what', () => {
  test('the hash follows contents and names, and counts what is absent as empty', () => {
    put('app/a.ts', '1');
    const before = hashFiles(root, ['app', 'jobs']);
    put('app/a.ts', '2');
    const changed = hashFiles(root, ['app', 'jobs']);
    put('app/a.ts', '1');
    put('app/deep/b.ts', '');
    expect(new Set([before, changed, hashFiles(root, ['app', 'jobs'])]).size).toBe(3);
  });

  test('packages installed by hand count when every locked one is there in its version', () => {
    const locked = {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0', optional: true },
    };
    put('package-lock.json', JSON.stringify({ packages: locked }));
    expect(installedByHand(root)).toBe(false);
    put('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }));
    expect(installedByHand(root)).toBe(true);
    put('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '0.9.0' } } }));
    expect(installedByHand(root)).toBe(false);
  });

  test('Node 22.22 is the oldest that will do', () => {
    expect(['20.20.2', '22.21.9', '22.22.0', '26.10.0'].map(isNewEnough)).toEqual([false, false, true, true]);
  });
});

describe('the .env of a first start', () => {
  const secrets = [
    'SESSION_SECRET',
    'SETTINGS_ENCRYPTION_KEY',
    'CRON_SECRET',
    'CODEHOST_WEBHOOK_SECRET',
    'METRICS_TOKEN',
  ];

  test('is private, holds long and different secrets, and is a valid configuration', () => {
    prepareEnvFile(root, {}, say);
    const written = parseEnv(read('.env'));
    expect(fs.statSync(join(root, '.env')).mode & 0o777).toBe(0o600);
    expect(new Set(secrets.map((name) => written[name])).size).toBe(secrets.length);
    for (const name of secrets) expect(written[name]).toMatch(/^[0-9a-f]{64}$/);
    expect(describeEnv().map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(written)));
    expect(readEnv(written)).toMatchObject({ DATABASE_URL: 'pglite://data/db', NODE_ENV: 'production' });
    expect(fs.readdirSync(root)).toEqual(['.env']);
  });

  test('differs from machine to machine', () => {
    expect(parseEnv(envFile({})).SESSION_SECRET).not.toBe(parseEnv(envFile({})).SESSION_SECRET);
  });

  test('is never overwritten', () => {
    put('.env', 'SESSION_SECRET=mine\n');
    prepareEnvFile(root, {}, say);
    expect(read('.env')).toBe('SESSION_SECRET=mine\n');
  });

  test.each([0o640, 0o604, 0o620, 0o666])('that others can read or write (%o) is warned of', (mode) => {
    put('.env', 'SESSION_SECRET=mine\n');
    fs.chmodSync(join(root, '.env'), mode);
    prepareEnvFile(root, {}, say);
    expect(said).toEqual([expect.stringContaining('chmod 600 .env')]);
    fs.chmodSync(join(root, '.env'), 0o600);
    prepareEnvFile(root, {}, say);
    expect(said).toHaveLength(1);
  });

  test.each(['PORT=3000\n', '# SESSION_SECRET=mine\n', 'SESSION_SECRET=\nPORT=3000\n'])(
    'without a session secret is pointed out: %j',
    (text) => {
      put('.env', text);
      prepareEnvFile(root, {}, say);
      expect(said.join(' ')).toContain('.env has no SESSION_SECRET');
      expect(read('.env')).toBe(text);
    },
  );

  test('leaves the database to the environment when it names one, even an empty one', () => {
    prepareEnvFile(root, { DATABASE_URL: '' }, say);
    expect(Object.keys(parseEnv(read('.env'))).sort()).toEqual(secrets.toSorted());
  });

  test('is not written where the environment carries everything', () => {
    prepareEnvFile(root, { NODE_ENV: 'production' }, say);
    prepareEnvFile(root, { SESSION_SECRET: 'x', DATABASE_URL: 'postgres://db/x' }, say);
    expect(fs.existsSync(join(root, '.env'))).toBe(false);
    expect(said).toEqual([expect.stringContaining('must carry SESSION_SECRET')]);
  });
});

describe('a step', () => {
  const plan = (program: string, ...parameters: string[]) => ({
    doing: 'Fetching things',
    done: 'Fetched things',
    byHand: 'fetch',
    cwd: root,
    command: () => [program, ...parameters],
    environment: (env: object) => env,
    begin: () => fs.rmSync(join(root, 'stamp'), { force: true }),
    finish: () => put('stamp', 'new'),
  });
  const failing = (output: string) =>
    plan(process.execPath, '-e', `console.error(${JSON.stringify(output)}); process.exit(3)`);

  test('says that it begins, that it goes on and that it is done, and leaves a stamp', async () => {
    await runStep(plan(process.execPath, '-e', 'setTimeout(() => {}, 1500)'), process.env, say, 100);
    expect(said[0]).toBe('Fetching things …');
    expect(said[1]).toMatch(/^Fetching things: \d+ s …$/);
    expect(said.at(-1)).toMatch(/^Fetched things in \d+ s\.$/);
    expect(read('stamp')).toBe('new');
  });

  test.each([
    ['npm error code ENOTFOUND', 'could not be reached'],
    ['npm error ENOSPC: no space left on device', 'disk is full'],
    ['npm error code EBADPLATFORM', 'Dockerfile'],
    ['npm error EACCES: permission denied', 'may not write'],
    ['something else', 'run `fetch` by hand'],
  ])('that fails with %j names itself, shows the output and advises', async (output, help) => {
    put('stamp', 'old');
    const failure = await runStep(failing(output), process.env, say).catch((error: Error) => error.message);
    expect(failure).toContain('Fetching things failed (exit code 3)');
    expect(failure).toContain(output);
    expect(failure).toContain(help);
    expect(fs.existsSync(join(root, 'stamp'))).toBe(false);
  });

  test('whose program is missing says so', async () => {
    await expect(runStep(plan(join(root, 'npm')), process.env, say)).rejects.toThrow('npm was not found');
  });
});

describe('two setups at once', () => {
  test('take turns', async () => {
    const lock = join(root, 'lock');
    const release = await acquireSetupLock(lock, say, 10);
    const second = acquireSetupLock(lock, say, 10);
    await expect(Promise.race([second, new Promise((wait) => setTimeout(wait, 60, 'waiting'))])).resolves.toBe(
      'waiting',
    );
    release();
    (await second)();
    expect(said[0]).toContain('Another setup is running');
    expect(fs.existsSync(lock)).toBe(false);
  });

  test('a turn abandoned by a killed process is taken over at once', async () => {
    const killed = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await new Promise((done) => killed.once('exit', done));
    put('lock', `${killed.pid} 1`);
    (await acquireSetupLock(join(root, 'lock'), say, 10))();
    expect(said).toEqual([]);
    expect(fs.readdirSync(root)).toEqual([]);
  });
});

describe('the whole setup as a process', () => {
  const npm = `#!/bin/sh
echo npm >> calls
mkdir -p node_modules/.bin
cp router.js node_modules/.bin/react-router
`;
  const router = `const fs = require('node:fs');
fs.appendFileSync('calls', 'build\\n');
if (fs.existsSync('broken')) process.exit(1);
fs.mkdirSync('build/server', { recursive: true });
setTimeout(() => fs.writeFileSync('build/server/index.js', ''), 300);
`;
  const setUp = (command: string) => {
    const env = { PATH: [root, dirname(process.execPath), process.env.PATH].join(delimiter) };
    const child = spawn(process.execPath, ['server/bootstrap.mjs', command], { cwd: root, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    return new Promise<{ code: number | null; output: string }>((done) =>
      child.once('close', (code) => done({ code, output })),
    );
  };

  beforeEach(() => {
    fs.mkdirSync(join(root, 'server'));
    for (const name of fs.readdirSync(server).filter((each) => each.startsWith('bootstrap')))
      fs.copyFileSync(join(server, name), join(root, 'server', name));
    put('package-lock.json', '{}');
    put('router.js', router);
    put('npm', npm);
    fs.chmodSync(join(root, 'npm'), 0o755);
  });

  test('installs, builds and writes .env once; the next time it does nothing', async () => {
    expect(await setUp('start')).toMatchObject({ code: 0 });
    expect(fs.existsSync(join(root, '.env'))).toBe(true);
    expect(await setUp('start')).toEqual({ code: 0, output: '' });
    expect(read('calls')).toBe('npm\nbuild\n');
  });

  test('for tests writes no .env', async () => {
    expect(await setUp('test')).toMatchObject({ code: 0 });
    expect(fs.existsSync(join(root, '.env'))).toBe(false);
  });

  test('builds again after a change and after a build that failed', async () => {
    put('broken', '');
    expect(await setUp('test')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Building the application failed'),
    });
    fs.rmSync(join(root, 'broken'));
    expect(await setUp('test')).toMatchObject({ code: 0 });
    put('app/new.ts', '');
    expect(await setUp('test')).toMatchObject({ code: 0 });
    expect(read('calls')).toBe('npm\nbuild\nbuild\nbuild\n');
  });

  test('two at once install and build once', async () => {
    const outcomes = await Promise.all([setUp('start'), setUp('test')]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    expect(read('calls')).toBe('npm\nbuild\n');
  });
});
