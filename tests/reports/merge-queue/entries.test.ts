import { describe, expect, test } from 'vitest';
import type { MergeQueueEvent } from '../../../server/metrics/kernel/delivery-facts.ts';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { repositoryOf } from '../../codehost-double/world.ts';

const visit = freshService();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const ask = (query = '', repo = 'web', as = 'token-ann') =>
  visit.service.ask('GET', `/api/codehost/merge-queue/entries?owner=octo&repo=${repo}${query}`, { as });
const now = () => visit.service.clock.now();
const iso = (at: number) => new Date(at).toISOString();
const numbers = ({ body }: { body: { entries: { number: number }[] } }) => body.entries.map(({ number }) => number);

const event = (kind: MergeQueueEvent['kind'], at: number, reason: string | null = null): MergeQueueEvent => ({
  kind,
  at,
  isByBot: false,
  reason,
  headSha: null,
});

/** Two that merged, one of them in its second attempt, one that a person removed, and one that waits. */
function fillQueue() {
  const { double } = visit.service;
  repositoryOf(double.world, 'octo/web').queueBranches = ['main'];
  const put = (number: number, mergedAt: number | null, ...queueEvents: MergeQueueEvent[]) =>
    double.putPullRequest('octo/web', {
      number,
      createdAt: now() - 20 * day,
      ...(mergedAt && { mergedAt }),
      queueEvents,
    });
  const [first, second] = [now() - 2 * day, now() - 10 * day];
  put(201, first, event('added', first - 20 * minute), event('removed', first, 'merged'));
  put(
    202,
    second,
    event('added', second - 3 * hour),
    event('removed', second - 2 * hour, 'failed_checks'),
    event('added', second - hour),
    event('removed', second, 'merged'),
  );
  put(203, null, event('added', now() - 5 * day), event('removed', now() - 5 * day + hour, 'manual'));
  put(204, null, event('added', now() - 30 * minute));
}

describe('entries of a merge queue', () => {
  test('are listed those in the queue first, then the last that left', async () => {
    fillQueue();
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body).toMatchObject({ used: true, branch: 'main', total: 5, next_cursor: null });
    expect(
      body.entries.map(({ number, outcome, group, minutes, attempts }: Record<string, unknown>) => [
        number,
        outcome,
        group,
        minutes,
        attempts,
      ]),
    ).toEqual([
      [204, 'open', null, 30, 1],
      [201, 'merged', 'merged', 20, 1],
      [203, 'removed', 'manual', 60, 1],
      [202, 'merged', 'merged', 60, 2],
      [202, 'ejected', 'checks_failed', 60, 1],
    ]);
    expect(body.entries[3]).toMatchObject({
      first_entered_at: iso(now() - 10 * day - 3 * hour),
      checks_rounds: null,
      checks_minutes: null,
      inferred: false,
      source: 'timeline',
      batch_id: expect.stringMatching(/^202-\d+$/),
    });
    expect(body.entries[0]).toMatchObject({ left_at: null, batch_id: null });
  });

  test('are chosen by outcome, reason, pull request and time', async () => {
    fillQueue();
    expect(numbers(await ask('&outcome=merged'))).toEqual([201, 202]);
    expect(numbers(await ask('&outcome=ejected'))).toEqual([202]);
    expect(numbers(await ask('&outcome=open'))).toEqual([204]);
    expect(numbers(await ask('&reason=manual'))).toEqual([203]);
    expect(numbers(await ask('&number=202'))).toEqual([202, 202]);
    expect(numbers(await ask('&check=CI'))).toEqual([]);
    expect(numbers(await ask('&days=7'))).toEqual([204, 201, 203]);
    const to = encodeURIComponent(iso(now() - 3 * day));
    expect(numbers(await ask(`&to=${to}`))).toEqual([203, 202, 202]);
    expect(numbers(await ask(`&from=${encodeURIComponent(iso(now() - 6 * day))}&to=${to}`))).toEqual([203]);
    expect((await ask('&from=2020-01-01')).body.window.from).toBe(iso(now() - 90 * day));
  });

  test('of a time of which nothing is read are refused, not missing', async () => {
    expectFields(await ask('&to=2020-01-01'), ['to', 'invalid']);
    expectFields(await ask('&from=2100-01-01'), ['from', 'invalid']);
    expectFields(await ask(`&from=${iso(now()).slice(0, 10)}&to=${iso(now() - 2 * day).slice(0, 10)}`), [
      'to',
      'invalid',
    ]);
  });

  test('are paged without gaps, also while more leave', async () => {
    fillQueue();
    const first = await ask('&limit=2');
    expect(numbers(first)).toEqual([204, 201]);
    const at = now() - minute;
    visit.service.double.putPullRequest('octo/web', {
      number: 205,
      createdAt: now() - day,
      mergedAt: at,
      queueEvents: [event('added', at - hour), event('removed', at, 'merged')],
    });
    const second = await ask(`&limit=2&cursor=${first.body.next_cursor}`);
    expect(numbers(second)).toEqual([203, 202]);
    const third = await ask(`&limit=2&cursor=${second.body.next_cursor}`);
    expect([numbers(third), third.body.next_cursor]).toEqual([[202], null]);
  });

  test('are a table', async () => {
    fillQueue();
    const { text } = await ask('&outcome=merged&format=csv');
    const [head, ...rows] = text.trim().split('\r\n');
    expect(head).toContain('number,html_url,entered_at,left_at,outcome');
    expect(rows.map((row: string) => row.split(',')[0])).toEqual(['201', '202']);
  });

  test('are not told of to those who may not see the repository', async () => {
    expectProblem(await ask('', 'secret', 'token-bo'), 404, 'not_found');
  });

  test('are none without a queue', async () => {
    expect((await ask()).body).toMatchObject({ used: false, total: 0, entries: [], next_cursor: null });
  });
});

