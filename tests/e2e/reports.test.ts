import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { waitForCompletePage } from '../support/complete-page.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';
import { getText } from './visited-site.ts';

const day = 86_400_000;

let site: Site;
let browser: Browser;
let ann = '';

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' }), sharedBrowser()]);
  ann = await site.signIn();
  const now = Date.now();
  site.double.addRuns('octo/fork', 120, { from: now - 80 * day, to: now - day, firstId: 9_600_001 });
  await synchronize(site, ann, { owner: 'octo', repo: 'fork' });
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

/** Reports count days, and name them. */
const month = /^\d+ \w{3} \d{4} to \d+ \w{3} \d{4}, 29\swhole days and today$/;

const read = async (path: string) => {
  const { status, text, location } = await site.visit(path, { cookie: ann });
  return { status, location, text, content: getText(text) };
};

describe.each([
  { way: 'with scripts', javaScriptEnabled: true },
  { way: 'without scripts', javaScriptEnabled: false },
])('the page of reports $way', ({ javaScriptEnabled }) => {
  const withPage = async (use: (page: Page) => Promise<void>) => {
    const context = await browser.newContext({ javaScriptEnabled, baseURL: site.url });
    try {
      await site.signInBrowser(context);
      const page = await context.newPage();
      await page.goto('/reports');
      await waitForCompletePage(page);
      await use(page);
    } finally {
      await context.close();
    }
  };
  const apply = async (page: Page) => {
    await page.getByRole('button', { name: 'Apply' }).click();
    await waitForCompletePage(page);
  };
  const getTitle = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
  const getAddress = (page: Page) => page.url().replace(site.url, '');

  test('opens with the first organization; a repository is chosen, and left with its organization', () =>
    withPage(async (page) => {
      expect([await getTitle(page), await page.getByLabel('Organization').inputValue()]).toEqual([
        'Reports of octo',
        'octo',
      ]);
      await page.getByRole('region', { name: month }).getByRole('figure', { name: 'Runs per day' }).waitFor();
      await page.getByLabel('Repository').selectOption('octo/fork');
      await apply(page);
      expect(await getTitle(page)).toBe('Reports of octo/fork');
      await page.getByRole('table', { name: 'Runs by quarter' }).waitFor();
      await page.getByRole('link', { name: '7 days' }).click();
      await page
        .getByRole('region', { name: /^\d+ \w{3} \d{4} to \d+ \w{3} \d{4}, 6\swhole days and today$/ })
        .waitFor();
      await waitForCompletePage(page);
      expect(await page.getByLabel('Repository').inputValue()).toBe('octo/fork');
      await page.getByLabel('Organization').selectOption('many');
      await apply(page);
      expect(getAddress(page)).toBe('/reports?range=7&org=many');
      expect(await getTitle(page)).toBe('Reports of many');
      expect(await page.getByLabel('Repository').locator('option', { hasText: 'octo/' }).count()).toBe(0);
    }));

  test('compares with another period, as chosen', () =>
    withPage(async (page) => {
      const region = page.getByRole('region', { name: month });
      const compared = getText(await region.innerHTML());
      expect(compared).toMatch(/Previous period: \d+ runs, 0 failed\./);
      expect(compared).toContain(
        'Daily median and p90, including cancelled runs. Dashed: median of the previous period.',
      );
      expect(await region.locator('path.dashed').count()).toBe(2);
      await page.getByRole('region', { name: /^Last 30\sdays vs previous 30\sdays$/ }).waitFor();
      await page.getByLabel('Compare').selectOption('year');
      await apply(page);
      await page
        .getByRole('region', { name: /^(\d+ \w{3} )\d{4} to \d+ \w{3} \d{4} vs \1\d{4} to \d+ \w{3} \d{4}$/ })
        .waitFor();
      await page.getByLabel('Compare').selectOption('off');
      await apply(page);
      expect(getText(await region.innerHTML())).not.toMatch(/previous period|compared/i);
      expect(await region.locator('path.dashed').count()).toBe(0);
    }));
});

