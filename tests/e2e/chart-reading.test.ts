import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), sharedBrowser()]);
});
afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

const reports = '/demo/reports?repo=lumen-harbor%2Fharbor-gateway&range=30';

async function open(width: number, options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, baseURL: site.url, ...options });
  const page = await context.newPage();
  await page.goto(reports);
  return page;
}

const findFigure = (page: Page, title: string) => page.getByRole('figure').filter({ hasText: title });

/** What stands in the table of a chart, by its rows. */
const readRows = (page: Page, title: string) =>
  findFigure(page, title)
    .locator('.twin table tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));

test.each([390, 1440])('keys read a chart column by column, and say it as its table does, %i px', async (width) => {
  const page = await open(width);
  const title = 'Duration of completed runs';
  const rows = await readRows(page, title);
  const chart = findFigure(page, title).getByRole('application');
  const said = chart.getByRole('status');
  await chart.focus();
  const expectRow = async (index: number) => {
    const [name = '', ...values] = rows.at(index) ?? [];
    const text = (await said.textContent()) ?? '';
    expect(text.split('\n')[0]).toBe(name.replace(/ \(partial.*\)$/, ''));
    for (const value of values.slice(0, -1).filter((one) => one !== '–')) expect(text).toContain(value);
  };
  await expectRow(-1);
  await page.keyboard.press('ArrowLeft');
  await expectRow(-2);
  await page.keyboard.press('Home');
  await expectRow(0);
  await page.keyboard.press('ArrowLeft');
  await expectRow(0);
  await page.keyboard.press('ArrowRight');
  await expectRow(1);
  await page.keyboard.press('End');
  await expectRow(-1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  const box = await chart.boundingBox();
  const readOut = await said.boundingBox();
  expect(readOut?.x).toBeGreaterThanOrEqual(box?.x ?? 0);
  expect((readOut?.x ?? 0) + (readOut?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0) + 1);
  await page.keyboard.press('Escape');
  expect(await said.textContent()).toBe('');
  await page.keyboard.press('ArrowLeft');
  await expectRow(-1);
  await page.keyboard.press('Tab');
  expect(await said.textContent()).toBe('');
});

test('keys with others stay the browser’s', async () => {
  const page = await open(1440);
  const chart = findFigure(page, 'Duration of completed runs').getByRole('application');
  await chart.focus();
  const before = await chart.getByRole('status').textContent();
  const isTaken = await chart.evaluate((element) => {
    const event = new KeyboardEvent('keydown', { key: 'ArrowLeft', altKey: true, cancelable: true, bubbles: true });
    return !element.dispatchEvent(event);
  });
  expect(isTaken).toBe(false);
  expect(await chart.getByRole('status').textContent()).toBe(before);
});

test('a pointer reads the same, of bars too, and marks with their column', async () => {
  const page = await open(1440);
  const chart = findFigure(page, 'Runs per day').getByRole('application');
  const said = chart.getByRole('status');
  await chart.scrollIntoViewIfNeeded();
  const mark = await chart.locator('.of-alert .happening').first().boundingBox();
  const bottom = await chart.boundingBox();
  await page.mouse.move((mark?.x ?? 0) + (mark?.width ?? 0) / 2, (bottom?.y ?? 0) + 90);
  expect(await said.textContent()).toMatch(
    /^\d+ \w+ 20\d\d.*\n\d+ failed, \d+ passed[^\n]*\n(.*\n)*.* – alert fired: /,
  );
  await page.mouse.move(0, 0);
  expect(await said.textContent()).toBe('');
});

test('the static chart keeps its marks beside the interactive one, whose lines are shown and hidden', async () => {
  const page = await open(1440);
  const figure = page.locator('[data-interactive-chart]').filter({ hasText: 'Duration of completed runs' });
  await figure.getByRole('button', { name: 'Interactive chart' }).click();
  const lines = figure.locator('.recharts-surface path.recharts-line-curve:not([class*="partial"])');
  await lines.first().waitFor();
  expect(await figure.locator('.plot .annotation').first().isVisible()).toBe(true);
  const toggles = figure.locator('.explored .legend button');
  const names = await toggles.count();
  expect(names).toBeGreaterThan(1);
  const before = await figure.locator('.recharts-line').count();
  await toggles.first().click();
  expect(await toggles.first().getAttribute('aria-pressed')).toBe('false');
  await page.waitForFunction(([count]) => document.querySelectorAll('.recharts-line').length < (count ?? 0), [before]);
  await toggles.first().click();
  await page.waitForFunction(([count]) => document.querySelectorAll('.recharts-line').length === count, [before]);
});

test('no rule of WCAG 2.2 AA is broken while a chart is read', async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark'] as const) {
    // The policy of our pages lets no foreign script in.
    const page = await open(1440, { bypassCSP: true, colorScheme });
    const chart = findFigure(page, 'Duration of completed runs');
    await chart.getByRole('button', { name: 'Interactive chart' }).click();
    await page.locator('.recharts-surface').first().waitFor();
    await chart.getByRole('application').focus();
    await page.evaluate(axe);
    const broken = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: typeof Axe };
      const { violations } = await axe.run({
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    });
    expect(broken).toEqual([]);
  }
});

test('without scripts a chart is no stop, and its table says the same', async () => {
  const page = await open(1440, { javaScriptEnabled: false });
  const figure = findFigure(page, 'Duration of completed runs');
  expect(await figure.getByRole('application').count()).toBe(0);
  await figure.getByText('Show as table').click();
  expect(await figure.locator('.twin table').isVisible()).toBe(true);
});
