import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { costlyRepository } from '../reports/workflow-cost/costly-repository.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';
import { getText } from './visited-site.ts';

const minute = 60_000;
const day = 1440 * minute;

let site: Site;
let browser: Browser;
let ann = '';
/** What the page said before anything was synced, and before any job was stored. */
let unsynced = '';
let unpriced = '';

const read = async (path: string) => {
  const { status, text } = await site.visit(path, { cookie: ann });
  return { status, text, content: getText(text) };
};

const sync = async (repo: string) => {
  const headers = { cookie: ann, origin: site.url };
  const answer = await fetch(`${site.url}/api/db/sync?owner=octo&repo=${repo}`, { method: 'POST', headers });
  expect(answer.status).toBe(200);
};

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' }), sharedBrowser()]);
  ann = await site.signIn('token-ann');
  const now = Date.now();
  const run = costlyRepository({ double: site.double, clock: { now: () => now } });
  // Every day of five weeks an hour on one runner, and ten minutes on one that has no price.
  for (let id = 1; id <= 35; id++) {
    const createdAt = now - id * day;
    const parts = { createdAt, startedAt: createdAt, updatedAt: createdAt + 60 * minute };
    run(id, parts, { minutes: 60 }, { minutes: 10, label: 'unheard-of' });
  }
  unsynced = (await read('/cost?org=octo')).content;
  await sync('web');
  await sync('costly');
  unpriced = (await read('/cost?org=octo')).content;
  // Opening the cost of a workflow stores its jobs.
  await read('/api/codehost/workflow-cost?owner=octo&repo=costly&workflow_id=9001&per_page=50');
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

