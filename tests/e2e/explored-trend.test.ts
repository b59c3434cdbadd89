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
