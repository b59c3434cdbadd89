import { beforeAll, expect, test } from 'vitest';
import { expectFields, expectProblem, visitService } from '../endpoints.ts';

const visit = visitService({ MODE: 'organization' });
const ann = { as: 'token-ann' };
const path = '/api/admin/users';
const list = async (query = '') => (await visit.service.ask('GET', `${path}${query}`, ann)).body;
const replace = (id: number | string, groups: unknown, as = 'token-ann') =>
  visit.service.ask('PUT', `${path}/${id}/groups`, { as, body: { groups } });
const groupsOf = async (login: string) => (await list(`?q=${login}`)).users[0]?.groups;
const audited = async () => {
  const { body } = await visit.service.ask('GET', '/api/admin/audit?action=user.groups_replaced', ann);
  return body.entries;
};

/** 118 people beside ann and bo; who came later was seen later. */
beforeAll(async () => {
  await visit.service.signIn('token-ann');
  await visit.service.signIn('token-bo');
  const { store, clock } = visit.service.app.services;
  const entitlement = { mayBootstrap: false, defaultGroup: null };
  for (let n = 1; n <= 118; n++) {
    const login = `Person-${String(n).padStart(3, '0')}`;
    const profile = { id: 5000 + n, login, name: n === 7 ? 'Zoë 100%' : null, avatarUrl: '' };
    await store?.users.signedIn(profile, entitlement, 'made-here', clock.now() - n * 1000);
  }
});

test('120 people come a hundred at a time, who was here last first', async () => {
  const first = await list();
  expect([first.users.length, first.total, first.limit, first.offset]).toEqual([100, 120, 100, 0]);
  const rest = await list('?offset=100');
  expect([rest.users.length, rest.total, rest.offset]).toEqual([20, 120, 100]);
  const logins = [...first.users, ...rest.users].map(({ login }: { login: string }) => login);
  expect(new Set(logins).size).toBe(120);
  expect([logins.slice(0, 3), logins.at(-1)]).toEqual([['ann', 'bo', 'Person-001'], 'Person-118']);
  expect(first.users[2]).toEqual({
    codehost_id: '5001',
    login: 'Person-001',
    name: null,
    avatar_url: '',
    groups: [],
    first_seen_at: '2026-11-16T09:59:59.000Z',
    last_seen_at: '2026-11-16T09:59:59.000Z',
    last_denied_at: null,
    last_denied_code: null,
  });
});

test('a part of a login or a name finds people in any case, and is no pattern', async () => {
  expect((await list('?q=SON-00')).total).toBe(9);
  expect((await list('?q=zoë')).users[0].login).toBe('Person-007');
  expect((await list('?q=100%25')).total).toBe(1);
  expect([(await list('?q=_')).total, (await list('?q=%25')).total]).toEqual([0, 1]);
  for (const q of ['x'.repeat(101), 'a%00b'])
    expectFields(await visit.service.ask('GET', `${path}?q=${q}`, ann), ['q', 'invalid']);
});

test('a group finds its members, and none those who wait', async () => {
  expect((await list('?group=admin')).users.map(({ login }: { login: string }) => login)).toEqual(['ann']);
  expect((await list('?group=none')).total).toBe(119);
  expect((await list('?group=none&q=ann')).total).toBe(0);
  expectFields(await visit.service.ask('GET', `${path}?group=owners`, ann), ['group', 'invalid']);
});

test('a limit beyond the most is taken as the most, and said', async () => {
  const answer = await visit.service.ask('GET', `${path}?limit=9999`, ann);
  expect([answer.body.limit, answer.headers.get('x-effective-limit')]).toEqual([500, '500']);
  expectFields(await visit.service.ask('GET', `${path}?limit=0`, ann), ['limit', 'invalid']);
  expectFields(await visit.service.ask('GET', `${path}?offset=-1`, ann), ['offset', 'invalid']);
});

test('who was rejected is seen with why', async () => {
  expectProblem(await visit.service.ask('GET', '/api/codehost/repos', { as: 'token-bo' }), 403, 'no_groups');
  expect((await list('?q=bo')).users[0]).toMatchObject({
    login: 'bo',
    last_denied_at: '2026-11-16T10:00:00.000Z',
    last_denied_code: 'no_groups',
  });
});

test('groups are replaced once, with one entry that says what they were', async () => {
  const answer = await replace(102, ['pm', 'dev', 'dev']);
  expect([answer.status, answer.body.changed]).toEqual([200, true]);
  expect(answer.body.user).toMatchObject({ codehost_id: '102', login: 'bo', groups: ['dev', 'pm'] });
  expect((await replace(102, ['dev', 'pm'])).body).toMatchObject({ changed: false, user: { groups: ['dev', 'pm'] } });
  const entries = await audited();
  expect(entries).toMatchObject([
    {
      category: 'access',
      action: 'user.groups_replaced',
      target_type: 'user',
      target: 'bo',
      actor: { codehost_id: '101', login: 'ann' },
      before: [],
      after: ['dev', 'pm'],
      request_id: answer.headers.get('x-request-id'),
    },
  ]);
  expect(entries).toHaveLength(1);
});