describe.each([
  { way: 'with scripts', javaScriptEnabled: true },
  { way: 'without scripts', javaScriptEnabled: false },
])('the cost page $way', ({ javaScriptEnabled }) => {
  const withPage = async (path: string, use: (page: Page) => Promise<void>) => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 1440, height: 900 } });
    try {
      await site.signInBrowser(context, 'token-ann');
      const page = await context.newPage();
      await page.goto(`${site.url}${path}`);
      await use(page);
    } finally {
      await context.close();
    }
  };
  const rows = async (page: Page) => {
    // The heading is there before the rows.
    await page.waitForLoadState('load');
    const found = page.locator('table.rows').last().locator('tbody tr');
    return (await found.allTextContents()).map((text) => text.replaceAll(/\s+/g, ' '));
  };

  test('answers what costs most, and leads from there to each way of looking at it', () =>
    withPage('/cost?org=octo', async (page) => {
      expect(getText(await page.locator('.page-head > p').innerHTML())).toContain(
        'Most expensive: CI in octo/costly, 100 % of the cost.',
      );
      const cost = page.getByRole('article', { name: 'Cost per month' });
      expect(await cost.textContent()).toMatch(/at least \$(10\.44|10\.80)/);
      expect((await rows(page))[0]).toMatch(/^CIocto\/costly\$10\.\d\d/);
      const tabs = page.getByRole('navigation', { name: 'Pages of Cost of octo' });
      await tabs.getByRole('link', { name: 'Runners' }).click();
      expect(page.url()).toBe(`${site.url}/cost?org=octo&view=runner`);
      const runners = await rows(page);
      expect(runners[0]).toMatch(/^ubuntu-24\.04\$10\.\d\d/);
      expect(runners.find((row) => row.startsWith('unheard-of'))).toContain('Unknown runner: no list price.');
      await tabs.getByRole('link', { name: 'Days' }).click();
      await page.waitForURL(/view=day/);
      expect((await rows(page))[1]).toMatch(/^\d{1,2} \w{3} 20\d\d\$0\.36/);
      const days = page.getByRole('figure').filter({ hasText: 'Estimated cost per day' }).locator('tbody tr');
      // The table above is there before the rest of the page.
      await expect.poll(() => days.count()).toBe(31);
      expect(await days.first().textContent()).toMatch(/\(partial, from \d\d:\d\d\)/);
      expect(await days.last().textContent()).toContain('(partial)');
      await tabs.getByRole('link', { name: 'Repositories' }).click();
      await page.getByRole('rowheader').getByRole('link', { name: 'octo/costly' }).click();
      await page.getByRole('heading', { level: 1, name: 'Cost of octo/costly' }).waitFor();
      await page.getByRole('rowheader').getByRole('link', { name: 'CI' }).click();
      expect(page.url()).toBe(`${site.url}/repos/octo/costly/workflows/9001?tab=cost`);
    }));

  test('forecasts the month from complete days, with its range, and says how', () =>
    withPage('/demo/cost', async (page) => {
      const forecast = page.getByRole('article', { name: /^Forecast / });
      const text = (await forecast.textContent()) ?? '';
      expect(text).toMatch(/\$\d+\.\d\d to \$\d+\.\d\d, n = 28\sdays/);
      expect(text).not.toContain('DORA');
      expect(text).toContain('95 % prediction');
    }));

  test('withholds the forecast beside jobs without a price, and says how many they are', () =>
    withPage('/cost?repo=octo/costly', async (page) => {
      const text = (await page.getByRole('article', { name: /^Forecast / }).textContent()) ?? '';
      expect(text).toMatch(/\d+ jobs without a known price since 20\d\d-\d\d-\d\d\./);
      expect(text).toMatch(/\$\d+\.\d\d so far\./);
      expect(text).not.toMatch(/n = \d/);
    }));

  test('lists what a name finds, and says that the figures are of all', () =>
    withPage('/cost?org=octo&view=runner', async (page) => {
      const figures = await page.getByRole('article').allTextContents();
      await page.getByRole('searchbox', { name: 'Name' }).fill('UNHEARD');
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('heading', { name: 'Last 30 days, all workflows' }).waitFor();
      expect(page.url()).toBe(`${site.url}/cost?org=octo&view=runner&q=UNHEARD#rows`);
      expect(await rows(page)).toEqual([expect.stringMatching(/^unheard-of/)]);
      expect(await page.getByRole('article').allTextContents()).toEqual(figures);
      const href = await page.locator('#rows').getByRole('link', { name: 'CSV' }).getAttribute('href');
      expect((await read(href ?? '')).text.trim().split('\r\n')).toHaveLength(2);
      // Days have no names.
      await page
        .getByRole('navigation', { name: /^Pages of Cost/ })
        .getByRole('link', { name: 'Days' })
        .click();
      await page.waitForURL(/view=day$/);
      expect(await page.getByRole('searchbox', { name: 'Name' }).count()).toBe(0);
      await page.goto(`${site.url}/cost?org=octo&q=nothing+like+it`);
      await page.getByText('No workflows match “nothing like it”.').waitFor();
    }));

  test('opens its number, and gives its rows as a file', () =>
    withPage('/cost?repo=octo/costly&view=runner', async (page) => {
      const href = await page.getByRole('link', { name: 'CSV' }).last().getAttribute('href');
      expect(href).toBe('/api/db/cost?range=30&compare=previous&by=runner&format=csv&repo=octo%2Fcostly');
      expect((await read(href ?? '')).text).toContain('unheard-of,,,,');
      await page.getByRole('link', { name: 'Cost per month' }).click();
      await page.getByRole('heading', { level: 1, name: 'Cost per month' }).waitFor();
    }));
});

describe('the cost page says', () => {
  test('that nothing is synced, and what to do', () => {
    expect(unsynced).toContain('No repository of octo has been synced yet. Sync repositories');
  });

  test('that no job data is there yet, and never a zero instead', () => {
    expect(unpriced).toContain('Cost is not known yet: sync reads job data in the background');
    expect(unpriced).toContain('Needs job data for 95 % of runs; 0 % have it.');
    // Within the hours of the first day, and shortly after midnight today, nothing has run, which costs nothing.
    expect(unpriced.replaceAll(/\(partial[^)]*\) \$0\.00 \$0\.00/g, '')).not.toContain('$0.00');
  });

  test('how many runs the cost is known of', async () => {
    const { content } = await read('/cost?org=octo');
    expect(content).toMatch(/Known for \d+ of \d+ completed runs, the rest is not included\./);
  });

  test('days as other dates are written', async () => {
    const { content } = await read('/cost?org=octo&view=day&range=7');
    expect(content).toMatch(/Days, by day Day .*? \d{1,2} \w{3} \d{4} /);
    expect(content).not.toMatch(/\d{4}-\d{2}-\d{2}/);
  });

  test('what is wrong with a question', async () => {
    const page = await read('/cost?range=14');
    expect([page.status, page.content]).toEqual([400, expect.stringContaining('Bad request.')]);
  });
});
