import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';

const minute = 60_000;
const day = 1440 * minute;

let site: Site;
let browser: Browser;
/** Where the drawing is marked; one mark that would touch the last is excluded. */
const marks = ['0 s', '4 h', '8 h', '15 h'];

/** The reports of a repository whose runs took forty minutes and fourteen hours and a half. */
const reports = '/reports?repo=octo%2Fno-issues';

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), sharedBrowser()]);
  for (const [index, lasted] of [40 * minute, 881 * minute].entries()) {
    const createdAt = Date.now() - (2 + index) * day;
    const run = { id: 9_700_001 + index, createdAt, startedAt: createdAt, updatedAt: createdAt + lasted };
    site.double.putRun('octo/no-issues', run);
  }
  for (const age of [0, day]) {
    const createdAt = Date.now() - age - 1_000;
    const run = { id: 9_700_010 + age, createdAt, startedAt: createdAt, updatedAt: createdAt + 500 };
    site.double.putRun('octo/no-issues', run);
  }
  await synchronize(site, await site.signIn(), { owner: 'octo', repo: 'no-issues' });
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

test.each([390, 1440])(
  'an explored drawing is marked in round hours, and no word of it is cut, %i px',
  async (width) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, baseURL: site.url });
    await site.signInBrowser(context);
    const page = await context.newPage();
    await page.goto(reports);
    const figure = page.getByRole('figure').filter({ hasText: 'Duration of completed runs' });
    await figure.getByRole('button', { name: 'Interactive chart' }).click();
    const drawing = figure.locator('.recharts-surface').first();
    await drawing.locator('text', { hasText: 'h' }).first().waitFor();
    const labels = await drawing.evaluate((surface) => {
      const edges = surface.getBoundingClientRect();
      return [...surface.querySelectorAll('text')].map((word) => {
        const { left, right } = word.getBoundingClientRect();
        return { text: word.textContent?.replace(/\s/g, ' ') ?? '', isCut: left < edges.left || right > edges.right };
      });
    });
    expect(labels.filter(({ isCut }) => isCut)).toEqual([]);
    const values = labels.map(({ text }) => text).filter((text) => /^\d+ (s|min|h)\b/.test(text));
    expect(values).toEqual(marks);
    await context.close();
  },
);

test('what an explored drawing loads fits its budget of 125 KB', () => {
  const assets = resolve(import.meta.dirname, '../../build/client/assets');
  const files = readdirSync(assets).filter((name) => /^interactive-(lines|chart)-.*\.js$/.test(name));
  expect(files).toHaveLength(2);
  const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0);
  expect(bytes).toBeLessThan(125_000);
});

test('today is no whole day: dotted in the explored drawing, and said by its tip and in the table', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: site.url });
  await site.signInBrowser(context);
  const page = await context.newPage();
  await page.goto(`${reports}&range=7`);
  const figure = page.getByRole('figure').filter({ hasText: 'Duration of completed runs' });
  expect(await figure.locator('tbody tr').last().textContent()).toContain('(partial)');
  expect(await figure.locator('tbody tr').first().textContent()).not.toContain('(partial)');
  await figure.getByRole('button', { name: 'Interactive chart' }).click();
  const dotted = figure.locator('.recharts-surface [class*="-partial"] path.recharts-line-curve');
  await dotted.first().waitFor({ state: 'attached' });
  expect(await dotted.first().evaluate((path) => getComputedStyle(path).strokeDasharray)).not.toBe('none');
  const drawing = figure.locator('.recharts-surface').first();
  await drawing.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, width = 0, height = 0 } = (await drawing.boundingBox()) ?? {};
  const tip = figure.locator('.tip');
  const read = async (place: number) => {
    await page.mouse.move(x + place, y + height / 2);
    return (await tip.textContent())?.replace(/\s+/g, ' ') ?? '';
  };
  expect(await read(width - 22)).toMatch(/\(partial\)median ≈ [\d.]+ m?s/);
  // The day before has each of its values once, though two lines begin there.
  expect((await read(width - 22 - width / 7)).match(/median/g)).toHaveLength(1);
  await context.close();
});
