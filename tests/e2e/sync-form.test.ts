import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';
import { readWhenSynced, synchronize as syncThroughApi } from '../support/synchronize.ts';
import { getText } from './visited-site.ts';

let site: Site;
let browser: Awaited<ReturnType<typeof sharedBrowser>>;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' }), sharedBrowser()]);
  // The very first sync of the start page returns to it: tests/e2e/first-visit.test.ts.
  await syncThroughApi(site, await site.signIn('token-bo'), { owner: 'octo', repo: 'api' });
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

const syncs = () => site.log().match(/"method":"POST","path":"\/(reports|api\/db\/sync)?"/g)?.length ?? 0;
const listings = (repository: string) =>
  site.double.requests.filter(({ path }) => path === `/repos/octo/${repository}/actions/runs`).length;

/** Presses the button on a page in a browser that runs no scripts, and answers what came when it was done. */
async function synchronize(path: string): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
  await site.signInBrowser(context);
  const page = await context.newPage();
  await page.goto(path);
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText(/Syncing\.|new or changed runs/).waitFor();
  while (await page.getByText('Syncing.').count()) await page.getByRole('link', { name: 'Refresh' }).first().click();
  await page.getByRole('table', { name: 'Sync result' }).waitFor();
  return page;
}

test.each([
  ['/', '/reports#sync'],
  ['/?org=octo', '/reports?org=octo#sync'],
  ['/reports?repo=octo%2Fweb', '/reports?repo=octo%2Fweb#sync'],
])('“Sync now” on %s leads to what came of it, and a reload does not repeat it', async (path, place) => {
  const before = syncs();
  const page = await synchronize(path);
  expect(page.url().replace(site.url, '').replace('#sync', '')).toBe(place.replace('#sync', ''));
  expect(syncs()).toBe(before + 1);
  await page.reload();
  await page.getByRole('table', { name: 'Sync result' }).waitFor();
  expect(syncs()).toBe(before + 1);
  await page.context().close();
});

test('what came of it is shown to nobody else', async () => {
  const page = await synchronize('/reports?repo=octo%2Fweb');
  const { pathname, search } = new URL(page.url());
  const own = await site.visit(pathname + search, { cookie: await site.signIn() });
  const other = await site.visit(pathname + search, { cookie: await site.signIn('token-bo') });
  expect([own, other].map(({ text }) => text.includes('Sync result'))).toEqual([true, false]);
  await page.context().close();
});

test('the start page has no such button in the demo', async () => {
  expect((await site.visit('/demo')).text).not.toContain('Sync now');
});

/** What a browser without scripts sends when the button is pressed. */
async function press(scope: Record<string, string>, token?: string) {
  const cookie = await site.signIn(token);
  const csrf = /name="csrf" value="([^"]+)"/.exec((await site.visit('/docs', { cookie })).text)?.[1] ?? '';
  const answer = await site.visit('/reports', { cookie, form: { intent: 'sync', csrf, ...scope } });
  const read = async () => (await site.visit(answer.location, { cookie })).text;
  return { ...answer, read };
}

test('is answered while GitHub has answered nothing; a second press starts no second one', async () => {
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  site.double.fault({ path: '/repos/octo/fork/actions/runs' }, { kind: 'held', until });
  const before = listings('fork');
  const first = await press({ owner: 'octo', repo: 'fork' });
  expect([first.status, first.location]).toEqual([303, '/reports?repo=octo%2Ffork#sync']);
  await expect.poll(() => listings('fork')).toBe(before + 1);
  const page = await first.read();
  expect(getText(page)).toMatch(/Syncing\. 0 of 1 repository done\. Now: octo\/fork\./);
  expect(page).not.toContain('value="sync"');
  const second = await press({ owner: 'octo', repo: 'fork' });
  expect([second.status, second.location]).toEqual([303, first.location]);
  expect(await second.read()).toContain('Syncing.');
  release();
  expect(await readWhenSynced(first.read)).toContain('Sync result');
  expect(listings('fork')).toBe(before + 1);
});

test.each([
  ['that is not there', { owner: 'octo', repo: 'nowhere' }],
  ['that the account may not see', { owner: 'octo', repo: 'secret' }],
])('of a repository %s says so afterwards, also after a reload', async (_, scope) => {
  const pressed = await press(scope, 'token-bo');
  expect(pressed.status).toBe(303);
  const text = await readWhenSynced(pressed.read);
  expect(text).toContain('Sync failed.');
  expect(await pressed.read()).toContain('Sync failed.');
});

test('of an organization that is not there says so afterwards', async () => {
  const pressed = await press({ org: 'nobody' }, 'token-bo');
  expect(await readWhenSynced(pressed.read)).toContain('Sync failed.');
});

test('a session that has ended is sent to sign in, and nothing starts', async () => {
  const before = site.double.requests.length;
  const form = { intent: 'sync', csrf: 'x', owner: 'octo', repo: 'empty' };
  const answer = await site.visit('/reports', { cookie: 'das_session=ended', form });
  expect([answer.status, answer.location]).toEqual([302, '/setup']);
  expect(site.double.requests.length).toBe(before);
});
