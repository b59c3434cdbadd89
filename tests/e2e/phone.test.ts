import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';

const secret = 'Zp4vW8yQk2LmN6tR0xCsB3hJ7dFgA9uE';
let site: Site;
let browser: Browser;
beforeAll(async () => {
  const env = { RATE_LIMIT_SESSION_PER_MINUTE: '0', CODEHOST_TOKEN: 'token-ann', CRON_SECRET: secret };
  [site, browser] = await Promise.all([startSite(env), sharedBrowser()]);
});
afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

async function onPhone(path: string, look: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
  await site.signInBrowser(context);
  const page = await context.newPage();
  await page.goto(`${site.url}${path}`);
  await look(page);
  await context.close();
}

test.each(['/repos/octo/web', '/repos/octo/web/changes', '/repos/octo/web/team', '/ci', '/settings', '/cost'])(
  'the tabs of %s take two lines',
  (path) =>
    onPhone(path, async (page) => {
      const lines = await page
        .locator('nav.tabs')
        .evaluateAll((bars) =>
          bars.map((bar) => new Set([...bar.querySelectorAll('li')].map((tab) => tab.offsetTop)).size),
        );
      expect(lines.length).toBeGreaterThan(0);
      expect(Math.max(...lines)).toBeLessThanOrEqual(2);
    }),
);

test('rows that are cards are sorted by what stands above them', () =>
  onPhone('/demo/ci', async (page) => {
    const head = page.getByRole('table').first().locator('thead');
    const link = head.getByRole('link', { name: 'Runs' });
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(16);
    await link.click();
    expect(new URL(page.url()).searchParams.get('sort')).toContain('runs');
  }));

test('a button in a card stands under its label', () =>
  onPhone('/settings/session', async (page) => {
    const cell = await page.getByRole('cell').filter({ hasText: 'Sign out' }).boundingBox();
    const button = await page.getByRole('cell').getByRole('button', { name: 'Sign out' }).boundingBox();
    const labelHeight = 16;
    expect((button?.y ?? 0) - (cell?.y ?? 0)).toBeGreaterThanOrEqual(labelHeight);
  }));

test('tables of cards do not scroll sideways at 320 px', async () => {
  const shared = await startSite({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  const context = await browser.newContext({ viewport: { width: 320, height: 844 }, javaScriptEnabled: false });
  try {
    await shared.signInBrowser(context);
    const page = await context.newPage();
    for (const path of ['/admin/audit', '/admin/sessions', '/admin/users?group=all', '/settings/session']) {
      await page.goto(`${shared.url}${path}`);
      const scrolled = await page
        .locator('main .scroll')
        .evaluateAll((boxes) => boxes.map((box) => box.scrollWidth - box.clientWidth));
      expect([path, scrolled.length > 0, Math.max(...scrolled)]).toEqual([path, true, 0]);
    }
  } finally {
    await context.close();
    await shared.stop();
  }
});

test('a workflow finding wraps its code at 320 px', async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 844 }, javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await page.goto(`${site.url}/demo/repos/lumen-harbor/tidewater-web/security`);
    expect(await page.locator('.finding code').count()).toBeGreaterThan(0);
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(beyond).toBe(0);
  } finally {
    await context.close();
  }
});

test('a card leaves out the fields that have no value', async () => {
  // One job has repositories left to count, the others have none.
  await synchronize(site, await site.signIn(), { owner: 'octo', repo: 'web' });
  await fetch(`${site.url}/api/cron/sync`, { headers: { authorization: `Bearer ${secret}` } });
  await onPhone('/settings/jobs', async (page) => {
    const table = page.getByRole('table', { name: 'Jobs' });
    await table.getByText('Alert rules').waitFor();
    const values = await table.locator('td:visible').allInnerTexts();
    expect(values.length).toBeGreaterThan(10);
    expect(values.map((value) => value.trim())).not.toContain('–');
    expect(await table.getByRole('columnheader', { name: 'Repositories left' }).count()).toBe(1);
  });
});
