import { expect, test } from 'vitest';
import { aWorkflow } from '../codehost/builders.ts';
import { freshService } from './endpoints.ts';

const visit = freshService();
const day = 86_400_000;

interface Entry {
  id: number;
  partial: boolean;
  summary: {
    latest_run_at: string | null;
    success_rate_sample: number;
    trend_30d: { total: number; covered: boolean }[];
  } | null;
  dur_points: { run_number: number }[];
}

/** A repository whose workflows, with ids from 1 on, ran that many days ago each. */
function workflowsThatRan(...days: number[][]) {
  const { double, clock } = visit.service;
  const createdAt = clock.now() - 400 * day;
  const workflows = days.map((_, n) => aWorkflow('octo', 'quiet', { id: n + 1, createdAt, name: `Flow ${n + 1}` }));
  double.addRepository({ name: 'octo/quiet', facts: { id: 90_004 }, workflows });
  let id = 2_000_000;
  for (const [n, ago] of days.entries())
    for (const one of ago)
      double.putRun('octo/quiet', { id: id--, workflowId: n + 1, createdAt: clock.now() - one * day });
}

async function overview() {
  visit.service.double.requests.length = 0;
  const { body, headers } = await visit.service.ask('GET', '/api/codehost/repo-overview?owner=octo&repo=quiet', {
    as: 'token-ann',
  });
  const entries = (body as Entry[]).toSorted((a, b) => a.id - b.id);
  const asked = visit.service.double.requests.map(({ operation }) => operation?.split('/').at(-1));
  return { entries, isPartial: headers.get('x-partial') === 'true', asked };
}

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, n) => from + n);
const times = (count: number, day: number) => Array.from({ length: count }, (_, n) => day + n / 1000);
const oneByOne = 'list-workflow-runs';
const shared = 'list-workflow-runs-for-repo';

test('a few quiet workflows are asked for one by one, so that each has its newest twenty', async () => {
  workflowsThatRan(times(60, 2), [3, ...upTo(25, 40)], [], [50]);
  const { entries, isPartial, asked } = await overview();
  expect(asked.filter((one) => one === oneByOne)).toHaveLength(3);
  expect([isPartial, entries.map(({ partial }) => partial)]).toEqual([false, [false, false, false, false]]);
  expect(entries.map(({ dur_points }) => dur_points.length)).toEqual([20, 20, 0, 1]);
  expect(entries[2]?.summary).toMatchObject({ latest_run_at: null, success_rate_sample: 0 });
  expect(entries[0]?.summary?.trend_30d.every(({ covered }) => covered)).toBe(true);
});

test('many quiet workflows share the newest runs of the repository, and nothing is missing where those are all', async () => {
  workflowsThatRan(...upTo(20).map((n) => (n < 11 ? [n, 100 + n] : n < 20 ? [200] : [])));
  const { entries, isPartial, asked } = await overview();
  expect(asked.filter((one) => one === shared).length).toBeGreaterThan(1);
  expect(asked).not.toContain(oneByOne);
  expect([isPartial, entries.some(({ partial }) => partial)]).toEqual([false, false]);
  expect(entries.map(({ dur_points }) => dur_points.length)).toEqual([
    ...times(10, 2).map(Math.floor),
    ...times(9, 1).map(Math.floor),
    0,
  ]);
  expect(entries.at(-1)?.summary).toMatchObject({ latest_run_at: null });
});

test('what the shared newest runs do not reach is said: unknown without a run, partial with too few', async () => {
  workflowsThatRan(times(200, 40), times(200, 41), [...times(9, 3), ...times(5, 300)], ...upTo(5).map(() => [200]));
  const { entries, isPartial } = await overview();
  expect(isPartial).toBe(true);
  expect(entries.map(({ partial }) => partial)).toEqual([false, false, true, true, true, true, true, true]);
  expect(entries[2]?.summary).toMatchObject({ success_rate_sample: 9 });
  expect(entries[2]?.summary?.trend_30d.reduce((sum, { total }) => sum + total, 0)).toBe(9);
  expect(entries.slice(3).map(({ summary }) => summary)).toEqual([null, null, null, null, null]);
});

test('where the newest runs would bring little, those of which least is known are asked for first', async () => {
  workflowsThatRan(times(250, 2), times(12, 3), times(13, 4), [], [100]);
  const { entries, isPartial, asked } = await overview();
  expect(asked.filter((one) => one === oneByOne)).toHaveLength(2);
  expect(isPartial).toBe(true);
  expect(entries.map(({ partial }) => partial)).toEqual([false, true, true, false, false]);
  expect(entries[1]?.summary).toMatchObject({ success_rate_sample: 10 });
  expect(entries[3]?.summary).toMatchObject({ latest_run_at: null });
  expect(entries[4]?.dur_points).toHaveLength(1);
});

test('more runs than the lists hold leave days uncovered, and quiet workflows unknown', async () => {
  workflowsThatRan([...times(300, 1), ...times(300, 20)], []);
  const { entries, isPartial, asked } = await overview();
  expect(asked.filter((one) => one === shared || one === oneByOne)).toHaveLength(5);
  expect([isPartial, entries.map(({ partial }) => partial)]).toEqual([true, [false, true]]);
  const days = entries[0]?.summary?.trend_30d.map(({ covered }) => covered);
  expect([days?.[0], days?.at(-1)]).toEqual([false, true]);
  expect(entries[1]?.summary).toBeNull();
});

test('a list of newest runs that fails leaves what is known, and says so', async () => {
  workflowsThatRan([1], [2], [3], [4], []);
  // The first list is that of the last 30 days.
  visit.service.double.fault(
    { path: '/repos/octo/quiet/actions/runs', after: 1, times: 9 },
    { kind: 'status', status: 403 },
  );
  const { entries, isPartial } = await overview();
  expect([isPartial, entries.every(({ partial }) => partial)]).toEqual([true, true]);
  expect(entries.map(({ summary }) => summary === null)).toEqual([false, false, false, false, true]);
});

test('a token that is rejected in the middle ends the session, not the workflow alone', async () => {
  workflowsThatRan([1], [2]);
  visit.service.double.fault({ path: '/repos/octo/quiet/actions/workflows/1/runs' }, { kind: 'status', status: 401 });
  const answer = await visit.service.ask('GET', '/api/codehost/repo-overview?owner=octo&repo=quiet', {
    as: 'token-ann',
  });
  expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
});
