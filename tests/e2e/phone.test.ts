import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' }), sharedBrowser()]);
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

test('a button in a card stands under its label', () =>
  onPhone('/settings/session', async (page) => {
    const cell = await page.getByRole('cell').filter({ hasText: 'Sign out' }).boundingBox();
    const button = await page.getByRole('cell').getByRole('button', { name: 'Sign out' }).boundingBox();
    const labelHeight = 16;
    expect((button?.y ?? 0) - (cell?.y ?? 0)).toBeGreaterThanOrEqual(labelHeight);
  }));

test('a card leaves out the fields that have no value', async () => {
  // One job has repositories left to count, the others have none.
  await synchronize(site, await site.signIn(), { owner: 'octo', repo: 'web' });
  await onPhone('/settings/jobs', async (page) => {
    const table = page.getByRole('table', { name: 'Jobs' });
    await table.getByText('Alert rules').waitFor();
    const values = await table.locator('td:visible').allInnerTexts();
    expect(values.length).toBeGreaterThan(10);
    expect(values.map((value) => value.trim())).not.toContain('–');
    expect(await table.getByRole('columnheader', { name: 'Repositories left' }).count()).toBe(1);
  });
});
