import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext } from '../../server/http/context.ts';
import { decidePage, offeredPages } from '../../server/http/page-access.ts';
import { type Service, startService } from '../support/service.ts';
import { cookieOf, type Member, settle } from './personas.ts';

/** The account of somebody in dev, a group without the feature of profiles. */
const own = 'person-3';
const denied = '403 forbidden contributorProfile';
const { signal } = new AbortController();

let service: Service;
let tokens: Record<Member, string>;
beforeAll(async () => {
  service = await startService({ MODE: 'organization' });
  tokens = await settle(service);
});
afterAll(() => service.close());

async function ask(path: string): Promise<string> {
  const { status, body } = await service.ask('GET', path, { as: tokens['in dev'] });
  return body?.flag ? `${status} ${body.code} ${body.flag}` : String(status);
}

async function open(page: string, path: string): Promise<string> {
  const headers = new Headers({ cookie: await cookieOf(service, tokens['in dev']) });
  const url = new URL(`http://localhost:3000${path}`);
  const context = createContext(service.app.services, { method: 'GET', url, headers, address: '127.0.0.1', signal });
  return decidePage(context, page).then(
    () => 'opens',
    ({ status, code, flag }) => `${status} ${code} ${flag}`,
  );
}

test.each(['/api/codehost/contributor-profile?owner=octo&', '/api/explain?metric=person_prs_merged&owner=octo&'])(
  '%s answers about oneself whatever one is granted, and about nobody else',
  async (path) => {
    expect(await ask(`${path}login=${own}`)).toBe('200');
    expect(await ask(`${path}login=${own.toUpperCase()}`)).toBe('200');
    expect(await ask(`${path}login=ana`)).toBe(denied);
    expect(await ask(`${path}login=${own}&login=ana`)).toBe(denied);
    expect(await ask(path)).toBe(denied);
  },
);

test('a link opens nothing of the other account, and whoever may see profiles sees both as one', async () => {
  const as = tokens['in admin'];
  const links = '/api/admin/identity-links';
  const seenBy = async (member: Member) => {
    const query = `owner=octo&login=${own}`;
    const [profile, merged] = await Promise.all(
      [`/api/codehost/contributor-profile?${query}`, `/api/explain?metric=person_prs_merged&${query}`].map((path) =>
        service.ask('GET', path, { as: tokens[member] }),
      ),
    );
    return [profile?.body.login, profile?.body.prs_merged > 0, merged?.body.value > 0];
  };
  for (const [alias, primary] of [
    [own, 'ana'],
    ['ana', own],
  ]) {
    expect((await service.ask('POST', links, { as, body: { alias, primary } })).status).toBe(201);
    expect(await seenBy('in dev')).toEqual([own, false, false]);
    expect(await seenBy('in admin')).toEqual([primary, true, true]);
    expect((await service.ask('DELETE', `${links}?alias=${alias}`, { as })).status).toBe(200);
  }
  // The name of a git author says nothing of the account that is spelled like it.
  const body = { alias: 'ana', alias_kind: 'name', primary: own };
  expect((await service.ask('POST', links, { as, body })).status).toBe(201);
  expect(await seenBy('in admin')).toEqual([own, false, false]);
  expect((await service.ask('DELETE', `${links}?alias=ana&alias_kind=name`, { as })).status).toBe(200);
});

test('the page and the brief about oneself open, whatever the query says of others', async () => {
  for (const page of ['contributor/:login', 'contributor/:login/brief'] as const) {
    const path = (login: string) => `/${page.replace(':login', login)}`;
    expect(await open(page, `${path(own)}?owner=octo`)).toBe('opens');
    expect(await open(page, `${path(own)}.data?owner=octo`)).toBe('opens');
    expect(await open(page, `${path('ana')}?owner=octo&login=${own}`)).toBe(denied);
    expect(await open(page, `${path('ana')}.data?login=${own}`)).toBe(denied);
    for (const spelled of [path('ana').replace('/c', '/C'), path('ana').replace('/c', '/%63'), `/${path('ana')}`])
      expect([spelled, await open(page, `${spelled}?owner=octo&login=${own}`)]).toEqual([spelled, denied]);
  }
});

test('that does not offer links to others, nor say so in what an administrator reads', async () => {
  const headers = new Headers({ cookie: await cookieOf(service, tokens['in dev']) });
  const url = new URL(`http://localhost:3000/contributor/${own}?owner=octo`);
  const context = createContext(service.app.services, { method: 'GET', url, headers, address: '127.0.0.1', signal });
  expect(offeredPages(context, await context.actor())).not.toContain('contributor/:login');
  const { body } = await service.ask('GET', `/api/admin/access?login=${own}`, { as: tokens['in admin'] });
  const profile = body.operations.find(({ path }: { path: string }) => path === '/api/codehost/contributor-profile');
  expect(profile).toMatchObject({ allowed: false, flag: 'contributorProfile' });
});
