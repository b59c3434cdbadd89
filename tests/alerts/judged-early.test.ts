import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryOf } from '../codehost-double/world.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';

const hour = 3_600_000;
const day = 24 * hour;
let service: Service;

beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase, SYNC_MAX_PAGES: '1' });
  const now = service.clock.now();
  // More than one page of the last weeks, and within the page the whole of the last day.
  service.double.addRuns('octo/empty', 300, { from: now - 80 * day, to: now - 2 * day, firstId: 9_000_001 });
  for (let id = 1; id <= 10; id++)
    service.double.putRun('octo/empty', {
      id: 9_100_000 + id,
      createdAt: now - id * hour,
      status: 'completed',
      conclusion: 'failure',
    });
});
afterAll(() => service.close());

const ask = (method: string, path: string, body?: object) =>
  service.ask(method, path, { as: 'token-ann', ...(body && { body }) });

test('a rule is judged as soon as its own window was read, while older runs are still to be', async () => {
  const rule = { scope: 'repo:octo/empty', metric: 'failure_rate', threshold: 50 };
  const lastDay = (await ask('POST', '/api/alerts', rule)).body.rule.id;
  const quarter = (await ask('POST', '/api/alerts', { ...rule, threshold: 1, window_hours: 2000 })).body.rule.id;
  const found = async () => {
    const { rules, events } = (await ask('GET', '/api/alerts?events=1')).body;
    const lastValue = (wanted: number) => rules.find(({ id }: { id: number }) => id === wanted).last_value;
    return {
      lastDay: lastValue(lastDay),
      quarter: lastValue(quarter),
      fired: events.map((one: { rule_id: number }) => one.rule_id),
    };
  };
  const first = (await ask('POST', '/api/db/sync?owner=octo&repo=empty')).body;
  expect(first).toMatchObject({ partial: true, alerts_fired: 1 });
  expect(await found()).toEqual({ lastDay: 100, quarter: null, fired: [lastDay] });

  // What was read an hour ago does not speak for the last day any more.
  service.clock.advance(hour);
  service.double.fault({ path: '/repos/octo/empty/actions/runs*' }, { kind: 'status', status: 502 });
  await ask('POST', '/api/db/sync?owner=octo&repo=empty');
  expect((await found()).fired).toEqual([lastDay]);

  let last = first;
  for (let calls = 0; last.partial && calls < 10; calls++) {
    service.clock.advance(61_000);
    last = (await ask('POST', '/api/db/sync?owner=octo&repo=empty')).body;
    // Also where a call ends between two passes, before the newest runs were read again.
    expect((await found()).lastDay).toBe(100);
  }
  expect(last.partial).toBe(false);
  const stored = repositoryOf(service.double.world, 'octo/empty').runs.size;
  expect(last.results[0].total_in_db).toBe(stored);
  const { quarter: value, fired } = await found();
  expect([value === null, fired.includes(quarter)]).toEqual([false, true]);
});
