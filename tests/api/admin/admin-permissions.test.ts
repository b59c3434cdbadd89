import { beforeAll, expect, test } from 'vitest';
import { featureKeys } from '../../../server/access/features.ts';
import { expectFields, expectProblem, visitService } from '../endpoints.ts';

const visit = visitService({ MODE: 'organization' });
const ann = { as: 'token-ann' };
const path = '/api/admin/permissions';
const matrix = async () => (await visit.service.ask('GET', path, ann)).body;
const set = (group: unknown, flag: unknown, granted: unknown) =>
  visit.service.ask('PUT', path, { ...ann, body: { group, flag, granted } });
const entries = async (query = '') =>
  (await visit.service.ask('GET', `/api/admin/audit?limit=200${query}`, ann)).body.entries;
const billing = () => visit.service.ask('GET', '/api/codehost/billing?org=octo', { as: 'token-bo' });

beforeAll(async () => {
  await visit.service.signIn('token-ann');
  await visit.service.signIn('token-bo');
  await visit.service.ask('PUT', '/api/admin/users/102/groups', { ...ann, body: { groups: ['pm'] } });
});

test('every feature is there for every group, described; administrators have all', async () => {
  const body = await matrix();
  expect(body.groups).toEqual(['admin', 'devops', 'security', 'dev', 'pm']);
  expect(body.editable_groups).toEqual(['devops', 'security', 'dev', 'pm']);
  expect(body.features.map(({ key }: { key: string }) => key)).toEqual(featureKeys);
  for (const { label, description } of body.features) {
    expect(label).toMatch(/^\p{Lu}.*[^.]$/u);
    expect(description).toMatch(/^\p{Lu}[^.]{15,}\.$/u);
  }
  for (const group of body.groups) expect(Object.keys(body.matrix[group])).toEqual(featureKeys);
  expect(new Set(Object.values(body.matrix.admin))).toEqual(new Set([true]));
  expect(body).toMatchObject({ enforcement: true, stale_keys: [] });
});

test('what is about people is marked, and three of it nobody is given at first', async () => {
  const body = await matrix();
  const sensitive = body.features.filter((one: { sensitive: boolean }) => one.sensitive);
  const keys = sensitive.map(({ key }: { key: string }) => key).sort();
  expect(keys).toEqual([
    'aiAuthorship',
    'busFactor',
    'contributorProfile',
    'reviewBottleneck',
    'teamInsights',
    'workingHabits',
    'workloadRisk',
  ]);
  for (const group of body.editable_groups)
    for (const key of ['workloadRisk', 'workingHabits', 'aiAuthorship'])
      expect(body.matrix[group][key], `${group} ${key}`).toBe(false);
});

test('a feature that is taken away is gone at once, and one entry says who did it', async () => {
  expect((await billing()).status).not.toBe(403);
  expect((await set('pm', 'costAnalytics', false)).body).toEqual({
    group: 'pm',
    flag: 'costAnalytics',
    granted: false,
    changed: true,
  });
  const response = await billing();
  expectProblem(response, 403, 'forbidden');
  expect(response.body.flag).toBe('costAnalytics');
  expect((await set('pm', 'costAnalytics', false)).body.changed).toBe(false);
  expect(await entries('&action=permission.revoked')).toMatchObject([
    { target: 'pm/costAnalytics', before: true, after: false, actor: { login: 'ann' }, category: 'access' },
  ]);
  const { cells } = await matrix();
  expect(cells).toContainEqual({
    group: 'pm',
    flag: 'costAnalytics',
    updated_by: 'ann',
    updated_at: '2026-11-16T10:00:00.000Z',
  });
  expect((await set('pm', 'costAnalytics', true)).body.changed).toBe(true);
  expect((await billing()).status).not.toBe(403);
});

test('one cell changes no other', async () => {
  const { matrix: before } = await matrix();
  await Promise.all([set('dev', 'workingHabits', true), set('security', 'dora', true), set('dev', 'alerts', false)]);
  const { matrix: after } = await matrix();
  expect(after).toEqual({
    ...before,
    dev: { ...before.dev, workingHabits: true, alerts: false },
    security: { ...before.security, dora: true },
  });
});

test('what is no cell is rejected by name and changes nothing', async () => {
  const before = [await matrix(), await entries()];
  for (const group of ['admin', 'owners', '', null]) {
    const answer = await set(group, 'dora', true);
    expectFields(answer, ['group', 'invalid']);
  }
  for (const flag of ['Dora', 'nothing', 'constructor', 7])
    expectFields(await set('dev', flag, true), ['flag', 'invalid']);
  for (const granted of ['yes', 'true', 1, null])
    expectFields(await set('dev', 'dora', granted), ['granted', 'invalid']);
  expectFields(
    await visit.service.ask('PUT', path, { ...ann, body: { bogus: 1 } }),
    ['bogus', 'unknown'],
    ['group', 'missing'],
    ['flag', 'missing'],
    ['granted', 'missing'],
  );
  expect([await matrix(), await entries()]).toEqual(before);
});

test('a stored key of another version is reported, and is no feature', async () => {
  const { store, clock } = visit.service.app.services;
  const by = { actor: { id: null, login: 'system' }, requestId: null, now: clock.now() };
  await store?.permissions.set({ group: 'dev', flag: 'ofAnotherVersion', granted: true }, by);
  const body = await matrix();
  expect(body.stale_keys).toEqual(['ofAnotherVersion']);
  expect(JSON.stringify([body.matrix, body.features, body.cells])).not.toContain('ofAnotherVersion');
});

interface Explained {
  method: string;
  path: string;
  allowed: boolean;
  code: string | null;
  flag: string | null;
}

test('what somebody may do is foretold by the rules that decide it', async () => {
  const getAccess = async (login: string) => visit.service.ask('GET', `/api/admin/access?login=${login}`, ann);
  const { body } = await getAccess('BO');
  expect(body).toMatchObject({ login: 'bo', groups: ['pm'], is_admin: false, enforcement: true });
  expect(body.features).toContain('costAnalytics');
  const of = (method: string, path: string) =>
    body.operations.find((one: Explained) => one.method === method && one.path === path);
  expect(of('GET', '/api/codehost/billing')).toMatchObject({ allowed: true, code: null, flag: null });
  expect(of('GET', path)).toMatchObject({ allowed: false, code: 'forbidden', flag: 'admin' });
  expect(of('POST', '/api/db/sync')).toMatchObject({ allowed: false, code: 'forbidden', flag: 'dataSync' });
  const reads = body.operations.filter(
    ({ method, path }: Explained) => method === 'GET' && !path.startsWith('/api/auth'),
  );
  for (const { path, allowed, code, flag } of reads as Explained[]) {
    const answer = await visit.service.ask('GET', path, { as: 'token-bo' });
    const isRejected = answer.status === 403 && ['forbidden', 'no_groups'].includes(answer.body.code);
    expect({ path, allowed: !isRejected }).toEqual({ path, allowed });
    if (isRejected) expect({ path, code: answer.body.code, flag: answer.body.flag }).toEqual({ path, code, flag });
  }
  expect((await getAccess('ann')).body.operations.every((one: Explained) => one.allowed)).toBe(true);
  expectProblem(await getAccess('carol'), 404, 'not_found');
  await visit.service.ask('PUT', '/api/admin/users/102/groups', { ...ann, body: { groups: [] } });
  const waiting = (await getAccess('bo')).body.operations.find((one: Explained) => one.path === '/api/codehost/repos');
  expect(waiting).toMatchObject({ allowed: false, code: 'no_groups', flag: null });
});
