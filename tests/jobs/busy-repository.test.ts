import { afterAll, beforeAll, expect, test } from 'vitest';
import { runJob } from '../../jobs/run-job.ts';
import { runsSync } from '../../jobs/runs-sync.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { day, hour } from '../sync/stage.ts';
import { storedAndAvailable, trackAll } from './night.ts';

const never = new AbortController().signal;

let service: Service;
beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase, CODEHOST_TOKEN: 'token-ann', SYNC_MAX_PAGES: '1' });
});
afterAll(() => service?.close());

test('a repository with more runs than a pass reads is read to its end in one night, behind all others', async () => {
  const { double, clock, app } = service;
  const { store } = app.services;
  if (!store) return expect.fail('There is no database.');
  const names = Array.from({ length: 6 }, (_, at) => `octo/busy-${at}`);
  const [busy = ''] = names;
  for (const [at, name] of names.entries()) {
    double.addRepository({ name, facts: { id: 97_001 + at } });
    const window = { from: clock.now() - 20 * day, to: clock.now() - hour };
    double.addRuns(name, name === busy ? 350 : 20, { ...window, firstId: (at + 1) * 1_000_000 });
  }
  // Older than what each pass lists again: requested by itself once a night, however many passes it takes.
  const running = { id: 999, createdAt: clock.now() - 19 * day, status: 'in_progress' } as const;
  double.putRun(busy, running);
  await trackAll(double, store, names, clock.now());
  double.requests.length = 0;
  const end = await runJob(runsSync, app.services, { slot: 'night', trigger: 'http', stopping: never });
  expect(end?.outcome).toMatchObject({
    partial: false,
    summary: { repositories: 6, failed: 0, remaining: 0, runs: 451 },
    report: { remaining: 0, results: expect.arrayContaining([expect.objectContaining({ synced: 351, status: 'ok' })]) },
  });
  const lists = double.requests.filter(({ operation }) => operation === 'actions/list-workflow-runs-for-repo');
  expect(double.requests.filter(({ path }) => path.endsWith('/runs/999')).length).toBeLessThanOrEqual(1);
  const [first, second] = lists.flatMap(({ path }, at) => (path.includes(busy) ? at : []));
  const others = lists.flatMap(({ path }, at) => (path.includes(busy) ? [] : at));
  expect(first).toBeLessThan(3);
  expect(second).toBeGreaterThan(Math.max(...others));
  const { kept, there } = await storedAndAvailable(double, store, names);
  expect(kept.map(({ runs }) => runs)).toEqual(there.map(({ runs }) => runs));
});
