import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;
const day = 86_400_000;
const runs = 220;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ SYNC_MAX_PAGES: '1' }), openBrowser()]);
  const window = { from: Date.now() - 80 * day, to: Date.now() - day };
  for (const [index, name] of ['octo/fork', 'octo/empty'].entries())
    site.double.addRuns(name, runs, { ...window, firstId: 9_000_001 + index * 10_000 });
});

afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

/** The reports of a repository after the button that synchronizes was pressed once. */
async function started(repository: string, scripts: boolean): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: scripts });
  await site.signInBrowser(context);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(`${site.url}/reports?owner=octo&repo=${repository}`);
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('More is left to read.').waitFor();
  return page;
}

const kept = (page: Page) =>
  page.getByRole('table', { name: 'Result of the synchronization' }).getByRole('row').nth(1).getByRole('cell').nth(2);

test('with scripts a partial synchronization goes on by itself, says so, and comes to its end', async () => {
  const page = await started('fork', true);
  await page.getByText('Going on by itself').waitFor();
  expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
  await page.getByText('Done.').waitFor();
  expect(await kept(page).textContent()).toBe(String(runs));
  expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  await page.context().close();
});

test('without scripts a button goes on, until nothing is left', async () => {
  const page = await started('empty', false);
  let presses = 0;
  while (await page.getByRole('button', { name: 'Continue' }).count()) {
    expect(++presses).toBeLessThan(10);
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  expect(presses).toBeGreaterThan(0);
  await page.getByText('Done.').waitFor();
  expect(await kept(page).textContent()).toBe(String(runs));
  await page.context().close();
});
