import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { said } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' }), sharedBrowser()]);
});
afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

const rulesOf = (page: Page) => page.getByRole('region', { name: 'Rules', exact: true });
const states = async (page: Page) => {
  const texts = await rulesOf(page).locator('tbody .badge').allInnerTexts();
  return texts.map((text) => text.trim());
};

describe.each([true, false])('alerts of the demo, with scripts: %s', (javaScriptEnabled) => {
  const opened = async (width: number, work: (page: Page) => Promise<void>) => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${site.url}/demo/alerts`);
    await work(page);
    await context.close();
  };

  test('rules are rows under heads that are said once, firing first', () =>
    opened(1440, async (page) => {
      const heads = await rulesOf(page).getByRole('columnheader').allInnerTexts();
      expect(heads).toEqual(['Rule', 'Fires at', 'Current value', 'State', '30 days', 'Last fired']);
      expect(await states(page)).toEqual(['Firing', 'Firing', 'OK', 'OK', 'Muted']);
      const row = rulesOf(page).getByRole('row').filter({ hasText: 'Failure rate' });
      expect((await row.innerText()).replace(/\s+/g, ' ')).toMatch(
        /^Failure rate lumen-harbor Details ≥ 15 % over 7 days [\d.]+ % highest repository Firing Back-test \d+ hours ago$/,
      );
      expect(await row.locator('svg.spark title').textContent()).toMatch(/^Daily maximum, last 30 days: /);
      expect(await page.getByRole('main').locator('form').count()).toBe(0);
    }));

  test('what limits a rule is folded, and there on demand', () =>
    opened(1440, async (page) => {
      expect(await said(page)).not.toMatch(/At most once|Minimum sample/);
      const row = rulesOf(page).getByRole('row').filter({ hasText: 'Failure rate' });
      await row.getByText('Details', { exact: true }).click();
      expect(await said(page)).toMatch(
        /When failure rate in each synced repository of lumen-harbor over 7 days reaches 15 %, email platform@\S+ Sample \d+\. Evaluated .*\. Threshold reached on \d+ of the last \d+ days\. Minimum sample 20\. At most once in 7 days\./,
      );
    }));

  test('an alert of the history leads to its rule', () =>
    opened(1440, async (page) => {
      const history = page.getByRole('region', { name: 'Alert history' });
      await history.getByRole('link', { name: 'Time to first review, p90' }).first().click();
      expect(page.url()).toMatch(/#rule-4$/);
      expect(await page.locator('#rule-4').innerText()).toBe('Time to first review, p90');
    }));

  test('a rule leads to its back-test, drawn with its threshold and where it would have fired', () =>
    opened(1440, async (page) => {
      await page
        .getByRole('link', { name: 'Back-test: Failure rate in each synced repository of lumen-harbor' })
        .click();
      const region = page.getByRole('region', { name: 'Back-test', exact: true });
      await region.getByText('would have fired').first().waitFor();
      // The table is the last of it to come.
      const tested = region.getByRole('row').filter({ hasText: 'lumen-harbor/harbor-gateway' });
      await tested.waitFor();
      const [, times = ''] =
        /This rule would have fired \d+ times? in the last 30 days and (\d+) times? in the last 90\./.exec(
          (await region.innerText()).replace(/\s+/g, ' '),
        ) ?? [];
      expect(Number(times)).toBeGreaterThan(0);
      expect(await region.innerText()).toContain('When failure rate in each synced repository of lumen-harbor');
      const chart = region.locator('figure.chart').first();
      expect(await chart.innerText()).toMatch(/threshold/);
      expect(await chart.locator('circle.marked').count()).toBeGreaterThan(0);
      expect(await tested.count()).toBe(1);
      expect(await page.getByRole('main').locator('form').count()).toBe(0);
    }));

  test('on a phone each rule is a card whose values have their labels', () =>
    opened(390, async (page) => {
      const { scrollWidth, clientWidth, labels } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const cells = [...document.querySelectorAll('#rule-2')].flatMap((name) => [
          ...(name.closest('tr')?.querySelectorAll('td') ?? []),
        ]);
        return {
          scrollWidth,
          clientWidth,
          labels: cells.map((cell) => getComputedStyle(cell, '::before').content),
        };
      });
      expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
      expect(labels).toEqual(['Fires at', 'Current value', 'State', '30 days', 'Last fired'].map((one) => `"${one}"`));
    }));
});
