import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { waitForCompletePage } from '../support/complete-page.ts';
import { countActions } from '../support/counted-actions.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';
import { getText } from './visited-site.ts';

let site: Site;
let cookie: string;
beforeAll(async () => {
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  cookie = await site.signIn();
});
afterAll(async () => {
  await closeContexts(await sharedBrowser());
  await site?.stop();
});

const read = async (path: string) => {
  const { status, text } = await site.visit(path, { cookie });
  return { status, text, content: getText(text) };
};

test('before anything is synchronized the page says what to do, and what fails', async () => {
  const { status, content } = await read('/');
  expect(status).toBe(200);
  expect(content).toContain('Needs attention All repositories failing octo/api Checks fail on the default branch.');
  expect(content).toContain('No workflow runs are stored yet. Sync a repository');
  expect(content).toContain('Choose repositories to sync');
  expect(content).not.toContain('CI by repository');
});

test('then it has four figures and the days of the repository', async () => {
  await synchronize(site, cookie, { owner: 'octo', repo: 'web' });
  const { content } = await read('/');
  expect(content).toMatch(/Failure rate \d+ %.* from \d+ runs/);
  expect(content).toContain('Median run duration');
  expect(content).toMatch(/Failure rate \d+ % Covers 1 of 216 repositories/);
  expect(content).toContain('Merged pull requests – Not read yet: the nightly job or the page Team reads them.');
  expect(content).not.toMatch(/reads them\. n = 0/);
  expect(content).toMatch(/CI by repository, 90 days .* web .* CSV 1 of 216 repositories synced.* Median run duration/);
});

test('filters of the list of repositories lead to its own page for good', async () => {
  const moved = await site.visit('/?q=web&page=1', { cookie });
  expect([moved.status, moved.location]).toEqual([308, '/repositories?q=web&page=1']);
  const sample = await site.visit('/demo?language=Go', {});
  expect([sample.status, sample.location]).toEqual([308, '/demo/repositories?language=Go']);
});

describe.each([
  ['with scripts', true],
  ['without scripts', false],
])('%s', (_, javaScriptEnabled) => {
  const open = async (path: string): Promise<Page> => {
    const context = await (await sharedBrowser()).newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${site.url}${path}`);
    return page;
  };

  test.each(['Failure rate', 'Median run duration', 'Merged pull requests', 'Median time to merge'])(
    '%s leads to its evidence in one click, with the same value',
    async (label) => {
      const page = await open('/demo');
      const card = page.getByRole('article', { name: label });
      const value = (await card.locator('.headline').innerText()).replace(/\s+/g, ' ');
      await card.getByRole('link', { name: label }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await waitForCompletePage(page);
      expect((await page.locator('main').innerText()).replace(/\s+/g, ' ')).toContain(value);
    },
  );

  test.each(['Failure rate', 'Median run duration'])('%s of synced runs leads to the runs it counts', async (label) => {
    const context = await (await sharedBrowser()).newContext({ javaScriptEnabled, baseURL: site.url });
    await site.signInBrowser(context);
    const { page, follow, actions } = countActions(await context.newPage());
    await page.goto('/');
    await follow(label);
    const counted = page.getByRole('table', { name: /counted/i }).first();
    expect(await counted.getByRole('link', { name: /^octo\/web: CI #\d+$/ }).count()).toBeGreaterThan(0);
    expect(actions()).toBeLessThanOrEqual(2);
    await context.close();
  });

  test('another range is a link, and stays while an organization is chosen', async () => {
    const page = await open('/demo');
    await page.getByRole('link', { name: '7 days' }).click();
    await page.getByLabel('Organization').selectOption('lumen-harbor');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/range=7.*org=lumen-harbor/);
    expect(await page.getByRole('link', { name: '7 days' }).getAttribute('aria-current')).toBe('true');
  });

  test('a repository of the strip is one click away', async () => {
    const page = await open('/demo');
    const row = page.getByRole('row', { name: /beacon-api/ });
    await row.getByRole('img', { name: /beacon-api: failures on \d+ of \d+ days with runs/ }).waitFor();
    await row.getByRole('link').click();
    await page.waitForURL(/\/demo\/repos\/lumen-harbor\/beacon-api$/);
  });
});

test('the frame is there while the platform answers nothing, where scripts run', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const own = await site.signIn('token-bo');
  site.double.fault({ times: 1000 }, { kind: 'held', until: promise });
  const response = await fetch(`${site.url}/`, { headers: { cookie: `${own}; das_scripts=1` } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let first = '';
  while (reader && !first.includes('Loading Needs attention')) first += (await reader.read()).value ?? '';
  expect(first).toContain('<h1>Overview</h1>');
  site.double.reset();
  resolve();
  let rest = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) rest += part.value;
  expect(rest).toContain('All repositories');
});

describe('in an organization', () => {
  let shared: Site;
  beforeAll(async () => {
    shared = await startSite({ MODE: 'organization', DEFAULT_GROUP: 'security', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  });
  afterAll(() => shared?.stop());

  test('who may not see reports sees what needs attention, without empty boxes', async () => {
    const { text } = await shared.visit('/', { cookie: await shared.signIn('token-bo') });
    const content = getText(text);
    expect(content).toContain('Needs attention');
    expect(content).not.toMatch(/Key figures|Failure rate/);
  });
});
