import { beforeAll, expect, test } from 'vitest';
import { expectFields, expectProblem, visitService } from '../endpoints.ts';

const visit = visitService({ MODE: 'organization' });
const ann = { as: 'token-ann' };
const change = (body: object) => visit.service.ask('POST', '/api/admin/users/groups', { as: 'token-ann', body });
const groupsOf = async (login: string) =>
  (await visit.service.ask('GET', `/api/admin/users?q=${login}`, ann)).body.users[0]?.groups;
const invited = async () => (await visit.service.ask('GET', '/api/admin/invitations', ann)).body.invitations;
const audited = async (limit: number) =>
  (await visit.service.ask('GET', `/api/admin/audit?category=access&limit=${limit}`, ann)).body.entries;
const signIn = (id: number, login: string, defaultGroup: 'dev' | null = null) =>
  visit.service.app.services.store?.users.signedIn(
    { id, login, name: null, avatarUrl: '' },
    { mayBootstrap: false, defaultGroup },
    'made-here',
    visit.service.clock.now(),
  );

beforeAll(async () => {
  await visit.service.signIn('token-ann');
  await visit.service.signIn('token-bo');
  await signIn(5001, 'Cleo');
});

test('people who signed in are changed at once, others when they sign in, each with an entry', async () => {
  const { status, body } = await change({ logins: ['@bo', '', ' CLEO ', 'dee', 'DEE'], groups: ['dev', 'pm'] });
  expect([status, body]).toEqual([200, { changed: ['bo', 'Cleo'], invited: ['DEE'], withdrawn: [], unchanged: [] }]);
  expect([await groupsOf('bo'), await groupsOf('cleo')]).toEqual([
    ['dev', 'pm'],
    ['dev', 'pm'],
  ]);
  expect(await invited()).toMatchObject([{ login: 'DEE', groups: ['dev', 'pm'], invited_by: 'ann' }]);
  expect(await audited(3)).toMatchObject([
    { action: 'user.invited', target: 'DEE', before: [], after: ['dev', 'pm'], actor: { login: 'ann' } },
    { action: 'user.groups_replaced', target: 'Cleo', before: [], after: ['dev', 'pm'] },
    { action: 'user.groups_replaced', target: 'bo' },
  ]);
  await signIn(5002, 'Dee');
  expect([await groupsOf('dee'), await invited()]).toEqual([['dev', 'pm'], []]);
  expect(await audited(1)).toMatchObject([
    { action: 'user.invitation_accepted', target: 'Dee', after: ['dev', 'pm'], actor: { login: 'system' } },
  ]);
});

test('an invitation that gave nothing new is used up with an entry too', async () => {
  await change({ logins: ['finn'], groups: ['dev'] });
  await signIn(5003, 'Finn', 'dev');
  expect([await groupsOf('finn'), await invited()]).toEqual([['dev'], []]);
  expect(await audited(2)).toMatchObject([
    { action: 'user.invitation_accepted', target: 'Finn', after: ['dev'] },
    { action: 'user.default_group', target: 'Finn' },
  ]);
});

test('what is so already changes nothing and leaves no entry', async () => {
  const [before] = await audited(1);
  expect((await change({ logins: ['bo'], groups: ['dev'] })).body).toMatchObject({ unchanged: ['bo'], changed: [] });
  expect((await audited(1))[0]).toEqual(before);
});

test('groups are taken from people, and invitations back', async () => {
  await change({ logins: ['eve'], groups: ['dev', 'security'] });
  const { body } = await change({ change: 'remove', logins: ['bo', 'Eve'], groups: ['dev'] });
  expect(body).toEqual({ changed: ['bo'], invited: [], withdrawn: ['eve'], unchanged: [] });
  expect([await groupsOf('bo'), await invited()]).toMatchObject([['pm'], [{ login: 'eve', groups: ['security'] }]]);
  await change({ change: 'remove', logins: ['eve'], groups: ['security'] });
  expect(await invited()).toEqual([]);
});

