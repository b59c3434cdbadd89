import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';
import { wordsOf } from './visited-site.ts';

let site: Site;
let browser: Browser;
const day = 86_400_000;
const runs = 350;
const line = /Reading history: \d+ %, back to \d+ [A-Z][a-z]{2} \d{4}\./;

beforeAll(async () => {
  // Nothing but what a person began reads the platform by itself.
  [site, browser] = await Promise.all([startSite({ SYNC_MAX_PAGES: '1', SCHEDULER: 'external' }), openBrowser()]);
  const window = { from: Date.now() - 80 * day, to: Date.now() - day };
  for (const [index, name] of ['octo/fork', 'octo/empty'].entries())
    site.double.addRuns(name, runs, { ...window, firstId: 9_000_001 + index * 10_000 });
});

afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

async function started(repository: string, scripts: boolean): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: scripts });
  await site.signInBrowser(context);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(`${site.url}/reports?owner=octo&repo=${repository}`);
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('The rest is read in the background').waitFor();
  return page;
}

const kept = (repository: string) =>
  site.double.requests.filter(({ path }) => path === `/repos/octo/${repository}/actions/runs`).length;

test('one press reads the whole history; the page says how far it is, by itself', async () => {
  const page = await started('fork', true);
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.url());
  });
  await page.getByText(line).waitFor();
  expect(await page.getByRole('button', { name: /Continue|Stop/ }).count()).toBe(0);
  await page.getByText(line).waitFor({ state: 'detached' });
  await page.getByText(`of ${runs}`).first().waitFor();
  const state = page.getByRole('row', { name: /^Workflow runs/ });
  await state.getByText('complete').waitFor();
  expect(posts).toEqual([]);
  await page.context().close();
});

test('without scripts the page says it as of its opening, and so does the list of repositories', async () => {
  const page = await started('empty', false);
  expect(await page.getByText(line).count()).toBe(1);
  const cookie = await site.signIn();
  const home = async () => wordsOf((await site.visit('/', { cookie })).text);
  expect(await home()).toMatch(line);
  await expect.poll(home, { timeout: 30_000, interval: 500 }).not.toContain('Reading history');
  await page.getByRole('link', { name: 'Refresh' }).click();
  expect(await page.getByText('Reading history').count()).toBe(0);
  await page
    .getByRole('row', { name: /^Workflow runs/ })
    .getByText('complete')
    .waitFor();
  const asked = kept('empty');
  expect(asked).toBeGreaterThan(runs / 100);
  await page.context().close();
});
