import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { said } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;
const id = 'GHSA-2222-3333-4444';

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), sharedBrowser()]);
  site.double.world.advisories = [{ id, package: 'some/tool', range: '>= 4.0.0, < 4.3.5', patched: '4.3.5' }];
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

describe.each([
  { way: 'with scripts', scripts: true, address: '10.0.7.31' },
  { way: 'without scripts', scripts: false, address: '10.0.7.32' },
])('a pasted advisory $way', ({ scripts, address }) => {
  test('becomes a search that fills the form', async () => {
    const context = await browser.newContext({
      baseURL: site.url,
      javaScriptEnabled: scripts,
      extraHTTPHeaders: { 'x-forwarded-for': address },
    });
    await site.signInBrowser(context);
    const page = await context.newPage();
    await page.goto('/org/octo/exposure');
    await page.getByText('Paste an advisory', { exact: true }).click();
    await page.getByLabel(/^An id such as/).fill(`Fixed in ${id}.`);
    await page.getByRole('button', { name: 'Read advisory' }).click();
    await page.getByRole('link', { name: 'Search for it' }).waitFor();
    expect(await said(page)).toContain('the search goes back as far as is stored');
    expect(await said(page)).toContain('npm: left-pad: no action');
    await page.getByRole('link', { name: 'Search for it' }).click();
    await page.waitForURL(/name=some/);
    expect(await page.getByLabel('Actions, workflows or images').inputValue()).toBe('some/tool');
    expect(await page.getByLabel('Versions').inputValue()).toBe('>= 4.0.0, < 4.3.5');
    await page.goto('/org/octo/exposure');
    await page.getByText('Paste an advisory', { exact: true }).click();
    await page.getByLabel(/^An id such as/).fill('GHSA-9999-9999-9999');
    await page.getByRole('button', { name: 'Read advisory' }).click();
    await page.getByText('GitHub has no reviewed advisory GHSA-9999-9999-9999.').waitFor();
    await page
      .getByLabel(/^An id such as/)
      .fill(`uses: some/tool led to ${'a'.repeat(40)}, fixed in ${'b'.repeat(40)}.`);
    await page.getByRole('button', { name: 'Read advisory' }).click();
    await page.getByText('Commits in a text may not be all of them').waitFor();
    await page.getByRole('link', { name: 'at every tag and branch' }).click();
    await page.waitForURL(/name=some%2Ftool$/);
    await context.close();
  });
});
