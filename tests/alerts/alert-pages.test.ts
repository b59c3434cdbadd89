import { expect, test } from 'vitest';
import { expectFields, visitService } from '../api/endpoints.ts';
import { anyDatabase } from '../support/service.ts';
import { servicesOf } from './stage.ts';

const visit = visitService({ DATABASE_URL: anyDatabase });
const ask = (query: string) => visit.service.ask('GET', `/api/alerts?${query}`, { as: 'token-ann' });

test('all alerts are read by pages, each of them once, also those that fired at one moment', async () => {
  const { alertRules, alertEvents } = servicesOf(visit.service.app).store;
  const created = await visit.service.ask('POST', '/api/alerts', {
    as: 'token-ann',
    body: { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20 },
  });
  const rule = (await alertRules.list()).find(({ id }) => id === created.body.rule.id);
  if (!rule) throw new Error('The rule was not stored.');
  const now = visit.service.clock.now();
  const fired: number[] = [];
  // Three at each moment, so that a page ends among them.
  for (let index = 0; index < 121; index += 1)
    fired.push((await alertEvents.test(rule, null, now - Math.floor(index / 3) * 1000)).id);

  const pages: number[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await ask(`events=1${cursor && `&cursor=${cursor}`}`);
    pages.push(body.events.map(({ id }: { id: number }) => id));
    cursor = body.next_cursor;
  }
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 21]);
  const read = pages.flat();
  expect(new Set(read)).toEqual(new Set(fired));
  const moment = (id: number) => Math.floor(fired.indexOf(id) / 3);
  expect(read).toEqual(fired.toSorted((one, other) => moment(one) - moment(other) || other - one));
  expect((await ask('events=0')).body.next_cursor).toBeNull();
  expectFields(await ask('events=1&cursor=x'), ['cursor', 'invalid']);
});
