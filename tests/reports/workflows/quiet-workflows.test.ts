import { describe, expect, test } from 'vitest';
import { freshService } from '../../api/endpoints.ts';
import { aWorkflow } from '../../codehost-double/builders.ts';

const visit = freshService();
const day = 86_400_000;

interface Entry {
  id: number;
  partial: boolean;
  summary: {
    latest_run_at: string | null;
    success_rate: number | null;
    success_rate_sample: number;
    health: { label: string; score: number | null; sample: number };
    trend_30d: { total: number; covered: boolean }[];
  };
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
  const operations = visit.service.double.requests.map(({ operation }) => operation?.split('/').at(-1));
  return { entries, isPartial: headers.get('x-partial') === 'true', asked: operations };
}

/** A workflow of which no run was read. */
const unread = { latest_run_at: null, success_rate: null, success_rate_sample: 0 };

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, n) => from + n);
const times = (count: number, day: number) => Array.from({ length: count }, (_, n) => day + n / 1000);
const oneByOne = 'list-workflow-runs';
const shared = 'list-workflow-runs-for-repo';

test('a few quiet workflows are requested one by one, so that each has its newest twenty', async () => {
  workflowsThatRan(times(60, 2), [3, ...upTo(25, 40)], [], [50]);
  const { entries, isPartial, asked } = await overview();
  expect(asked.filter((one) => one === oneByOne)).toHaveLength(3);
  expect([isPartial, entries.map(({ partial }) => partial)]).toEqual([false, [false, false, false, false]]);
  expect(entries.map(({ dur_points }) => dur_points.length)).toEqual([20, 20, 0, 1]);
  expect(entries[2]?.summary).toMatchObject({ latest_run_at: null, success_rate_sample: 0 });
  expect(entries[0]?.summary.trend_30d.every(({ covered }) => covered)).toBe(true);
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
  expect(entries[2]?.summary.trend_30d.reduce((sum, { total }) => sum + total, 0)).toBe(9);
  expect(entries.slice(3).map(({ summary }) => summary)).toEqual(Array(5).fill(expect.objectContaining(unread)));
});

test('where the newest runs would bring little, those of which least is known are requested first', async () => {
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
  const days = entries[0]?.summary.trend_30d.map(({ covered }) => covered);
  expect([days?.[0], days?.at(-1)]).toEqual([false, true]);
  expect(entries[1]?.summary).toMatchObject(unread);
  expect(entries[1]?.summary.trend_30d.some(({ covered }) => covered)).toBe(false);
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
  expect(entries.map(({ summary }) => summary.latest_run_at === null)).toEqual([false, false, false, false, true]);
});

test('a token that is rejected in the middle ends the session, not the workflow alone', async () => {
  workflowsThatRan([1], [2]);
  visit.service.double.fault({ path: '/repos/octo/quiet/actions/workflows/1/runs' }, { kind: 'status', status: 401 });
  const answer = await visit.service.ask('GET', '/api/codehost/repo-overview?owner=octo&repo=quiet', {
    as: 'token-ann',
  });
  expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
});

describe('health and success', () => {
  /** Runs of the first workflow, one an hour, the newest first. */
  function put(count: number, hoursAgo: number, parts: object) {
    const { double, clock } = visit.service;
    for (let n = 0; n < count; n++)
      double.putRun('octo/quiet', {
        id: nextId++,
        workflowId: 1,
        createdAt: clock.now() - (hoursAgo + n) * hour,
        ...parts,
      });
  }
  let nextId = 3_000_000;
  const hour = day / 24;
  const ofPullRequests = { headBranch: 'topic', event: 'pull_request', conclusion: 'failure' };

  test('are over the last ten of the default branch, read on their own where the list does not hold them', async () => {
    workflowsThatRan([]);
    put(40, 1, ofPullRequests);
    // On the default branch the last ten: three failed, the newest of them the newest of all.
    put(1, 50, { conclusion: 'failure' });
    put(7, 31 * 24, {});
    put(2, 41 * 24, { conclusion: 'failure' });
    put(30, 60 * 24, {});
    const { entries, isPartial, asked } = await overview();
    expect(asked.filter((one) => one === oneByOne)).toHaveLength(1);
    expect([isPartial, entries[0]?.partial]).toEqual([false, false]);
    // 0.6 · 70 + 0.4 · 66.67.
    expect(entries[0]?.summary).toMatchObject({
      success_rate: 70,
      success_rate_sample: 10,
      health: { label: 'fair', score: 69, sample: 10 },
    });
    // What else is reported stays the newest runs, whatever their branch.
    expect(entries[0]?.dur_points.every(({ run_number }) => run_number < 3_000_040)).toBe(true);
    expect((await overview()).asked).toEqual([]);
    visit.service.clock.advance(2 * hour);
    const again = await overview();
    expect(again.entries[0]?.summary.success_rate).toBe(70);
  });

  test('are of all branches only where the default branch is known to have fewer than three', async () => {
    workflowsThatRan([]);
    put(110, 1, ofPullRequests);
    put(2, 31 * 24, {});
    const { entries } = await overview();
    expect(entries[0]).toMatchObject({ partial: false, summary: { success_rate: 0, health: { sample: 10 } } });
  });

  test('of a busy repository stay within six requests, and the rows that are short of runs say so', async () => {
    workflowsThatRan([], times(30, 2), []);
    put(520, 1, ofPullRequests);
    put(20, 35 * 24, {});
    const { entries, isPartial, asked } = await overview();
    expect(asked.filter((one) => one?.startsWith('list-'))).toHaveLength(6);
    expect([isPartial, entries.map(({ partial }) => partial)]).toEqual([true, [true, false, true]]);
  });
});
