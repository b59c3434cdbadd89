import { expect, test } from 'vitest';
import { evaluateAlerts } from '../../server/alerts/evaluate.ts';
import { expectFields, visitService } from '../api/endpoints.ts';
import { anyDatabase } from '../support/service.ts';
import { servicesOf } from './stage.ts';

const visit = visitService({ DATABASE_URL: anyDatabase });
const ask = (method: string, body?: object, query = '') =>
  visit.service.ask(method, `/api/alerts${query}`, { as: 'token-ann', ...(body && { body }) });

test('a rule that was just saved shows its value, and fires only when something new was read', async () => {
  const sync = () => visit.service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
  let synced = (await sync()).body;
  for (let calls = 0; synced.partial && calls < 10; calls++) synced = (await sync()).body;
  const rule = { scope: 'repo:octo/web', metric: 'duration_p95', threshold: 0, window_hours: 2000, min_sample: 1 };
  const saved = (await ask('POST', rule)).body.rule;
  expect(saved).toMatchObject({ last_value: expect.any(Number), has_reached: true, health: 'ok', last_fired_at: null });
  const changed = (await ask('PATCH', { id: saved.id, threshold: 1_000_000 })).body.rule;
  expect(changed).toMatchObject({ last_value: saved.last_value, has_reached: false });
  expect((await ask('GET', undefined, '?events=1')).body.events).toEqual([]);
  await ask('PATCH', { id: saved.id, threshold: 0 });
  visit.service.clock.advance(60_000);
  await sync();
  expect((await ask('GET', undefined, '?events=1')).body.events).toHaveLength(1);
});

test('each change that concerns the value measures anew, and never as of earlier than the last evaluation', async () => {
  const rule = { scope: 'repo:octo/web', metric: 'duration_p95', threshold: 1_000_000, window_hours: 1000 };
  const { id } = (await ask('POST', rule)).body.rule;
  const changed = async (change: object) => (await ask('PATCH', { id, ...change })).body.rule;
  const measuredAt = async (change: object) => Date.parse((await changed(change)).last_evaluated_at);
  await changed({ enabled: false });
  visit.service.clock.advance(60_000);
  expect(await measuredAt({ enabled: true })).toBe(visit.service.clock.now());
  await changed({ muted_until: new Date(visit.service.clock.now() + 86_400_000).toISOString() });
  visit.service.clock.advance(60_000);
  expect(await measuredAt({ muted_until: null })).toBe(visit.service.clock.now());
  visit.service.clock.advance(60_000);
  expect(await measuredAt({ min_sample: 7 })).toBe(visit.service.clock.now());

  // The newest runs were read twenty minutes ago; since then a webhook brought one.
  visit.service.clock.advance(20 * 60_000);
  const services = servicesOf(visit.service.app);
  const web = (await services.store.repositories.tracked('octo')).find(({ repo }) => repo === 'web');
  if (!web) return expect.fail('It is not tracked.');
  await evaluateAlerts(web, 'workflow-runs', 'webhook', services);
  const evaluatedAt = visit.service.clock.now();
  visit.service.clock.advance(60_000);
  expect(await measuredAt({ window_hours: 900 })).toBe(evaluatedAt);
  const saved = await services.store.alertRules.find(id);
  if (!saved) return expect.fail('The rule is gone.');
  const late = { value: null, sample: 0, breaching: false, isBelow: false, incomplete: null };
  await services.store.alertEvents.measured({ rule: saved, repoId: web.id, ...late, now: evaluatedAt - 1 });
  const [status] = await services.store.alertRules.statuses([{ id, freshSince: 0 }]);
  expect(status).toMatchObject({ lastEvaluatedAt: evaluatedAt, lastValue: expect.any(Number) });
});

test('its value is as of what was read, and none is reported where nothing was', async () => {
  const read = visit.service.clock.now();
  visit.service.clock.advance(3_600_000);
  const later = { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 5, window_hours: 2000 };
  const { last_evaluated_at: at } = (await ask('POST', later)).body.rule;
  expect(Date.parse(at)).toBeLessThanOrEqual(read);
  const unread = (await ask('POST', { ...later, scope: 'repo:octo/api' })).body.rule;
  expect(unread).toMatchObject({ last_value: null, last_evaluated_at: null });
});

test('a value that is not evaluated any more is not known, and the rule says since when', async () => {
  await visit.service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
  const evaluatedAt = new Date(visit.service.clock.now()).toISOString();
  const rules = async () => (await ask('GET', undefined, '?scope=repo:octo/web')).body.rules;
  visit.service.clock.advance(36 * 3_600_000);
  const known = await rules();
  for (const rule of known) expect(rule).toMatchObject({ health: 'ok', last_evaluated_at: evaluatedAt });
  visit.service.clock.advance(1);
  const stale = { last_value: null, last_sample: null, has_reached: null, health: 'no_data' };
  const incomplete = `Not evaluated since ${evaluatedAt}.`;
  expect(await rules()).toMatchObject(known.map(() => ({ ...stale, incomplete, last_evaluated_at: evaluatedAt })));
});

test('a scope that is none is rejected without the way it is written inside', async () => {
  const answer = await ask('POST', { scope: 'octo/web', metric: 'failure_rate', threshold: 5 });
  expectFields(answer, ['scope', 'invalid']);
  expect(answer.body.error).toBe('scope must name a repository or an organization.');
  const digest = await ask('POST', {
    scope: 'repo:octo/web',
    metric: 'leadership_digest',
    destination: 'a@codehost.example',
  });
  expect(digest.body.error).not.toMatch(/[<>]|org:/);
});