test('batches are listed the last first, by size and page', async () => {
  fillQueue();
  const batches = (query = '', repo = 'web', as = 'token-ann') =>
    visit.service.ask('GET', `/api/codehost/merge-queue/batches?owner=octo&repo=${repo}${query}`, { as });
  const { body } = await batches();
  expect(body).toMatchObject({ used: true, branch: 'main', total: 2, next_cursor: null });
  expect(body.batches).toMatchObject([
    { size: 1, numbers: [201], left_at: iso(now() - 2 * day) },
    { size: 1, numbers: [202] },
  ]);
  expect((await batches('&size=2')).body.batches).toEqual([]);
  expect((await batches('&days=7')).body.total).toBe(1);
  const first = await batches('&limit=1');
  const second = await batches(`&limit=1&cursor=${first.body.next_cursor}`);
  expect([second.body.batches[0].numbers, second.body.next_cursor]).toEqual([[202], null]);
  const { body: merged } = await ask('&outcome=merged');
  expect(merged.entries.map(({ batch_id: id }: { batch_id: string }) => id)).toEqual(
    body.batches.map(({ id }: { id: string }) => id),
  );
  expectProblem(await batches('', 'secret', 'token-bo'), 404, 'not_found');
});

test('batches say when they were deployed once deployments are stored, without a request for them', async () => {
  fillQueue();
  const ask200 = async (path: string) => {
    const { status, body } = await visit.service.ask('GET', `/api/codehost/${path}owner=octo&repo=web`, {
      as: 'token-ann',
    });
    expect(status).toBe(200);
    return body;
  };
  const before = await ask200('merge-queue/batches?');
  expect(before.batches.map((one: { deployed_at: unknown }) => one.deployed_at)).toEqual([null, null]);
  const { double, clock } = visit.service;
  const soonAfter = now() - 2 * day + 10 * minute;
  const statuses = [{ state: 'success' as const, at: soonAfter + minute }];
  double.putDeployment('octo/web', { id: 900_900, createdAt: soonAfter, statuses });
  const { recent: deployments } = await ask200('deployments?');
  clock.advance(minute);
  double.requests.length = 0;
  const { batches } = await ask200('merge-queue/batches?');
  expect(double.requests.filter(({ operation }) => /deploy/i.test(operation ?? ''))).toEqual([]);
  expect(batches.map((one: { deployed_basis: unknown }) => one.deployed_basis)).toEqual(['time', 'time']);
  expect(batches[0]).toMatchObject({ numbers: [201], deployed_at: iso(soonAfter + minute) });
  for (const { left_at: merged, deployed_at: deployed, deployed_basis: basis, train_id: train } of batches) {
    const later = deployments.filter(
      (one: { created_at: string; environment: string; outcome: string }) =>
        one.created_at >= merged && one.environment === 'production' && one.outcome === 'success',
    );
    expect([deployed !== null, basis, train !== null]).toEqual([
      later.length > 0,
      later.length > 0 ? 'time' : null,
      later.length > 0,
    ]);
  }
  const { entries } = await ask200('merge-queue/entries?outcome=merged&');
  expect(entries.map((one: { deployed_at: unknown }) => one.deployed_at)).toEqual(
    batches.map((one: { deployed_at: unknown }) => one.deployed_at),
  );
});
