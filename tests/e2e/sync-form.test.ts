import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Awaited<ReturnType<typeof sharedBrowser>>;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' }), sharedBrowser()]);
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

const syncs = () => site.log().match(/"method":"POST","path":"\/(reports|api\/db\/sync)?"/g)?.length ?? 0;

/** Presses the button on a page in a browser that runs no scripts, and answers what came. */
async function synchronize(path: string): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url });
  await site.signInBrowser(context);
  const page = await context.newPage();
  await page.goto(path);
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByRole('table', { name: 'Sync result' }).waitFor();
  return page;
}

test.each([
  ['/', /\/reports\?synced=/],
  ['/?org=octo', /\/reports\?synced=.*&owner=octo#sync$/],
  ['/reports?owner=octo&repo=web', /\/reports\?synced=.*&owner=octo&repo=web#sync$/],
])('“Sync now” on %s leads to what came of it, and a reload does not repeat it', async (path, place) => {
  const before = syncs();
  const page = await synchronize(path);
  expect(page.url()).toMatch(place);
  expect(syncs()).toBe(before + 1);
  await page.reload();
  await page.getByRole('table', { name: 'Sync result' }).waitFor();
  expect(syncs()).toBe(before + 1);
  await page.context().close();
});

test('what came of it is shown to nobody else', async () => {
  const page = await synchronize('/reports?owner=octo&repo=web');
  const { pathname, search } = new URL(page.url());
  const own = await site.visit(pathname + search, { cookie: await site.signIn() });
  const other = await site.visit(pathname + search, { cookie: await site.signIn('token-bo') });
  expect([own, other].map(({ text }) => text.includes('Sync result'))).toEqual([true, false]);
  await page.context().close();
});

test('the start page has no such button in the demo', async () => {
  expect((await site.visit('/demo')).text).not.toContain('Sync now');
});
