import { afterAll, beforeAll, expect, test } from 'vitest';
import { commitFacts } from '../../jobs/commit-facts.ts';
import { runJob } from '../../jobs/run-job.ts';
import type { Services } from '../../server/access/context.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { day, hour, minute, second } from '../sync/stage.ts';
import { storedAndAvailable, trackAll } from './night.ts';

const never = new AbortController().signal;

let service: Service;
beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase, CODEHOST_TOKEN: 'token-ann' });
});
afterAll(() => service?.close());

test('of 50 slow repositories none is begun after four minutes; the next run begins with those that remain', async () => {
  const { double, clock, app } = service;
  const { store } = app.services;
  if (!store) return expect.fail('There is no database.');
  const names = Array.from({ length: 50 }, (_, at) => `octo/slow-${at}`);
  for (const [at, name] of names.entries()) {
    double.addRepository({ name, facts: { id: 96_001 + at } });
    double.addPullRequests(name, 12, { from: namedNow - day, to: namedNow - hour, first: 1 });
  }
  await trackAll(double, store, names, clock.now());
  let requests: { name: string; at: number }[] = [];
  // Each question about commits takes twelve seconds.
  const connect: Services['connect'] = (token) => {
    const platform = app.services.connect(token);
    const readCommits: typeof platform.pullRequests.readCommits = async (name, numbers) => {
      requests.push({ name: `${name.owner}/${name.repo}`, at: clock.now() });
      clock.advance(12 * second);
      return platform.pullRequests.readCommits(name, numbers);
    };
    return { ...platform, pullRequests: { ...platform.pullRequests, readCommits } };
  };
  const begunIn = async (slot: string) => {
    const begun = clock.now();
    requests = [];
    const end = await runJob(commitFacts, { ...app.services, connect }, { slot, trigger: 'http', stopping: never });
    if (!end?.outcome) return expect.fail('The job did not run.');
    expect(Math.max(...requests.map(({ at }) => at - begun))).toBeLessThan(240 * second);
    expect(end.outcome.partial).toBe(true);
    expect(end.outcome.report).toMatchObject({ budgetExhausted: true });
    expect(end.outcome.report.remaining).toBeGreaterThan(30);
    clock.advance(minute);
    return [...new Set(requests.map(({ name }) => name))];
  };
  const [first, next] = [await begunIn('first'), await begunIn('second')];
  expect(first.length).toBeGreaterThan(8);
  expect(next.length).toBeGreaterThan(8);
  expect(next.filter((name) => first.includes(name))).toEqual([]);
  const start = { slot: 'last', trigger: 'http', stopping: never } as const;
  const last = await runJob(commitFacts, app.services, start);
  expect(last).toMatchObject({
    outcome: { partial: false, report: { done: 50, remaining: 0, budgetExhausted: false } },
  });
  const { kept, there } = await storedAndAvailable(double, store, names);
  expect(kept.map(({ commits }) => commits)).toEqual(there.map(({ commits }) => commits));
});
