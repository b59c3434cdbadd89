import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let page: Page;
beforeAll(async () => {
  site = await startSite({});
  const browser = await sharedBrowser();
  const context = await browser.newContext({ baseURL: site.url, viewport: { width: 1440, height: 400 } });
  page = await context.newPage();
});
afterAll(async () => {
  await closeContexts(await sharedBrowser());
  await site?.stop();
});

/** Keeps the name of each status that is added to a page beyond it, as nothing reads a page that is being left. */
const keepStatuses = () =>
  new MutationObserver((changes) => {
    for (const added of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (added instanceof HTMLElement && added.matches('.loading-bar[role=status]'))
        sessionStorage.setItem('shown', added.ariaLabel ?? '');
  }).observe(document, { childList: true, subtree: true });

test('a page that is left shows that the next one is on its way, until that is there', async () => {
  await page.addInitScript(keepStatuses);
  await page.goto('/demo');
  const getShown = () => page.evaluate(() => sessionStorage.getItem('shown'));
  expect(await getShown()).toBeNull();
  await page.getByRole('link', { name: 'Deployments', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: /Deployments/ }).waitFor();
  expect(await getShown()).toBe('Loading');
  expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
});

test('the head of a table that is longer than the window stays at the top', async () => {
  await page.goto('/demo/ci');
  const table = page.getByRole('table').last();
  const head = table.locator('thead th').first();
  const row = table.locator('tbody tr').nth(12);
  await row.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  const top = (await head.boundingBox())?.y ?? Number.NaN;
  const offered = await table.evaluate((element) => element.getBoundingClientRect().top);
  expect(offered).toBeLessThan(-100);
  expect(Math.abs(top)).toBeLessThan(2);
});
