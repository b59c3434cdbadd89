import { expect, test } from 'vitest';
import { anActor } from '../codehost-double/delivery-builders.ts';
import { anyDatabase } from '../support/service.ts';
import { visitService } from './endpoints.ts';

const visit = visitService({ DATABASE_URL: anyDatabase });
const get = async (path: string) => (await visit.service.ask('GET', `/api/${path}`, { as: 'token-ann' })).body;
const sync = () => visit.service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
const minute = 60_000;

test('an answer says when its oldest part was read, and whether stored runs are in it', async () => {
  const { clock } = visit.service;
  const at = (ago: number) => new Date(clock.now() - ago).toISOString();
  expect(await get('codehost/repo-attention?org=octo')).toMatchObject({ generated_at: at(0), data_source: 'live' });
  clock.advance(minute);
  const again = await get('codehost/repo-attention?org=octo');
  expect(again, 'a copy is as old as it is').toMatchObject({ generated_at: at(minute), data_source: 'live' });
  const health = 'codehost/workflow-health?owner=octo&repo=web&workflow_id=7001';
  expect(await get(health)).toMatchObject({ generated_at: at(0), data_source: 'live' });
  clock.advance(20_000);
  expect(await get(health)).toMatchObject({ generated_at: at(20_000), data_source: 'live' });
  clock.advance(10 * minute);
  await sync();
  // What was created in the last two minutes may not all have been listed.
  const mixed = { generated_at: at(2 * minute), data_source: 'mixed' };
  expect(await get('codehost/repo-attention?org=octo&q=web')).toMatchObject(mixed);
  expect(await get('codehost/repo-attention?org=octo&q=api')).toMatchObject({ data_source: 'live' });
  expect(await get('codehost/repo-attention?org=octo&q=nothing-like-it')).toMatchObject({ data_source: 'live' });
});

test('a run is by the one who caused its first attempt, live and stored, whoever ran it again', async () => {
  const { double, clock } = visit.service;
  clock.advance(10 * minute);
  const now = clock.now();
  double.putRun('octo/web', { id: 9100, createdAt: now - 9 * minute, conclusion: 'failure', workflowId: 7001 });
  double.rerun('octo/web', 9100, now - 5 * minute, { triggeringActor: anActor('bo') });
  await sync();
  const listed = await get('codehost/runs?owner=octo&repo=web&workflow_id=7001');
  expect(listed[0]).toMatchObject({ id: 9100, actor: { login: 'ann' }, triggering_actor: { login: 'bo' } });
  expect((await get('db/runs?owner=octo&repo=web')).runs[0]).toMatchObject({ id: 9100, run_attempt: 2, actor: 'ann' });
  expect(await get('codehost/repo-summary?owner=octo&repo=web')).toMatchObject({
    data_source: 'mixed',
    latest_actor: 'ann',
  });
  expect((await get('codehost/repo-overview?owner=octo&repo=web'))[0].summary).toMatchObject({ latest_actor: 'ann' });
});
