import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workflowIds } from '../codehost-double/named-world.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';

const ci = `/repos/octo/web/workflows/${workflowIds.webCi}`;
const reports = '/reports?repo=octo%2Fweb';
const paths = [
  '/',
  '/demo',
  '/repositories',
  '/repositories?org=nobody',
  '/repos/octo/web',
  '/repos/octo/empty',
  '/repos/octo/web/deployments',
  '/repos/octo/old/deployments',
  '/demo/repos/lumen-harbor/tidewater-web',
  '/demo/repos/lumen-harbor/tidewater-web/deployments',
  '/repos/octo/nope',
  '/repos/octo/web/issues',
  '/repos/octo/web/security',
  '/demo/repos/lumen-harbor/tidewater-web/security',
  '/demo/repos/lumen-harbor/harbor-gateway/security',
  '/demo/repos/lumen-harbor/tidewater-web/changes',
  ci,
  `${ci}?tab=runs&run=5011`,
  `${ci}?tab=performance`,
  `${ci}?tab=reliability`,
  `${ci}?tab=triggers`,
  `${ci}?tab=cost`,
  reports,
  '/demo',
  '/security?org=octo',
  '/demo/security',
  '/ci',
  '/ci?view=waste',
  '/demo/pull-requests',
  '/demo/deployments',
  '/demo/org/lumen-harbor/merge-queues',
  '/demo/ci',
  '/demo/ci?view=slow',
  '/cost?org=octo',
  '/cost?org=many',
  '/cost?org=octo&year=2024&month=5',
  '/demo/cost',
  '/demo/working-habits?org=lumen-harbor&range=90',
  '/docs',
  '/docs?q=email',
  '/docs/configuration',
  '/docs/processes',
  '/docs/metrics',
  '/docs/metrics/lead_time',
  '/docs/api',
  '/setup',
];

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' }), sharedBrowser()]);
  await synchronize(site, await site.signIn(), { owner: 'octo', repo: 'web' });
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

/** A page of somebody signed in, and what the browser complained about while it was used. */
async function withPage(options: BrowserContextOptions, use: (page: Page, context: BrowserContext) => Promise<void>) {
  const context = await browser.newContext(options);
  const complaints: string[] = [];
  try {
    await site.signInBrowser(context);
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
    });
    await use(page, context);
  } finally {
    await context.close();
  }
  expect(complaints).toEqual([]);
}

const at = (width: number) => ({ viewport: { width, height: 900 } });
/** Pairs of words of one axis that cover each other. */
const touching = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.axis')].flatMap((axis) => {
      const labels = [...axis.querySelectorAll('text')].filter((word) => word.checkVisibility());
      const placed = labels.map((word) => ({ text: word.textContent, box: word.getBoundingClientRect() }));
      return placed.flatMap(({ text, box: one }, index) =>
        placed
          .slice(index + 1)
          .filter(({ box }) => one.left < box.right && box.left < one.right)
          .filter(({ box }) => one.top < box.bottom && box.top < one.bottom)
          .map((other) => `${text} | ${other.text}`),
      );
    }),
  );

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

test('no page scrolls sideways or is refused a part of itself, on a phone and a wide screen, light and dark', () =>
  withPage({}, async (page) => {
    for (const path of paths) {
      await page.goto(`${site.url}${path}`);
      for (const width of [390, 1440])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          const look = `${path}, ${width} px, ${colorScheme}`;
          const { wide, room } = await page.evaluate(() => ({
            wide: document.documentElement.scrollWidth,
            room: document.documentElement.clientWidth,
          }));
          expect(wide, look).toBe(room);
          expect(room, look).toBe(width);
          const [lightness = Number.NaN] = (await background(page)).match(/\d+/g)?.map(Number) ?? [];
          expect(lightness > 128, look).toBe(colorScheme === 'light');
        }
    }
  }));

describe.each([390, 1440])('%i px wide', (width) => {
  test('words along the axes of drawings do not touch', () =>
    withPage(at(width), async (page) => {
      for (const path of [
        reports,
        `${reports}&days=365`,
        '/repos/octo/web/pull-requests',
        '/repos/octo/web/workflows',
        ci,
        `${ci}?tab=performance`,
        `${ci}?tab=reliability`,
      ]) {
        await page.goto(`${site.url}${path}`);
        expect(await page.locator('.axis text').count(), path).toBeGreaterThan(0);
        expect(await touching(page), path).toEqual([]);
      }
    }));

  test('the name of a row can be read', () =>
    withPage(at(width), async (page) => {
      await page.goto(`${site.url}/repositories`);
      const link = await page.getByRole('rowheader').getByRole('link', { name: 'octo/renamed-now' }).boundingBox();
      expect(link?.height).toBeLessThan(30);
      const row = await page.getByRole('row').filter({ hasText: 'octo/renamed-now' }).boundingBox();
      expect(row?.height).toBeLessThan(width === 390 ? 260 : 60);
    }));
});

