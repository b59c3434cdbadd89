import { expect, test } from 'vitest';
import { namedNow } from '../../codehost-double/named-world.ts';
import { sourceErrors } from '../../codehost-double/security.ts';
import { withDouble } from '../double.ts';
import { errorOf } from '../platform.ts';

const world = withDouble();
const web = { owner: 'octo', repo: 'web' };
const plenty = () => ({ lists: 60 });
const day = 86_400_000;

test('one list for each source, with the open alerts of every repository and its name', async () => {
  world.double.addAlerts('octo/api', 'dependabot', 2, namedNow - day);
  const { codehost, sent } = world.as();
  const { dependabot, code_scanning, secret_scanning } = await codehost.organizationAlerts('Octo');
  expect(sent).toHaveLength(3);
  expect(dependabot).toMatchObject({ status: 'ok', message: null, truncated: false, stale: false, asOf: namedNow });
  expect(
    dependabot.open.map(({ repository, alert }) => `${repository.repo} ${alert.number} ${alert.advisory}`),
  ).toEqual([
    'web 1 GHSA-0000-0000-0001',
    'web 2 GHSA-0000-0000-0002',
    'api 2 GHSA-0000-0000-0002',
    'api 1 GHSA-0000-0000-0001',
  ]);
  expect(code_scanning.open.map(({ alert }) => alert.severity)).toEqual(['high']);
  expect(secret_scanning.open.map(({ alert }) => alert.title)).toEqual(['Lighthouse access key']);
});

test('they are conditional after five minutes, and secrets are not requested', async () => {
  const { codehost } = world.as();
  await codehost.organizationAlerts('octo');
  world.advance(5 * 60_000);
  await codehost.organizationAlerts('octo');
  const { requests } = world.double;
  expect(requests.map(({ status }) => status)).toEqual([200, 200, 200, 304, 304, 304]);
  const ofSecrets = requests.filter(({ path }) => path.includes('secret-scanning'));
  expect(ofSecrets.map(({ query }) => query.hide_secret)).toEqual(['true', 'true']);
});

test('a thousand are read of each source, the oldest; more are said to exist', async () => {
  world.double.addAlerts('octo/api', 'dependabot', 1001, namedNow - 1000);
  world.double.addAlerts('octo/api', 'secret_scanning', 999, namedNow - 1000);
  const { dependabot, secret_scanning } = await world.as().codehost.organizationAlerts('octo');
  expect([dependabot.open.length, dependabot.truncated]).toEqual([1000, true]);
  expect([secret_scanning.open.length, secret_scanning.truncated]).toEqual([1000, false]);
  expect(dependabot.open[0]?.repository).toEqual(web);
});

test('who is no security manager is denied, and the token is distinguished from an outage', async () => {
  const { codehost } = world.as('token-bo');
  const denied = await codehost.organizationAlerts('octo');
  expect(Object.values(denied).map(({ status, open }) => [status, open])).toEqual(Array(3).fill(['denied', []]));
  world.double.fault({ path: '/orgs/octo/code-scanning/*', times: 9 }, { kind: 'status', status: 503 });
  const outage = await world.as().codehost.organizationAlerts('octo');
  expect([outage.dependabot.status, outage.code_scanning.status]).toEqual(['ok', 'error']);
});

test('a reached limit and a missing single sign-on refuse the whole', async () => {
  world.double.fault({ path: '/orgs/octo/dependabot/alerts' }, { kind: 'primary_limit' });
  expect((await errorOf(world.as().codehost.organizationAlerts('octo'))).code).toBe('upstream_rate_limited');
  const sealed = world.as('token-ann-two').codehost.organizationAlerts('sealed');
  expect((await errorOf(sealed)).code).toBe('sso_required');
});

test('the open alerts of one source come from the copies of the repository’s own answer', async () => {
  const { codehost, sent } = world.as();
  const whole = await codehost.securityAlerts(web, namedNow - 90 * day);
  const before = sent.length;
  const budget = { lists: 0 };
  const open = await codehost.openAlerts(web, 'dependabot', budget);
  expect(open?.open).toEqual(whole.dependabot.open);
  expect([sent.length, budget.lists]).toEqual([before, 0]);
});

test('a source is asked while the budget lasts, and answers as it does for the repository', async () => {
  world.double.rejectAlerts('octo/web', 'dependabot', sourceErrors.dependabotOff);
  world.double.rejectAlerts('octo/web', 'code_scanning', sourceErrors.codeScanningRefused);
  const { codehost, sent } = world.as();
  const budget = { lists: 2 };
  expect((await codehost.openAlerts(web, 'dependabot', budget))?.status).toBe('not_enabled');
  expect((await codehost.openAlerts(web, 'code_scanning', budget))?.status).toBe('forbidden');
  expect(await codehost.openAlerts(web, 'secret_scanning', budget)).toBeNull();
  expect([sent.length, budget.lists]).toEqual([2, 0]);
  expect(await codehost.openAlerts(web, 'dependabot', budget)).toMatchObject({ status: 'not_enabled', open: [] });
  expect(await codehost.openAlerts(web, 'secret_scanning', plenty())).toMatchObject({ status: 'ok' });
});
