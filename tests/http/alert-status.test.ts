import { afterAll, beforeAll, expect, test } from 'vitest';
import { countAlerts, getAlertStatus } from '../../server/http/alert-status.ts';
import { addRule, bring, endedRuns, servicesOf } from '../alerts/stage.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';

const day = 86_400_000;
let service: Service;

beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase, SESSION_TTL_HOURS: '720' });
});

afterAll(() => service?.close());

/** What the start page would say, and the number beside every page. */
async function openAlerts() {
  const { status, body } = await service.ask('GET', '/api/alerts?events=1', { as: 'token-ann' });
  expect(status).toBe(200);
  const notes = {
    partial: false,
    partialReason: null,
    stale: false,
    asOf: null,
    source: null,
    canonicalRepo: null,
    mayLackOrganizations: false,
  };
  const said = getAlertStatus({ ok: true, data: body, notes }, service.clock.now());
  const counted = await countAlerts(service.app.services);
  return { ...said, beside: counted?.open };
}

test('an alert is open until it is resolved, or for seven days; a test never is', async () => {
  const services = servicesOf(service.app);
  expect(await openAlerts()).toEqual({ state: 'nobody', rules: 0, beside: 0 });
  const rule = await addRule(services);
  await addRule(services, { metric: 'duration_p95', threshold: 500 });
  expect(await openAlerts()).toEqual({ state: 'nobody', rules: 2, beside: 0 });
  await bring(services, endedRuns(services, 6, 2));
  expect(await openAlerts()).toEqual({ state: 'quiet', watching: 2, silent: 0, beside: 0 });
  await services.store.alertEvents.test(rule, null, services.clock.now());
  expect(await openAlerts()).toMatchObject({ state: 'quiet', beside: 0 });

  service.clock.advance(2 * day);
  await bring(services, endedRuns(services, 6, 6));
  expect(await openAlerts()).toMatchObject({ state: 'open', events: [{ repo: 'Octo/repo-1', value: 100 }], beside: 1 });
  service.clock.advance(7 * day - 1000);
  expect(await openAlerts()).toMatchObject({ state: 'open', beside: 1 });
  service.clock.advance(1000);
  // Nor has any rule been evaluated since.
  expect(await openAlerts()).toMatchObject({ state: 'nobody', beside: 0 });

  service.clock.advance(2 * day);
  await bring(services, endedRuns(services, 6, 6));
  expect(await openAlerts()).toMatchObject({ state: 'open', beside: 1 });
  service.clock.advance(2 * day);
  await bring(services, endedRuns(services, 6, 0));
  expect(await openAlerts()).toMatchObject({ state: 'quiet', beside: 0 });

  const by = { actor: { id: 101, login: 'ann' }, requestId: 'one', now: services.clock.now() };
  await services.store.alertRules.change(rule.id, { mutedUntil: services.clock.now() + day }, by);
  expect(await openAlerts()).toEqual({ state: 'quiet', watching: 1, silent: 1, beside: 0 });
  await services.store.alertRules.change(rule.id + 1, { enabled: false }, by);
  expect(await openAlerts()).toEqual({ state: 'nobody', rules: 2, beside: 0 });
});

test('an open one that fifty newer hide is counted', async () => {
  const services = servicesOf(service.app);
  const rule = await addRule(services, { threshold: 49 });
  await bring(services, endedRuns(services, 6, 6));
  for (let times = 0; times < 50; times++) await services.store.alertEvents.test(rule, null, services.clock.now());
  expect(await openAlerts()).toMatchObject({ state: 'open', open: 1, events: [], beside: 1 });
  service.clock.advance(7 * day);
  expect(await openAlerts()).toMatchObject({ state: 'nobody', beside: 0 });
});

test('a rejected list is not an empty one', () => {
  const problem = { error: 'Not now.', code: 'authz_unavailable', request_id: 'one', status: 503 } as const;
  expect(getAlertStatus({ ok: false, problem }, 0)).toEqual({ state: 'unknown', error: 'Not now.' });
});
