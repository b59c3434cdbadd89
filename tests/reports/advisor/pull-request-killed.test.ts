import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Double, startDouble } from '../../codehost-double/double.ts';
import { namedWorld } from '../../codehost-double/named-world.ts';
import { aDatabase } from '../../support/a-database.ts';
import { workflowText } from './advised-world.ts';
import { file, steps, writer, written } from './opened-pull-requests.ts';

const minute = 60_000;
const script = join(import.meta.dirname, '../../api/sync/killed-service.ts');
const origin = 'http://localhost:3000';

/** Where the process is killed: before the platform got the step, or after. */
const places = ['branch', 'commit', 'pull request'].flatMap((step) =>
  [true, false].map((isLost, index) => ({ step, isLost, repo: `killed-${step.replace(' ', '-')}-${index}` })),
);

/** A service in a process of its own, with ann signed in. */
async function live(databaseUrl: string, double: Double) {
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: 'test',
      SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
      DATABASE_URL: databaseUrl,
      CODEHOST_API_URL: double.url,
      CODEHOST_GRAPHQL_URL: double.graphqlUrl,
      SCHEDULER: 'off',
      STANDALONE_ALLOWED_LOGINS: '*',
      LOG_LEVEL: 'error',
      TRUST_PROXY_HOPS: '1',
    },
  });
  const exit = once(child, 'exit');
  const [port] = await once(child, 'message');
  const send = async (method: string, path: string, from: string, body?: object, cookie = '', key = '') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        origin,
        cookie,
        'x-forwarded-for': from,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
  };
  const signedIn = await send('POST', '/api/auth/setup', '10.0.8.1', { pat: writer.token });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const read = async (path: string) => (await send('GET', path, '10.0.8.1', undefined, cookie)).body;
  const open = (repo: string, body: object, at: number) =>
    send('POST', '/api/advisor/pull-request', `10.0.8.${10 + at}`, { owner: 'octo', repo, ...body }, cookie, repo);
  const advance = async (ms: number) => {
    child.send(ms);
    await once(child, 'message');
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  return { read, open, advance, kill };
}

aDatabase((given) => {
  let double: Double;
  beforeAll(async () => {
    double = await startDouble({ world: namedWorld() });
    double.world.tokens.push(writer);
    for (const [index, { repo }] of places.entries()) {
      const files = new Map([[file, workflowText]]);
      double.addRepository({ name: `octo/${repo}`, facts: { id: 91_000 + index }, files });
    }
  });
  afterAll(() => double?.close());

  test('one is opened, wherever the process was killed, and nothing is done twice', async () => {
    const url = await given.address();
    const first = await live(url, double);
    const shown = new Map<string, object>();
    for (const { repo } of places) {
      const place = `owner=octo&repo=${repo}`;
      const { recommendations } = await first.read(`/api/advisor/recommendations?${place}`);
      const ids = [recommendations[0].id];
      const { files } = await first.read(`/api/advisor/patch?${place}&ids=${ids.join()}`);
      shown.set(repo, { ids, base_blobs: { [file]: files[0].base_blob } });
    }
    for (const [at, { step, isLost, repo }] of places.entries()) {
      const fault = { kind: 'hang' as const, ...(isLost && { lost: true as const }) };
      double.requests.length = 0;
      if (step === 'commit') double.fault({ path: '/graphql', after: 1 }, fault);
      else
        double.fault(
          { method: 'POST', path: `/repos/octo/${repo}/${step === 'branch' ? 'git/refs' : 'pulls'}` },
          fault,
        );
      first.open(repo, shown.get(repo) ?? {}, at).catch(() => {});
      const sent = { branch: 2, commit: 3, 'pull request': 4 }[step] ?? 0;
      const requests = () => double.requests.filter(({ path }) => path === '/graphql' || path.includes(repo));
      await expect
        .poll(() => requests().filter(({ method }) => method === 'POST').length, { timeout: 10_000 })
        .toBe(sent);
    }
    await first.kill();
    double.reset();
    double.requests.length = 0;
    const second = await live(url, double);
    await second.advance(minute);
    for (const [at, { step, isLost, repo }] of places.entries()) {
      double.requests.length = 0;
      const answer = await second.open(repo, shown.get(repo) ?? {}, 20 + at);
      const { branches, pullRequests } = written({ double }, repo);
      expect([repo, answer.status, answer.body.number, answer.body.deduplicated]).toEqual([
        repo,
        201,
        pullRequests[0]?.number,
        false,
      ]);
      expect([branches.length, pullRequests.length]).toEqual([1, 1]);
      const all = ['branch', 'commit', 'pull request'];
      const left = all.slice(all.indexOf(step) + (isLost ? 0 : 1));
      expect(steps({ double }).filter((one) => all.includes(one))).toEqual(left);
    }
    await second.kill();
    expect(double.violations).toEqual([]);
  });
});
