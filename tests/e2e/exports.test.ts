import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(async () => {
  await closeContexts(await sharedBrowser());
  await site?.stop();
});

const files = '**/org-health-scorecard?*';

async function openHealth(javaScriptEnabled: boolean): Promise<Page> {
  const context = await (await sharedBrowser()).newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(`${site.url}/demo/org/lumen-harbor/health`);
  return page;
}

/** Presses the link of the table and answers its name and its first line. */
async function takeFile(page: Page, press: () => Promise<void>) {
  const download = page.waitForEvent('download');
  await press();
  const file = await download;
  const text = (await (await file.createReadStream()).toArray()).join('');
  return { name: file.suggestedFilename(), head: text.split('\r\n')[0] };
}

const csv = (page: Page) => page.getByRole('link', { name: 'CSV', exact: true }).click();

test('a file is the same with scripts and without them', async () => {
  const [scripted, plain] = [await openHealth(true), await openHealth(false)];
  const file = await takeFile(scripted, () => csv(scripted));
  expect(file.name).toBe('org-health-scorecard-lumen-harbor.csv');
  expect(file.head).toContain('repo,');
  expect(await takeFile(plain, () => csv(plain))).toEqual(file);
});

test('a link says that its file is being made, and what it said before when it is there', async () => {
  const page = await openHealth(true);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await promise;
    await route.continue();
  });
  await csv(page);
  const busy = page.getByRole('link', { name: 'Preparing CSV…' });
  await busy.waitFor();
  expect(await busy.getAttribute('aria-busy')).toBe('true');
  // Pressed again, it is not asked for twice.
  await busy.click();
  await takeFile(page, async () => resolve());
  const link = page.getByRole('link', { name: 'CSV', exact: true });
  await link.waitFor();
  expect(await link.getAttribute('aria-busy')).toBeNull();
});

test('a file that cannot be made opens its address, which says why', async () => {
  const page = await openHealth(true);
  await page.route(files, (route) => route.fulfill({ status: 502, body: 'The platform does not answer.' }));
  await csv(page);
  await page.getByText('The platform does not answer.').waitFor();
});