test('days of the past are whole ones', async () => {
  const { content } = await read('/reports?org=octo&range=2026-05-01..2026-05-31');
  expect(content).toContain('1 May 2026 to 31 May 2026, 31 whole days');
  expect(content).not.toContain('Last 30 days');
});

test('the table compares what the chart compares, of up to 180 days', async () => {
  const { content } = await read('/reports?org=octo&range=2026-05-01..2026-05-31');
  expect(content).toContain('1 May 2026 to 31 May 2026 vs 31 Mar 2026 to 30 Apr 2026');
  const year = await read('/reports?org=octo&range=2026-05-01..2026-05-31&compare=year');
  expect(year.content).toContain('1 May 2026 to 31 May 2026 vs 1 May 2025 to 31 May 2025');
  const long = await read('/reports?org=octo&range=2025-05-01..2025-11-30');
  expect(long.content).toContain('Periods of more than 180 days are compared in the chart only.');
  expect((await read('/reports?org=octo&range=7&compare=off')).content).not.toMatch(/ vs (previous|\d)/);
});

test.each([
  ['/reports?owner=octo&repo=fork&days=365', '/reports?repo=octo%2Ffork&org=octo&range=90'],
  ['/reports?from=2026-05-01&to=2026-05-31&org=octo', '/reports?org=octo&range=2026-05-01..2026-05-31'],
])('%s leads to %s', async (old, shared) => {
  const { status, location } = await read(old);
  expect([status, location]).toEqual([308, shared]);
});

test('what is not there, or may not be seen, is said in the place of its figures', async () => {
  const bo = await site.signIn('token-bo');
  for (const [path, cookie] of [
    ['/reports?repo=octo%2Fnothing', ann],
    ['/reports?repo=octo%2Fsecret', bo],
  ] as const) {
    const { status, text } = await site.visit(path, { cookie });
    expect([path, status, getText(text).includes('Not found')]).toEqual([path, 404, true]);
  }
  expect((await read('/reports?range=x')).content).toContain('range is none of 7, 30, 90, quarter');
});

test('without any list of repositories the page says why', async () => {
  const cookie = await site.signIn('token-ann-two');
  site.double.fault({ times: 1000 }, { kind: 'status', status: 500 });
  const { text } = await site.visit('/reports', { cookie });
  site.double.reset();
  expect(getText(text)).toMatch(/Repositories could not be listed .*Repositories GitHub not reachable\./);
  expect(getText(text)).not.toContain('You can see no repositories');
});

test('files have the choices of the page', async () => {
  const { text } = await read('/reports?repo=octo%2Ffork&range=7&conclusion=success');
  const files = [...text.matchAll(/href="(\/api\/db\/[^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  expect(files).toEqual([
    '/api/db/trends?owner=octo&repo=fork&type=daily&range=7&format=csv',
    '/api/db/trends?owner=octo&repo=fork&type=quarterly&format=csv',
    '/api/db/compare?owner=octo&repo=fork&metrics=success_rate%2Cduration_p50%2Cqueue_p95%2Cmerged%2Cfirst_review&days=7&format=csv',
    '/api/db/collection?owner=octo&repo=fork&csv_pages=all&format=csv',
    '/api/db/runs?owner=octo&repo=fork&conclusion=success&limit=500&csv_pages=all&format=csv',
  ]);
  for (const file of files) expect([file, (await read(file)).status]).toEqual([file, 200]);
});

test('the file of the table has the days of its title', async () => {
  const { text } = await read('/reports?repo=octo%2Ffork&range=7&compare=year');
  const [, href = ''] = /href="(\/api\/db\/compare[^"]+)"/.exec(text) ?? [];
  const { searchParams } = new URL(href.replaceAll('&amp;', '&'), site.url);
  const names = ['a_from', 'a_to', 'b_from', 'b_to', 'days'];
  expect(names.map((name) => searchParams.has(name))).toEqual([true, true, true, true, false]);
  expect((await read(href.replaceAll('&amp;', '&'))).status).toBe(200);
});