test('the colours are chosen without scripts, stay chosen, and are given back to the system', () =>
  withPage({ ...at(1440), colorScheme: 'light', javaScriptEnabled: false }, async (page) => {
    await page.goto(`${site.url}${ci}?tab=runs`);
    const light = await background(page);
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.getByRole('button', { name: 'Dark', pressed: true }).waitFor();
    expect(page.url()).toBe(`${site.url}${ci}?tab=runs`);
    expect(await background(page)).not.toBe(light);
    await page.goto(`${site.url}/docs`);
    await page.getByRole('button', { name: 'Dark', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'System' }).click();
    await page.getByRole('button', { name: 'System', pressed: true }).waitFor();
    expect(await background(page)).toBe(light);
  }));

describe('by keyboard', () => {
  const focused = (page: Page) =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll('*')];
      return document.activeElement ? all.indexOf(document.activeElement) : -1;
    });

  test('the way past the navigation comes first', () =>
    withPage(at(1440), async (page) => {
      await page.goto(`${site.url}/repos/octo/web`);
      await page.keyboard.press('Tab');
      const skip = page.getByRole('link', { name: 'Skip to content' });
      expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
      expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0);
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    }));

  test.each([
    ['/repos/octo/web', 1440],
    [`${ci}?tab=runs&run=5011`, 1440],
    ['/setup', 1440],
    ['/setup', 390],
  ])('everything on %s is reached, %i px wide', (path, width) =>
    withPage(at(width), async (page) => {
      await page.goto(`${site.url}${path}`);
      const wanted = await page.evaluate(() => {
        const all = [...document.querySelectorAll<HTMLElement>('*')];
        const usable = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
        return all.flatMap((one, index) => (one.matches(usable) && one.checkVisibility() ? [index] : []));
      });
      const reached = new Set<number>();
      for (let pressed = 0; pressed <= wanted.length; pressed++) {
        await page.keyboard.press('Tab');
        reached.add(await focused(page));
      }
      expect(wanted.filter((index) => !reached.has(index))).toEqual([]);
      expect(wanted.length).toBeGreaterThan(5);
    }),
  );

  test('the menu of a narrow screen opens', () =>
    withPage(at(390), async (page) => {
      await page.goto(`${site.url}/docs`);
      const link = page.getByRole('link', { name: 'Overview', exact: true });
      expect(await link.isVisible()).toBe(false);
      await page.getByText('Menu', { exact: true }).focus();
      await page.keyboard.press('Enter');
      expect(await link.isVisible()).toBe(true);
    }));
});

test('a trend is explored by pointer where scripts run, beside the static drawing', () =>
  withPage(at(1440), async (page) => {
    await page.goto(`${site.url}${reports}`);
    const figure = page.getByRole('figure').filter({ hasText: 'Duration of completed runs' });
    const plain = figure.getByRole('img', { name: /^Duration of completed runs/ });
    await plain.waitFor();
    await figure.getByRole('button', { name: 'Interactive chart' }).click();
    await figure.locator('.recharts-surface').first().waitFor();
    expect(await plain.isVisible()).toBe(true);
    await figure.getByRole('button', { name: 'Hide interactive chart' }).click();
    await figure.locator('.recharts-surface').first().waitFor({ state: 'hidden' });
    await plain.waitFor();
  }));

describe('weights, gzipped', () => {
  const visited = async (path: string) => site.visit(path, { cookie: await site.signIn() });
  const size = (text: string) => gzipSync(text).byteLength / 1024;
  const linked = (html: string, pattern: RegExp) => [...new Set([...html.matchAll(pattern)].map(([, path]) => path))];
  const fetched = async (paths: (string | undefined)[]) =>
    (await Promise.all(paths.map(async (path) => size((await site.visit(path ?? '')).text)))).reduce(
      (a, b) => a + b,
      0,
    );

  test('25 repositories in 25 KB, styles in 12 KB', async () => {
    const { text } = await visited('/repositories');
    expect(text.match(/<th scope="row"/g)).toHaveLength(25);
    expect(size(text)).toBeLessThanOrEqual(25);
    const styles = linked(text, /<link[^>]* href="([^"]+\.css)"/g);
    expect(styles.length).toBeGreaterThan(0);
    expect(await fetched(styles)).toBeLessThanOrEqual(12);
  });

  test('scripts of a page in 15 KB, and none where there is only something to read', async () => {
    const scripts = async (path: string) => linked((await visited(path)).text, /<script[^>]* src="([^"]+)"/g);
    expect(await scripts(reports)).toHaveLength(2);
    expect(await fetched(await scripts(reports))).toBeLessThanOrEqual(15);
    for (const path of ['/docs', '/docs/api', '/setup', '/contributor/ann/brief?owner=octo'])
      expect(await scripts(path)).toEqual([]);
  });
});
