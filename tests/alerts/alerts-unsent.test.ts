import { expect, test } from 'vitest';
import { visitService } from '../api/endpoints.ts';
import { anyDatabase } from '../support/service.ts';
import { addRule, bring, endedRuns, servicesOf } from './stage.ts';

const path = '/api/alerts';
const byDay = { channel: 'digest', destination: 'a@codehost.example' } as const;
const withoutToken = visitService({ DATABASE_URL: anyDatabase });
const withToken = visitService({ DATABASE_URL: anyDatabase, CODEHOST_TOKEN: 'token-ann' });

/** The rules as they are reported after this one was added and runs came in, two thirds failed. */
async function listed({ service }: typeof withToken, rule: Parameters<typeof addRule>[1]) {
  const services = servicesOf(service.app);
  const { id } = await addRule(services, { scope: 'repo:octo/repo-1', ...rule });
  await bring(services, endedRuns(services, 6, 4));
  const { rules } = (await service.ask('GET', path, { as: 'token-ann' })).body;
  return rules.find((one: { id: number }) => one.id === id);
}

test('a rule whose email goes out by night says so where system has no token, and keeps its value', async () => {
  const unsent = 'Daily digests are sent with the nightly sync, and CODEHOST_TOKEN is not set.';
  const rule = await listed(withoutToken, { ...byDay, threshold: 60 });
  expect(rule).toMatchObject({ unsent, health: 'ok', incomplete: null, last_value: 66.67, has_reached: true });
  const unfed = await listed(withoutToken, { ...byDay, metric: 'pr_abandon_rate' });
  expect(unfed).toMatchObject({ unsent, health: 'no_data', incomplete: expect.stringContaining('is synced nightly') });
});

test('one that reports otherwise, or has a token to live on, does not', async () => {
  for (const channel of ['email', 'browser'] as const) {
    const destination = channel === 'browser' ? null : byDay.destination;
    expect(await listed(withoutToken, { channel, destination, threshold: 70 })).toMatchObject({ unsent: null });
  }
  expect(await listed(withToken, { ...byDay, threshold: 60 })).toMatchObject({ unsent: null, health: 'ok' });
});
