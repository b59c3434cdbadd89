import { describe, expect, test } from 'vitest';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

describe('a form is rejected and changes nothing', () => {
  const getToken = async (cookie: string) =>
    /name="csrf" value="([^"]+)"/.exec((await visit.site.visit('/docs', { cookie })).text)?.[1] ?? '';
  const stored = async () =>
    JSON.parse((await visit.site.visit('/api/db/runs?owner=octo&repo=web', { cookie: visit.ann })).text).total;

  test.each([
    { case: 'from a foreign page', headers: { origin: 'https://evil.example' }, csrf: 'own' },
    { case: 'from nowhere', headers: { origin: '' }, csrf: 'own' },
    { case: 'without its token', headers: {}, csrf: '' },
    { case: 'with the token of another session', headers: {}, csrf: 'foreign' },
  ])('$case', async ({ headers, csrf: whose }) => {
    const foreign = await visit.site.signIn('token-bo');
    const csrf = whose === 'own' ? await getToken(visit.ann) : whose === 'foreign' ? await getToken(foreign) : '';
    const ownHeaders: Record<string, string> = headers.origin === undefined ? {} : { origin: headers.origin };
    const given = { cookie: visit.ann, headers: ownHeaders };
    const sync = await visit.site.visit('/reports', {
      ...given,
      form: { intent: 'sync', csrf, owner: 'octo', repo: 'web' },
    });
    const out = await visit.site.visit('/sign-out', { ...given, form: { csrf } });
    for (const { status } of [sync, out]) expect(status).toBe(403);
    expect(out.headers.getSetCookie()).toEqual([]);
    expect(await stored()).toBe(0);
    expect((await visit.site.visit('/api/auth/me', { cookie: visit.ann })).status).toBe(200);
  });

  test('that a foreign page sends to sign somebody in or to change colours', async () => {
    const headers = { origin: 'https://evil.example' };
    const signIn = await visit.site.visit('/setup', { headers, form: { intent: 'signIn', pat: 'token-bo' } });
    const theme = await visit.site.visit('/theme', { headers, form: { theme: 'dark', return_to: '/' } });
    for (const { status } of [signIn, theme]) expect(status).toBe(403);
    expect([...signIn.headers.getSetCookie(), ...theme.headers.getSetCookie()]).toEqual([]);
  });

  test('that would lead to a foreign page goes home instead', async () => {
    for (const away of ['https://evil.example', '//evil.example', '/\\evil.example'])
      expect((await visit.site.visit('/theme', { form: { theme: 'dark', return_to: away } })).location).toBe('/');
  });
});