test('who is given a group, or loses it, has what that means at the next request', async () => {
  await replace(102, ['dev']);
  expect((await visit.service.ask('GET', '/api/codehost/repos', { as: 'token-bo' })).status).toBe(200);
  await replace(102, []);
  expectProblem(await visit.service.ask('GET', '/api/codehost/repos', { as: 'token-bo' }), 403, 'no_groups');
});

test('what is no group, or nobody, changes nothing', async () => {
  const before = await audited();
  for (const groups of [['dev', 'owners'], 'dev', null, [1], {}])
    expectFields(await replace(102, groups), ['groups', 'invalid']);
  expectFields(await visit.service.ask('PUT', `${path}/102/groups`, { ...ann, body: {} }), ['groups', 'missing']);
  for (const id of ['x', '0', '-1', '1.5', '9007199254740993'])
    expectFields(await replace(id, ['dev']), ['codehostId', 'invalid']);
  expectProblem(await replace(424_242, ['dev']), 404, 'not_found');
  const twice = { codehostId: 101, groups: ['dev'] };
  const answer = await visit.service.ask('PUT', `${path}/102/groups`, { ...ann, body: twice });
  expectFields(answer, ['codehostId', 'duplicate']);
  expect([await groupsOf('bo'), await groupsOf('ann')]).toEqual([[], ['admin']]);
  expect(await audited()).toEqual(before);
});

test('the last administrator stays; with another one, anybody may step down', async () => {
  for (const groups of [[], ['dev', 'pm']]) expectProblem(await replace(101, groups), 409, 'last_admin');
  expect(await groupsOf('ann')).toEqual(['admin']);
  await replace(102, ['admin']);
  const [one, other] = await Promise.all([replace(102, []), replace(101, [], 'token-bo')]);
  expect([one, other].filter(({ status }) => status === 200)).toHaveLength(1);
  // Whoever comes second is the last one, or no longer one at all, or in no group by then.
  const second = one.status === 200 ? other : one;
  expect(['last_admin', 'forbidden', 'no_groups']).toContain(second.body.code);
  const left = one.status === 200 ? 'token-ann' : 'token-bo';
  expect((await replace(101, ['admin'], left)).status).toBe(200);
  expect((await replace(102, [], left)).status).toBe(200);
  expect([await groupsOf('ann'), await groupsOf('bo')]).toEqual([['admin'], []]);
});

test('a change of groups that somebody else changed meanwhile is not made', async () => {
  visit.service.clock.advance(60_000);
  const save = (groups: unknown, before: unknown) =>
    visit.service.ask('PUT', `${path}/102/groups`, { ...ann, body: { groups, before } });
  expect((await save(['dev'], [])).status).toBe(200);
  expectProblem(await save(['pm'], []), 409, 'edit_conflict');
  expectFields(await save(['pm'], ['owners']), ['before', 'invalid']);
  expect(await groupsOf('bo')).toEqual(['dev']);
  expect((await save([], ['dev'])).status).toBe(200);
});

test('sixty changes a minute are taken from one account, rejected ones of bad form take no place', async () => {
  visit.service.clock.advance(60_000);
  const before = await audited();
  for (let n = 0; n < 5; n++) expect((await replace('x', [])).status).toBe(400);
  for (let left = 59; left >= 0; left--) {
    const answer = await replace(5001, []);
    expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([200, String(left)]);
  }
  const response = await replace(5001, ['dev']);
  expectProblem(response, 429, 'rate_limited');
  expect([response.headers.get('retry-after'), await groupsOf('Person-001')]).toEqual(['60', []]);
  expect(await audited()).toEqual(before);
  expect((await list()).total).toBe(120);
});

test('it is there for administrators of an organization alone', async () => {
  visit.service.clock.advance(60_000);
  await replace(102, ['dev']);
  for (const [method, address] of [
    ['GET', path],
    ['PUT', `${path}/101/groups`],
  ] as const) {
    const answer = await visit.service.ask(method, address, { as: 'token-bo' });
    expectProblem(answer, 403, 'forbidden');
    expect(answer.body.flag).toBe('admin');
    expectProblem(await visit.service.ask(method, address), 401, 'unauthenticated');
  }
  const headers = { origin: 'https://elsewhere.example' };
  const forged = await visit.service.ask('PUT', `${path}/101/groups`, { ...ann, headers, body: { groups: [] } });
  expectProblem(forged, 403, 'csrf_rejected');
});
