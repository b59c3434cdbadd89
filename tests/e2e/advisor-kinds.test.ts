import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addWords, storeWords } from '../reports/advisor/documentation-world.ts';
import { addSizes, storeSizes } from '../reports/advisor/sizes-world.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { openTestStore } from '../support/database.ts';
import { type Site, startSite } from '../support/site.ts';
import { getText } from './visited-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'advisor-kinds-'));
let site: Site;
let cookie: string;

beforeAll(async () => {
  const url = `pglite://${folder}`;
  const now = Date.now();
  const store = await openTestStore(url);
  await storeWords(store, now);
  await storeSizes(store, now);
  await store.close();
  site = await startSite({ DATABASE_URL: url, RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  addWords(site.double, now);
  addSizes(site.double);
  cookie = await site.signIn();
});

afterAll(async () => {
  await closeContexts(await sharedBrowser());
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  {
    repo: 'words',
    title: 'Skip documentation-only changes',
    finding: '15 of 30 runs were for changes of documentation alone.',
    change: 'paths-ignore',
    chart: 'how much of it the change would have saved',
  },
  {
    repo: 'sizes',
    title: 'Use another runner size',
    finding: 'on “ubuntu-24.04”',
    change: 'ubuntu-slim',
    chart: 'how much the change would have added',
  },
])('the recommendation “$title”', ({ repo, title, finding, change, chart }) => {
  const list = `/repos/octo/${repo}/advisor`;
  const findPath = async () => {
    const { text } = await site.visit(list, { cookie });
    const links = [...text.matchAll(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g)];
    return links.find(([, , label]) => label === title)?.[1] ?? '/not-listed';
  };

  test('is listed, and has a page with what it rests on and the change', async () => {
    const { status, text } = await site.visit(await findPath(), { cookie });
    expect(status).toBe(200);
    const words = getText(text).replaceAll('\u00a0', ' ');
    for (const one of [title, finding, change, chart]) expect(words).toContain(one);
  });

  test.each([
    [1440, 'light', true],
    [1440, 'dark', false],
    [390, 'light', false],
    [390, 'dark', true],
  ] as const)('fits a screen of %s px, %s, scripts: %s', async (width, colorScheme, javaScriptEnabled) => {
    const viewport = { width, height: 900 };
    const context = await (await sharedBrowser()).newContext({ javaScriptEnabled, colorScheme, viewport });
    await site.signInBrowser(context);
    const page = await context.newPage();
    for (const path of [list, await findPath()]) {
      await page.goto(`${site.url}${path}`);
      await page.getByText(title).first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await context.close();
  });
});
