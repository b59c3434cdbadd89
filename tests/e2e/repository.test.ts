import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { waitForCompletePage } from '../support/complete-page.ts';
import { visitSite } from './visited-site.ts';

const visit = visitSite();
afterAll(async () => closeContexts(await sharedBrowser()));

async function withPage(javaScriptEnabled: boolean, use: (page: Page) => Promise<void>) {
  const context = await (await sharedBrowser()).newContext({
    javaScriptEnabled,
    viewport: { width: 1440, height: 900 },
  });
  await visit.site.signInBrowser(context);
  await use(await context.newPage());
  await context.close();
}

describe.each([
  { way: 'with scripts', javaScriptEnabled: true },
  { way: 'without scripts', javaScriptEnabled: false },
])('the page of a repository, $way', ({ javaScriptEnabled }) => {
  test('answers above the fold how delivery goes, what waits for whom and what fails', async () => {
    await withPage(javaScriptEnabled, async (page) => {
      await page.goto(`${visit.site.url}/repos/octo/api`);
      const { height = 0 } = page.viewportSize() ?? {};
      for (const name of ['Merge frequency', 'Lead time to merge', 'Reverts and hotfixes', 'Time to merge a fix']) {
        const card = await page.getByRole('article', { name }).boundingBox();
        expect((card?.y ?? height) + (card?.height ?? 0), name).toBeLessThan(420);
      }
      for (const title of ['Pull requests', 'Workflows']) {
        const panel = await page.getByRole('region', { name: title, exact: true }).boundingBox();
        expect((panel?.y ?? height) + (panel?.height ?? 0), title).toBeLessThan(height);
      }
      const workflows = page.getByRole('region', { name: 'Workflows', exact: true });
      const [first] = await workflows.locator('tbody tr').allInnerTexts();
      expect(first).toMatch(/CI\s+failed/);
    });
  });

  test('leads to the pull requests that wait for a review in one click, and back by the tabs', async () => {
    await withPage(javaScriptEnabled, async (page) => {
      await page.goto(`${visit.site.url}/repos/octo/web`);
      await page.getByRole('link', { name: 'Awaiting review' }).click();
      await page.waitForURL(/\/repos\/octo\/web\/pull-requests\?waiting=review$/);
      await waitForCompletePage(page);
      const rows = page.getByRole('table', { name: 'Open pull requests, oldest first' }).locator('tbody tr');
      expect(await rows.count()).toBe(1);
      expect(await rows.first().innerText()).toContain('#21 Waits for a reviewer');
      await page.getByRole('link', { name: 'All', exact: true }).click();
      await waitForCompletePage(page);
      expect(await rows.count()).toBe(3);
      const tabs = page.getByRole('navigation', { name: 'Pages of octo/web' });
      expect(await tabs.getByRole('link').allInnerTexts()).toEqual([
        'Overview',
        'Pull requests',
        'Workflows',
        'Deployments',
        'Issues',
        'Team',
        'Security',
        'Changes',
        'Advisor',
      ]);
      for (const tab of ['Workflows', 'Deployments', 'Changes', 'Overview']) {
        await tabs.getByRole('link', { name: tab, exact: true }).click();
        await waitForCompletePage(page);
        expect(await tabs.locator('[aria-current]').innerText()).toBe(tab);
      }
    });
  });
});

test.each(['', '/demo'])('old addresses of the list of pull requests lead to its page (%s)', async (base) => {
  const repo = base ? 'lumen-harbor/beacon-api' : 'octo/web';
  const { status, headers } = await visit.site.visit(`${base}/repos/${repo}?open=all`, { cookie: visit.ann });
  expect([status, headers.get('location')]).toEqual([308, `${base}/repos/${repo}/pull-requests?open=all`]);
  const { text } = await visit.read(`${base}/repos/${repo}`);
  expect(text).toContain('id="pull-requests"');
});

test('shows how many runs of a failing workflow failed one after the other', async () => {
  const { content } = await visit.read('/repos/octo/api');
  expect(content).toMatch(/CI failed .*? \d+ in a row/);
});

test('says that nothing is there, with the same parts', async () => {
  const { content } = await visit.readPlain('/repos/octo/empty');
  for (const one of ['Nothing merged in 90 days.', 'No open pull requests.', 'No workflows, or Actions is disabled.'])
    expect(content).toContain(one);
});

test('compares the lead time of 30 days with the 30 before, and draws its weeks', async () => {
  const { content, text } = await visit.readPlain('/demo/repos/lumen-harbor/beacon-api');
  expect(content).toMatch(/Lead time to merge ≈ .*? [−+±][\d.]+ % against the previous 30 days/);
  expect(text).toContain('Median lead time per week: lowest');
  expect((await visit.readPlain('/repos/octo/web')).content).not.toContain('against the previous 30 days');
});

test('is not found for who may not see it, on each of its pages', async () => {
  for (const page of ['', '/pull-requests', '/workflows'])
    expect((await visit.read(`/repos/octo/nope${page}`)).status, page).toBe(404);
});
