import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workflowIds } from '../codehost-double/named-world.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

/** What A4 leaves between margins of 1 cm: 190 mm, in CSS pixels. */
const a4 = { width: 718, height: 1046 };
const harbor = '/demo/repos/lumen-harbor';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' }), sharedBrowser()]);
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

test.each([
  '/',
  '/repos/octo/web',
  `/repos/octo/web/workflows/${workflowIds.webCi}?tab=runs`,
  '/settings/jobs',
  `${harbor}/beacon-api/team?range=last-60`,
  '/demo/working-habits?org=lumen-harbor&range=90',
  '/demo/org/lumen-harbor/health',
  '/demo/contributor/tuan-pham/brief?owner=lumen-harbor',
])('%s fits the width of A4 when it is printed, in dark ink', async (path) => {
  const context = await browser.newContext({ viewport: a4, colorScheme: 'dark', baseURL: site.url });
  try {
    await site.signInBrowser(context);
    const page = await context.newPage();
    await page.goto(path);
    await page.emulateMedia({ media: 'print' });
    const { wide, ink } = await page.evaluate(() => ({
      wide: [...document.querySelectorAll('main *')]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => `${one.tagName}.${one.className}`),
      ink: getComputedStyle(document.body).color,
    }));
    expect(wide).toEqual([]);
    expect(Math.max(...(ink.match(/\d+/g)?.map(Number) ?? [255]))).toBeLessThan(128);
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
  } finally {
    await context.close();
  }
});
