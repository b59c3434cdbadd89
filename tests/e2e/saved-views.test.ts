import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

const name = '<b>Slow</b> & "week"';

describe.each([
  ['with a database, with scripts', {}, true],
  ['with a database, without scripts', {}, false],
  ['without a database', { DATABASE_URL: '' }, false],
] as const)('%s', (_, env, javaScriptEnabled) => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [site, browser] = await Promise.all([startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0', ...env }), sharedBrowser()]);
    const context = await browser.newContext({ javaScriptEnabled });
    await site.signInBrowser(context);
    page = await context.newPage();
  });
  afterAll(async () => {
    await closeContexts(browser);
    await site?.stop();
  });

  const rail = () => page.getByRole('region', { name: 'Saved views' });

  test('a page is saved under a name, which stands in the rail as it was written', async () => {
    await page.goto(`${site.url}/repositories?q=web&org=octo`);
    await rail().getByText('Save this view').click();
    await rail().getByLabel('Name of the view').fill(name);
    await rail().getByRole('button', { name: 'Save' }).click();
    await rail().getByRole('link', { name, exact: true }).waitFor();
    expect(page.url()).toBe(`${site.url}/repositories?q=web&org=octo`);
    expect(await rail().getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
    expect(await rail().locator('b').count()).toBe(0);
    await page.goto(`${site.url}/settings`);
    expect(await rail().getByText('Save this view').count()).toBe(0);
    await rail().getByRole('link', { name }).click();
    await page.waitForURL(`${site.url}/repositories?q=web&org=octo`);
  });

  test('a name that is taken is rejected with what was typed, and another one does', async () => {
    await page.goto(`${site.url}/repositories`);
    await rail().getByText('Save this view').click();
    await rail().getByLabel('Name of the view').fill(name);
    await rail().getByRole('button', { name: 'Save' }).click();
    const form = page.getByRole('region', { name: 'Save view' });
    await form.getByText('You have a view of this name.').waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe(name);
    await form.getByLabel('Name').fill('All');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(`${site.url}/repositories`);
    expect(await rail().getByRole('listitem').count()).toBe(2);
  });

  test('views are found by search, renamed and deleted', async () => {
    await page.goto(`${site.url}/search?q=slow`);
    await page.getByRole('main').getByRole('region', { name: 'Saved views' }).getByRole('link', { name }).waitFor();
    await page.goto(`${site.url}/views`);
    const item = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Slow' });
    await item.getByText('Edit').click();
    await item.getByRole('textbox', { name: 'Name' }).fill('Web');
    await item.getByRole('button', { name: 'Rename' }).click();
    await rail().getByRole('link', { name: 'Web' }).waitFor();
    const renamed = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Web' });
    await renamed.getByText('Edit').click();
    await renamed.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => rail().getByRole('link', { name: 'Web' }).count()).toBe(0);
    expect(await rail().getByRole('listitem').count()).toBe(1);
  });
});

test('a form of another session saves nothing, and no address of another site is saved', async () => {
  const site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  const cookie = await site.signIn();
  const { text } = await site.visit('/docs', { cookie });
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const save = (form: Record<string, string>) =>
    site.visit('/views', { cookie, form: { intent: 'save', name: 'x', address: '/ci', ...form } });
  expect((await save({ csrf: 'other' })).status).toBe(403);
  const foreign = await save({ csrf, address: '//evil.example' });
  expect([foreign.status, foreign.location]).toEqual([400, '']);
  expect((await site.visit('/views', { cookie })).text).toContain('No saved views yet');
  expect((await site.visit('/demo', {})).text).not.toContain('Save this view');
  await site.stop();
});
