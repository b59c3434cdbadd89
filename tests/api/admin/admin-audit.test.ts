import { beforeAll, expect, test } from 'vitest';
import { expectFields, expectProblem, visitService } from '../endpoints.ts';

const visit = visitService({ MODE: 'organization' });
const ann = { as: 'token-ann' };
const path = '/api/admin/audit';
const read = async (query = '') => (await visit.service.ask('GET', `${path}${query}`, ann)).body;
const ids = (body: { entries: { id: number }[] }) => body.entries.map(({ id }) => id);
const write = (method: string, address: string, body: object, as = 'token-ann') =>
  visit.service.ask(method, address, { as, body });

beforeAll(async () => {
  await visit.service.signIn('token-ann');
  await visit.service.signIn('token-bo');
  await write('PUT', '/api/admin/users/102/groups', { groups: ['admin'] });
  await write('PUT', '/api/admin/permissions', { group: 'dev', flag: 'dora', granted: false }, 'token-bo');
  await write('POST', '/api/admin/identity-links', { alias: 'Bo Old', primary: 'bo' });
  await write('PUT', '/api/settings/team', { timezone: 'UTC', start: 9, end: 17 });
  await write('POST', '/api/codehost/create-issue', { owner: 'octo', repo: 'web', title: 'Slow' }, 'token-bo');
});

test('two at a time, newest first, without gap or overlap', async () => {
  const all = await read('?category=all');
  expect([ids(all), all.next_before]).toEqual([[6, 5, 4, 3, 2, 1], null]);
  const found: number[] = [];
  for (let before: number | null = 100; before !== null; ) {
    const page = await read(`?category=all&limit=2&before=${before}`);
    expect(page.entries).toHaveLength(2);
    found.push(...ids(page));
    before = page.next_before;
  }
  expect(found).toEqual(ids(all));
});

test('access has identities with it; everything else is requested by name', async () => {
  const actions = async (query: string) => (await read(query)).entries.map((one: { action: string }) => one.action);
  const access = ['identity.linked', 'permission.revoked', 'user.groups_replaced', 'user.bootstrap_admin'];
  expect(await actions('')).toEqual(access);
  expect(await actions('?category=access')).toEqual(access);
  expect(await actions('?category=identity')).toEqual(['identity.linked']);
  expect(await actions('?category=settings')).toEqual(['settings.team_saved']);
  expect(await actions('?category=issues')).toEqual(['issue.filed']);
  expect(await actions('?category=alerts')).toEqual([]);
  expect(await actions('?category=all&actor=BO')).toEqual(['issue.filed', 'permission.revoked']);
  expect(await actions('?category=all&actor=system')).toEqual(['user.bootstrap_admin']);
  expect(await actions('?action=user.groups_replaced')).toEqual(['user.groups_replaced']);
  for (const [name, value] of [
    ['category', 'bogus'],
    ['limit', '0'],
    ['before', 'x'],
    ['actor', 'a%00b'],
    ['action', 'x'.repeat(101)],
  ] as const)
    expectFields(await visit.service.ask('GET', `${path}?${name}=${value}`, ann), [name, 'invalid']);
  const most = await visit.service.ask('GET', `${path}?limit=201`, ann);
  expect(most.headers.get('x-effective-limit')).toBe('200');
});

test('an entry says who, what, how it was and how it is, and by which request', async () => {
  const [issue] = (await read('?category=issues')).entries;
  expect(issue).toEqual({
    id: 6,
    at: '2026-11-16T10:00:00.000Z',
    category: 'issues',
    action: 'issue.filed',
    note: null,
    actor: { codehost_id: '102', login: 'bo' },
    target_type: 'issue',
    before: null,
    target: expect.stringMatching(/^octo\/web#\d+$/),
    after: { repo: 'octo/web', number: expect.any(Number) },
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const [saved] = (await read('?category=settings')).entries;
  expect(saved).toMatchObject({ target: 'team', before: null, after: { timezone: 'UTC', start: 9, end: 17 } });
  expect(await visit.service.app.services.store?.audit.broken()).toBeNull();
});

test('an issue that is requested again is written down once', async () => {
  const again = await write(
    ...(['POST', '/api/codehost/create-issue', { owner: 'octo', repo: 'web', title: 'Slow' }, 'token-bo'] as const),
  );
  expect(again.body.deduplicated).toBe(true);
  expect(ids(await read('?category=issues'))).toEqual([6]);
});

test('all of it can be had as CSV, each side of a change as JSON', async () => {
  const answer = await visit.service.ask('GET', `${path}?category=all&format=csv`, ann);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [header, ...rows] = answer.text.trim().split('\r\n');
  expect(header).toBe(
    'id,at,category,action,actor.codehost_id,actor.login,target_type,target,request_id,note,hash,before,after',
  );
  expect(rows).toHaveLength(6);
  expect(rows[1]).toContain('"{""end"":17,""start"":9,""timezone"":""UTC""}"');
});

test('it cannot be read without being an administrator', async () => {
  await write('PUT', '/api/admin/users/102/groups', { groups: ['dev'] });
  expectProblem(await visit.service.ask('GET', path, { as: 'token-bo' }), 403, 'forbidden');
});
