import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addRule, type Ready } from '../alerts/stage.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { waitForCompletePage } from '../support/complete-page.ts';
import { openTestStore } from '../support/database.ts';
import { type Site, startSite } from '../support/site.ts';

const folder = mkdtempSync(join(tmpdir(), 'alert-history-'));
const alerts = 120;
const hour = 3_600_000;
let site: Site;

beforeAll(async () => {
  const url = `pglite://${folder}`;
  const now = Date.now();
  const store = await openTestStore(url);
  const rule = await addRule({ store, clock: { now: () => now - 200 * hour } } as Ready, { scope: 'repo:octo/web' });
  for (let index = alerts; index > 0; index--) await store.alertEvents.test(rule, null, now - index * hour);
  await store.close();
  site = await startSite({ DATABASE_URL: url, RATE_LIMIT_SESSION_PER_MINUTE: '0' });
});

afterAll(async () => {
  await closeContexts(await sharedBrowser());
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([true, false])('the alert history, with scripts: %s', (javaScriptEnabled) => {
  const opened = async (width: number, colorScheme: 'light' | 'dark'): Promise<Page> => {
    const context = await (await sharedBrowser()).newContext({
      javaScriptEnabled,
      colorScheme,
      viewport: { width, height: 900 },
    });
    await site.signInBrowser(context);
    const page = await context.newPage();
    await page.goto(`${site.url}/alerts`);
    return page;
  };
  const history = (page: Page) => page.getByRole('region', { name: 'Alert history' });
  const countAlerts = (page: Page) => history(page).locator('tbody tr', { hasText: 'Failure rate' }).count();
  const follow = (page: Page, name: string) => history(page).getByRole('link', { name, exact: true }).click();

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('leads from the newest to the oldest and back, %s px wide, %s', async (width, theme) => {
    const page = await opened(width, theme);
    const counts: number[] = [];
    for (;;) {
      counts.push(await countAlerts(page));
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      if ((await history(page).getByText('End of history.').count()) > 0) break;
      await follow(page, 'Older');
      await page.waitForURL(/cursor=\d+\.\d+#fired$/);
      await waitForCompletePage(page);
    }
    expect(counts).toEqual([50, 50, 20]);
    await follow(page, 'Newest');
    await page.waitForURL((url) => !url.search.includes('cursor'));
    await waitForCompletePage(page);
    expect(await history(page).getByRole('link', { name: 'Newest' }).count()).toBe(0);
  });

  test('has a file of all alerts on every page', async () => {
    const page = await opened(1440, 'light');
    await follow(page, 'Older');
    await page.waitForURL(/cursor=/);
    const download = page.waitForEvent('download');
    await follow(page, 'CSV of alerts');
    const text = (await (await (await download).createReadStream()).toArray()).join('');
    expect(text.trimEnd().split('\r\n')).toHaveLength(1 + alerts);
  });
});
