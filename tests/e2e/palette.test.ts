import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
});
afterAll(async () => {
  await closeContexts(await sharedBrowser());
  await site?.stop();
});

async function open(path: string, { javaScriptEnabled = true, token = '' } = {}): Promise<Page> {
  const context = await (await sharedBrowser()).newContext({ javaScriptEnabled });
  if (token) await site.signInBrowser(context, token);
  const page = await context.newPage();
  await page.goto(`${site.url}${path}`);
  return page;
}

const getInput = (page: Page) => page.getByRole('combobox', { name: 'Search' });
const getChosen = (page: Page) => page.locator('dialog [aria-selected="true"]');

describe('the palette', () => {
  test.each(['/', 'Control+k', 'Meta+k'])('opens by %s and closes by Escape, and the focus comes back', async (key) => {
    const page = await open('/demo');
    const link = page.getByRole('link', { name: '7 days' });
    await link.focus();
    await page.keyboard.press(key);
    const input = getInput(page);
    await expect.poll(() => input.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await input.getAttribute('aria-controls')).toBe(await page.getByRole('listbox').getAttribute('id'));
    await getChosen(page).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
    expect(await link.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  test('finds by name, goes through the results by arrows and opens one by Enter', async () => {
    const page = await open('/demo/ci?range=90');
    await page.keyboard.press('/');
    await page.keyboard.type('beacon');
    await page
      .getByRole('group', { name: 'Repositories' })
      .getByRole('option', { name: /beacon-api/ })
      .waitFor();
    expect(await getInput(page).getAttribute('aria-expanded')).toBe('true');
    await getInput(page).fill('ci');
    await page.getByRole('group', { name: 'Workflows' }).waitFor();
    const read = async () => [
      await getChosen(page).innerText(),
      (await getInput(page).getAttribute('aria-activedescendant')) === (await getChosen(page).getAttribute('id')),
    ];
    expect(await read()).toEqual(['CI', true]);
    await page.keyboard.press('ArrowDown');
    expect(await read()).toEqual(['Why is CI slow?', true]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect((await read())[0]).toContain('lumen-harbor/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/demo\/ci\?.*view=slow/);
    expect(new URL(page.url()).searchParams.get('range')).toBe('90');
  });

  test('finds the pages of what was looked at, and chapters of the documentation', async () => {
    const page = await open('/demo/repos/lumen-harbor/beacon-api?range=90');
    await page.keyboard.press('/');
    await page.keyboard.type('share');
    await page
      .getByRole('group', { name: 'Documentation' })
      .getByRole('option', { name: /^Share links/ })
      .waitFor();
    await getInput(page).fill('changes');
    await page
      .getByRole('group', { name: 'Pages of lumen-harbor/beacon-api' })
      .getByRole('option', { name: /^Changes/ })
      .waitFor();
    await getInput(page).fill('merge q');
    await page.getByRole('option', { name: /^Merge queues/ }).click();
    await page.waitForURL(/\/demo\/org\/lumen-harbor\/merge-queues\?range=90$/);
  });

  test('says how much was found, and opens what is clicked', async () => {
    const page = await open('/demo');
    await page.getByRole('link', { name: /^Search/ }).click();
    await page.keyboard.type('mira');
    await page.locator('dialog').getByRole('status').getByText('1 result').waitFor();
    await page.getByRole('option', { name: /mira-okafor/ }).click();
    await page.waitForURL(/\/demo\/contributor\/mira-okafor\?owner=lumen-harbor/);
  });

  test('stays away while somebody types elsewhere', async () => {
    const page = await open('/demo/repositories');
    await page.getByRole('searchbox', { name: 'Search' }).focus();
    await page.keyboard.type('a/?');
    expect(await page.locator('dialog').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await getInput(page).waitFor();
  });

  test('takes what it finds as text', async () => {
    const page = await open('/demo');
    await page.keyboard.press('/');
    await page.keyboard.type('<img src=x onerror=alert(1)>');
    await page.locator('dialog').getByRole('status').getByText('0 results').waitFor();
    expect(await page.locator('dialog img').count()).toBe(0);
  });

  test('? lists the keys', async () => {
    const page = await open('/demo');
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('Ctrl K or Cmd K').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => keys.count()).toBe(0);
  });

  test('names nothing that the reader may not see', async () => {
    const page = await open('/', { token: 'token-bo' });
    await page.keyboard.press('/');
    await page.keyboard.type('secret');
    await page.locator('dialog').getByRole('status').getByText('0 results').waitFor();
    const owner = await open('/', { token: 'token-ann' });
    await owner.keyboard.press('/');
    await owner.keyboard.type('secret');
    await owner.getByRole('option', { name: 'octo/secret' }).waitFor();
  });
});

/** A page of somebody of whom nothing is known yet, whose browser has shown that its scripts run. */
async function openWithScripts(token: string): Promise<Page> {
  const page = await open('/settings', { token });
  const hasCookie = async () => (await page.context().cookies()).some(({ name }) => name === 'das_scripts');
  await expect.poll(hasCookie).toBe(true);
  return page;
}

test('its page has heading and pages while GitHub lists no repository', async () => {
  const page = await openWithScripts('token-ann-two');
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  site.double.fault({ times: 1000 }, { kind: 'held', until });
  await page.goto(`${site.url}/search?q=re`, { waitUntil: 'commit' });
  await page.getByRole('region', { name: 'Pages' }).getByRole('link', { name: 'Repositories', exact: true }).waitFor();
  await page.getByText('Searching').waitFor();
  const found = page.getByRole('region', { name: 'Repositories' }).getByRole('link', { name: 'octo/renamed-now' });
  expect(await found.count()).toBe(0);
  site.double.reset();
  release();
  await found.waitFor();
  expect(await page.getByText('Searching').count()).toBe(0);
});

test('the palette finds what comes after its page', async () => {
  const page = await openWithScripts('token-ann-fine');
  site.double.fault({ times: 1000 }, { kind: 'latency', ms: 300 });
  await page.keyboard.press('/');
  await page.keyboard.type('octo/we');
  await page.getByRole('option', { name: 'octo/web' }).waitFor();
  await page.locator('dialog').getByRole('status').getByText('1 result').waitFor();
  site.double.reset();
});

test('without scripts the same is a page', async () => {
  const page = await open('/demo?range=7', { javaScriptEnabled: false });
  await page.getByRole('link', { name: /^Search/ }).click();
  await page.getByRole('searchbox', { name: 'Name' }).fill('harbor-gateway');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'lumen-harbor/harbor-gateway' }).click();
  await page.waitForURL(/\/demo\/repos\/lumen-harbor\/harbor-gateway\?range=7/);
});

describe('the scope switch', () => {
  const openSwitch = async (page: Page) => {
    await page.locator('.rail .scope summary').click();
    return page.getByRole('searchbox', { name: 'Find by name' });
  };

  test('takes a name, which the palette goes on with', async () => {
    const page = await open('/demo');
    const field = await openSwitch(page);
    const [ink, text] = await Promise.all(
      [field, page.locator('main')].map((one) => one.evaluate((element) => getComputedStyle(element).color)),
    );
    expect(ink, 'typed text is as dark as that of the page').toBe(text);
    await field.focus();
    await page.keyboard.type('harbor-gate');
    await page.getByRole('option', { name: 'lumen-harbor/harbor-gateway' }).waitFor();
    expect(await getInput(page).inputValue()).toBe('harbor-gate');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
  });

  test('looks a name up without scripts, and leads to the list of all', async () => {
    const page = await open('/demo?range=7', { javaScriptEnabled: false });
    await (await openSwitch(page)).fill('harbor-gateway');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: 'lumen-harbor/harbor-gateway' }).click();
    await page.waitForURL(/\/demo\/repos\/lumen-harbor\/harbor-gateway\?range=7/);
    await openSwitch(page);
    await page.getByRole('link', { name: 'All repositories' }).click();
    await page.waitForURL(/\/demo\/repositories\?range=7/);
  });

  test('says what the page is of, and chooses another scope in the same section', async () => {
    const page = await open('/demo/ci?repo=lumen-harbor%2Fbeacon-api&view=slow', { javaScriptEnabled: false });
    expect(await page.locator('.rail .scope summary').innerText()).toBe('lumen-harbor/beacon-api');
    await openSwitch(page);
    await page.locator('.rail .scope').getByRole('link', { name: 'lumen-harbor', exact: true }).click();
    await page.waitForURL(/\/demo\/ci\?view=slow&org=lumen-harbor$/);
    expect(await page.locator('.rail .scope summary').innerText()).toBe('lumen-harbor');
  });
});

test('pages to read and to sign in have the link and no script', async () => {
  const { text } = await site.visit('/docs', { cookie: await site.signIn() });
  expect(text).toContain('data-palette');
  expect(text).not.toContain('<script');
  expect((await site.visit('/setup', {})).text).not.toContain('data-palette');
});
