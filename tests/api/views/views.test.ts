import { describe, expect, test } from 'vitest';
import { isViewAddress } from '../../../server/api/views/fields.ts';
import { aDatabase } from '../../support/a-database.ts';
import { startService } from '../../support/service.ts';
import { expectFields, expectProblem } from '../endpoints.ts';
import { storedService } from '../stored.ts';

test.each(['/', '/ci?range=7&org=octo', '/repos/octo/web/workflows/7001?tab=runs#run', '/demo?situation=flaky'])(
  '%s is the address of a page',
  (address) => expect(isViewAddress(address)).toBe(true),
);

test.each([
  '',
  'ci',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/ci\n',
  'https://evil.example/',
  'javascript:alert(1)',
  '/./ci',
  '/../ci',
  '/.//evil.example',
  '/a/..//evil.example',
  '/api/auth/logout',
  '/API/x',
  '/sign-out',
  '/theme?x',
  '/views',
  `/${'x'.repeat(1001)}`,
  '/ünicode',
])('%j is not', (address) => expect(isViewAddress(address)).toBe(false));

aDatabase((database) => {
  const visit = storedService(database);
  const ask = (method: string, body?: object, as = 'token-ann') =>
    visit.service.ask(method, '/api/views', { as, body });
  const list = async (as = 'token-ann') => (await ask('GET', undefined, as)).body.views;
  const web = { name: 'Slow in web', address: '/ci?view=slow&repo=octo%2Fweb' };

  describe('saved views', () => {
    test('are saved, renamed and deleted, by name', async () => {
      expect((await ask('POST', web)).status).toBe(200);
      expect((await ask('POST', { name: ' All <b>of it</b> ', address: '/ci' })).status).toBe(200);
      const [first, second] = await list();
      expect([first.name, second.name, second.address]).toEqual(['All <b>of it</b>', web.name, web.address]);
      expect((await ask('PATCH', { id: second.id, name: 'Web' })).status).toBe(200);
      expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['All <b>of it</b>', 'Web']);
      const gone = await visit.service.ask('DELETE', `/api/views?id=${first.id}`, { as: 'token-ann' });
      expect(gone.status).toBe(200);
      expect((await list()).length).toBe(1);
    });

    test('are of one person alone', async () => {
      const [mine] = await list();
      expect(await list('token-bo')).toEqual([]);
      expectProblem(await ask('PATCH', { id: mine.id, name: 'Theirs' }, 'token-bo'), 404, 'not_found');
      const other = await visit.service.ask('DELETE', `/api/views?id=${mine.id}`, { as: 'token-bo' });
      expectProblem(other, 404, 'not_found');
      expect((await list())[0].name).toBe('Web');
      expect((await visit.service.ask('GET', '/api/views')).status).toBe(401);
    });

    test('lead nowhere else, and have a name of their own', async () => {
      expectFields(await ask('POST', { name: 'x', address: '//evil.example' }), ['address', 'invalid']);
      expectFields(await ask('POST', { name: '', address: '/ci' }), ['name', 'invalid']);
      expectFields(await ask('POST', { name: 'a\u0007b', address: '/ci' }), ['name', 'invalid']);
      expectFields(await ask('POST', { name: 'x'.repeat(61), address: '/ci' }), ['name', 'invalid']);
      expectFields(await ask('POST', { name: 'Web', address: '/ci' }), ['name', 'invalid']);
    });

    test('are at most fifty', async () => {
      const { clock } = visit.service;
      for (let number = 1; number < 50; number++) {
        if (number === 30) clock.advance(61_000);
        expect((await ask('POST', { name: `View ${number}`, address: '/ci' })).status).toBe(200);
      }
      expectProblem(await ask('POST', { name: 'One more', address: '/ci' }), 409, 'view_limit');
      expect((await list()).length).toBe(50);
    });

    test('of many requests at once no two save the same name', async () => {
      visit.service.clock.advance(61_000);
      const [first] = await list();
      await visit.service.ask('DELETE', `/api/views?id=${first.id}`, { as: 'token-ann' });
      const answers = await Promise.all([1, 2, 3].map(() => ask('POST', { name: 'At once', address: '/ci' })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    });
  });
});

test('without a database they are in a cookie of the browser, which nobody else can fill with another address', async () => {
  const service = await startService();
  const cookie = await service.signIn('token-ann');
  let views = '';
  const ask = async (method: string, body?: object, path = '/api/views') => {
    const answer = await service.ask(method, path, { headers: { cookie: `${cookie}; ${views}` }, body });
    views =
      answer.headers
        .getSetCookie()
        .find((one) => one.startsWith('das_views='))
        ?.split(';')[0] ?? views;
    return answer;
  };
  expect((await ask('POST', { name: 'Tür', address: '/ci?range=7' })).status).toBe(200);
  expect((await ask('GET')).body).toEqual({ views: [{ id: 1, name: 'Tür', address: '/ci?range=7' }], limit: 10 });
  expect((await ask('PATCH', { id: 1, name: 'Door' })).status).toBe(200);
  expectFields(await ask('POST', { name: 'Door', address: '/' }), ['name', 'invalid']);
  for (let number = 2; number <= 10; number++)
    expect((await ask('POST', { name: `View ${number}`, address: '/' })).status).toBe(200);
  expectProblem(await ask('POST', { name: 'One more', address: '/' }), 409, 'view_limit');
  expect((await ask('DELETE', undefined, '/api/views?id=1')).status).toBe(200);
  expectProblem(await ask('DELETE', undefined, '/api/views?id=1'), 404, 'not_found');
  views = '';
  const long = (name: string) => ask('POST', { name, address: `/ci?x=${'x'.repeat(900)}` });
  expect([(await long('One')).status, (await long('Two')).status]).toEqual([200, 200]);
  expectProblem(await long('Three'), 409, 'view_limit');
  views = `das_views=${toBase64({ owner: 101, views: [{ id: 1, name: 'x', address: '//evil.example' }] })}`;
  expect((await ask('GET')).body.views).toEqual([]);
  views = `das_views=${toBase64({ owner: 4711, views: [{ id: 1, name: 'x', address: '/ci' }] })}`;
  expect((await ask('GET')).body.views).toEqual([]);
  await service.close();
});

const toBase64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
