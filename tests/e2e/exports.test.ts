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

/** Presses the link of the table and answers its name, its first line and how many follow. */
async function takeFile(page: Page, press: () => Promise<void>) {
  const download = page.waitForEvent('download');
  await press();
  const file = await download;
  const text = (await (await file.createReadStream()).toArray()).join('');
  const [head, ...lines] = text.trimEnd().split('\r\n');
  return { name: file.suggestedFilename(), head, rows: lines.length };
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

test('a link says how many rows of a large file are there already', async () => {
  const page = await openHealth(true);
  await page.goto(`${site.url}/demo/reports?repo=lumen-harbor%2Ftidewater-web`);
  const link = page.getByRole('region', { name: 'Stored runs' }).getByRole('link', { name: 'CSV', exact: true });
  // Of each text that the link has, since they change within moments.
  await link.evaluate((element) => {
    const texts: (string | null)[] = [];
    Object.assign(window, { texts });
    new MutationObserver(() => texts.push(element.textContent)).observe(element, { childList: true });
  });
  const { name, rows } = await takeFile(page, () => link.click());
  expect(name).toBe('runs-lumen-harbor-tidewater-web.csv');
  const total = await page.getByRole('navigation', { name: 'Pages of runs' }).textContent();
  expect(total).toContain(`of ${rows.toLocaleString('en-US')} runs`);
  await page
    .getByRole('status')
    .filter({ hasText: `${name} downloaded` })
    .waitFor({ state: 'attached' });
  const texts = await page.evaluate(() => Reflect.get(window, 'texts'));
  expect(texts).toContain(`Preparing CSV… ${rows.toLocaleString('en-US')} rows`);
});

test('a file that breaks off is no file, and says so', async () => {
  const page = await openHealth(true);
  await page.route(files, (route) => route.abort());
  await csv(page);
  await page.getByText('CSV could not be downloaded. Try again.').waitFor();
  await page.getByRole('link', { name: 'CSV', exact: true }).waitFor();
});

test('a file that cannot be made opens its address, which says why', async () => {
  const page = await openHealth(true);
  await page.route(files, (route) => route.fulfill({ status: 502, body: 'The platform does not answer.' }));
  await csv(page);
  await page.getByText('The platform does not answer.').waitFor();
});
