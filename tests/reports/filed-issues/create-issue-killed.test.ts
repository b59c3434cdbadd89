import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placesPerToken } from '../../../server/codehost/client/pool.ts';
import { expectProblem } from '../../api/endpoints.ts';
import { type Double, startDouble } from '../../codehost-double/double.ts';
import { namedWorld } from '../../codehost-double/named-world.ts';
import { bearerOf } from '../../codehost-double/platform-token.ts';
import { aDatabase } from '../../support/a-database.ts';
import { issuesOfWeb } from './filed-issues.ts';

const minute = 60_000;
const script = join(import.meta.dirname, '../../api/sync/killed-service.ts');
const issuesPath = '/repos/octo/web/issues';

interface Wish {
  title: string;
  key: string | null;
  from: string;
}

/** A service in a process of its own. */
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
  const died = exit.then(([code]) => {
    throw new Error(`The service ended by itself (${code}).`);
  });
  died.catch(() => {});
  const [port] = await Promise.race([once(child, 'message'), died]);
  const file = async ({ title, key, from }: Wish) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/codehost/create-issue`, {
      method: 'POST',
      headers: {
        ...bearerOf('token-ann'),
        'content-type': 'application/json',
        'x-forwarded-for': from,
        ...(key && { 'idempotency-key': key }),
      },
      body: JSON.stringify({ owner: 'octo', repo: 'web', title, body: 'They take long.' }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
  };
  const advance = async (ms: number) => {
    child.send(ms);
    await once(child, 'message');
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  return { file, advance, kill };
}

let visitors = 0;

/** Every other one with a key, and each from an address of its own: what an hour allows is not in question here. */
const wishes = (stage: string, count: number) =>
  Array.from({ length: count }, (_, n): Wish => {
    const title = `Slow ${stage} ${n}`;
    return { title, key: n % 2 === 0 ? title.replaceAll(' ', '-') : null, from: `10.0.7.${++visitors}` };
  });

aDatabase((given) => {
  let double: Double;
  beforeAll(async () => {
    double = await startDouble({ world: namedWorld() });
  });
  afterAll(() => double?.close());

  const posts = () => double.requests.filter(({ operation }) => operation === 'issues/create').length;
  const titles = () => issuesOfWeb({ double }, 'Slow').map(({ title }) => title);
  const titlesOf = (some: Wish[]) => some.map(({ title }) => title);

  test('an issue is filed once, whether the process was killed before, while or after it was sent', async () => {
    const url = await given.address();
    const [answered, unsent] = [...wishes('answered', 1), ...wishes('unsent', 1)] as [Wish, Wish];
    const sent = wishes('sent', placesPerToken);
    const half = placesPerToken / 2;

    const first = await live(url, double);
    const before = await first.file(answered);
    expect(before.status).toBe(201);
    // However slow the machine is, nobody finds out what came of it before the end.
    double.fault({ method: 'GET', path: issuesPath, times: 99 }, { kind: 'hang' });
    double.fault({ method: 'POST', path: issuesPath, times: half }, { kind: 'hang' });
    double.fault({ method: 'POST', path: issuesPath, times: half }, { kind: 'hang', lost: true });
    for (const one of sent) first.file(one).catch(() => {});
    await expect.poll(posts).toBe(1 + sent.length);
    // All places of the caller's token are taken: of two, one holds the claim and cannot send, and the other is shown so.
    const two = [first.file(unsent), first.file(unsent)];
    for (const one of two) one.catch(() => {});
    expectProblem(await Promise.race(two), 409, 'in_progress');
    await first.kill();
    expect(posts()).toBe(1 + sent.length);
    expect(double.violations).toEqual([]);
    double.reset();
    const taken = titles();
    expect(taken).toHaveLength(1 + half);

    const second = await live(url, double);
    const again = await second.file(answered);
    expect([again.status, again.body, again.headers.get('idempotent-replay')]).toEqual([201, before.body, 'true']);
    for (const one of [...sent.slice(0, 1), unsent]) expectProblem(await second.file(one), 409, 'in_progress');
    await second.advance(minute);
    const answers = await Promise.all([...sent, unsent].map(second.file));
    const isFoundWithoutKey = ({ title, key }: Wish) => key === null && taken.includes(title);
    expect(answers.map(({ status }) => status)).toEqual(
      [...sent, unsent].map((one) => (isFoundWithoutKey(one) ? 200 : 201)),
    );
    await second.kill();
    expect(titles().sort()).toEqual(titlesOf([answered, ...sent, unsent]).sort());
    expect(posts()).toBe(half + 1);
    expect(double.violations).toEqual([]);
  });
});
