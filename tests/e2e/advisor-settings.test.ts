import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workflowText } from '../reports/advisor/advised-world.ts';
import { addAdvised, writer } from '../reports/advisor/opened-pull-requests.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, said } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), sharedBrowser()]);
  addAdvised(site, workflowText);
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

const list = '/repos/octo/advised/advisor';

describe.each([
  { way: 'with scripts', scripts: true, address: '10.0.7.21' },
  { way: 'without scripts', scripts: false, address: '10.0.7.22' },
])('the settings of recommendations $way', ({ scripts, address }) => {
  test('leave out a kind, turn pull requests off, and all of it off and on', async () => {
    const context = await browser.newContext({
      baseURL: site.url,
      javaScriptEnabled: scripts,
      extraHTTPHeaders: { 'x-forwarded-for': address },
    });
    await site.signInBrowser(context, writer.token);
    const page = await context.newPage();
    const change = async (work: () => Promise<void>) => {
      await page.goto('/settings/advisor');
      await work();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Done. Saved.').waitFor();
    };
    await change(async () => {
      await page.getByLabel('Pin actions to commits').check();
      await page.getByLabel('Pull requests can be opened from this service').uncheck();
    });
    expect(await page.getByLabel('Pin actions to commits').isChecked()).toBe(true);
    await page.goto(list);
    expect(await said(page)).not.toContain('Pin actions to commits');
    await page.getByLabel(/^Include Grant the least permissions/).check();
    await page.getByRole('button', { name: 'Preview pull request' }).click();
    await page.getByText('an administrator turned them off').waitFor();
    await change(() => page.getByLabel(/^Repositories/).fill('octo/web\n'));
    expect(await page.getByLabel(/^Repositories/).inputValue()).toBe('octo/web');
    await page.goto(list);
    expect(await said(page)).toContain('CI recommendations are made for other repositories.');
    await change(() => page.getByLabel(/^Repositories/).fill(''));
    await change(() => page.getByLabel('Recommend changes of workflow files').uncheck());
    await page.goto(list);
    expect(await said(page)).toContain('An administrator can turn them on at /settings/advisor.');
    await change(async () => {
      await page.getByLabel('Recommend changes of workflow files').check();
      await page.getByLabel('Pin actions to commits').uncheck();
      await page.getByLabel('Pull requests can be opened from this service').check();
    });
    await context.close();
  });
});

test('the page is drawn within a narrow screen and a wide one', async () => {
  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false });
  await site.signInBrowser(context);
  const page = await context.newPage();
  expect(await misdrawn(page, ['/settings/advisor'])).toEqual([]);
  await context.close();
});