test('lines that are no login are named, and nobody is changed', async () => {
  const answer = await change({ logins: ['cleo', 'not a login', '', 'x/y'], groups: ['security'] });
  expectFields(answer, ['logins', 'invalid'], ['logins', 'invalid']);
  expect(answer.body.details.fields.map(({ message }: { message: string }) => message)).toEqual([
    'Line 2: “not a login” is not a login.',
    'Line 4: “x/y” is not a login.',
  ]);
  expect(await groupsOf('cleo')).toEqual(['dev', 'pm']);
  expectFields(await change({ logins: ['', ' '], groups: ['dev'] }), ['logins', 'missing']);
  expectFields(await change({ logins: ['bo'], groups: [] }), ['groups', 'invalid']);
  const many = Array.from({ length: 501 }, (_, index) => `p${index}`);
  expectFields(await change({ logins: many, groups: ['dev'] }), ['logins', 'invalid']);
});

test('accounts are named by id, and a login that several have is nobody’s', async () => {
  await signIn(5010, 'gil');
  await signIn(5011, 'Gil');
  const answer = await change({ logins: ['cleo', 'gil'], groups: ['pm'] });
  expectFields(answer, ['logins', 'invalid']);
  expect(answer.body.error).toBe('Line 2: gil is the login of several accounts (5010, 5011). Select one in the table.');
  expect((await change({ codehost_ids: ['5011', '5011'], groups: ['pm'] })).body).toMatchObject({ changed: ['Gil'] });
  const { users } = (await visit.service.ask('GET', '/api/admin/users?q=gil', ann)).body;
  expect(users.map((user: { codehost_id: string; groups: string[] }) => [user.codehost_id, user.groups])).toEqual(
    expect.arrayContaining([
      ['5010', []],
      ['5011', ['pm']],
    ]),
  );
  expectFields(await change({ codehost_ids: ['4711'], groups: ['pm'] }), ['codehost_ids', 'invalid']);
  expectFields(await change({ codehost_ids: ['gil'], groups: ['pm'] }), ['codehost_ids', 'invalid']);
});

test('nobody is invited to be an administrator, and who was never here has nothing to lose', async () => {
  const answer = await change({ logins: ['cleo', 'stranger'], groups: ['admin', 'security'] });
  expectFields(answer, ['logins', 'invalid']);
  expect(answer.body.error).toBe('Line 2: stranger has not signed in yet and cannot be invited as admin.');
  expect(await groupsOf('cleo')).toEqual(['dev', 'pm']);
  const removed = await change({ change: 'remove', logins: ['cleo', 'stranger'], groups: ['dev'] });
  expect(removed.body.error).toBe('Line 2: stranger has neither signed in nor been invited.');
});

test('the last administrators stay together', async () => {
  await change({ logins: ['cleo'], groups: ['admin'] });
  expectProblem(await change({ change: 'remove', logins: ['ann', 'cleo'], groups: ['admin'] }), 409, 'last_admin');
  expect([await groupsOf('ann'), await groupsOf('cleo')]).toEqual([['admin'], ['admin', 'dev', 'pm']]);
  expect((await change({ change: 'remove', logins: ['cleo'], groups: ['admin'] })).status).toBe(200);
});

test('members of a team, and of the whole organization, are read with the administrator’s token', async () => {
  const { world } = visit.service.double;
  const octo = world.organizations.find(({ login }) => login === 'octo');
  if (octo) octo.teams = [{ id: 7, slug: 'platform', name: 'Platform', members: ['ann', 'fay', 'gus'] }];
  const teams = await visit.service.ask('GET', '/api/admin/teams', ann);
  expect(teams.body.teams).toContainEqual({ team: 'octo/platform', name: 'Platform', org: 'octo' });
  expect(teams.body.teams).toContainEqual({ team: 'octo', name: 'Everybody in octo', org: 'octo' });
  const read = async (team: string) =>
    (await visit.service.ask('GET', `/api/admin/team-members?team=${team}`, ann)).body.members?.map(
      ({ login }: { login: string }) => login,
    );
  expect(await read('octo/platform')).toEqual(['ann', 'fay', 'gus']);
  expect(await read('octo')).toEqual(['ann']);
  expectProblem(await visit.service.ask('GET', '/api/admin/team-members?team=octo/none', ann), 404, 'not_found');
  expectFields(await visit.service.ask('GET', '/api/admin/team-members?team=a/b/c', ann), ['team', 'invalid']);
});
