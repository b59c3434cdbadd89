import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), sharedBrowser()]);
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

const facts = 'metric=duration&valueMs=600000&expectedMs=60000&sample=30&runNumber=5010&runId=5010&branch=%40team%60x';
const issues = () => site.double.world.repositories.find(({ facts: { repo } }) => repo === 'web')?.issues ?? [];
const filed = (title: string) => issues().filter((one) => one.title === title);
const fields = (page: Page) => ({
  title: page.getByLabel('Title'),
  text: page.getByRole('textbox', { name: /^Text/ }),
});
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe.each([
  { way: 'with scripts', scripts: true, address: '10.0.6.1' },
  { way: 'without scripts', scripts: false, address: '10.0.6.2' },
])('an issue $way', ({ scripts, address }) => {
  const opened = async (query = '') => {
    const headers = { 'x-forwarded-for': address };
    const context = await browser.newContext({ javaScriptEnabled: scripts, extraHTTPHeaders: headers });
    await site.signInBrowser(context);
    const page = await context.newPage();
    await page.goto(`${site.url}/repos/octo/web/issues/new?${query}`);
    return page;
  };

  test('is written in advance, looked at, changed and sent', async () => {
    const page = await opened(facts);
    const { title, text } = fields(page);
    expect(await title.inputValue()).toBe('Unusual duration: 10 min instead of 1 min in run 5010');
    const draft = await text.inputValue();
    expect(draft).toContain('[run 5010](https://github.com/octo/web/actions/runs/5010)');
    expect(draft).toContain('Expected: 1 min, the median of 30 earlier runs');
    expect(draft).toContain('Branch: `@team x`');
    const own = `Slow checks ${way(scripts)}`;
    await title.fill(own);
    await text.fill('<b>Since</b> Monday.\nSee <img src=x onerror=alert(1)>.');
    await button(page, 'Preview').click();
    await page.getByText('Not sent yet').waitFor();
    expect(await page.locator('pre').textContent()).toContain('<b>Since</b> Monday.\n');
    expect(filed(own)).toEqual([]);
    await button(page, 'File issue').click();
    await page.getByText('Filed.').waitFor();
    const [issue] = filed(own);
    const href = await page.getByRole('link', { name: `Open issue ${issue?.number}` }).getAttribute('href');
    expect(href).toBe(`https://codehost.example/octo/web/issues/${issue?.number}`);
    expect(issue?.body).toMatch(/^<b>Since<\/b> Monday\./);
    await page.context().close();
  });

  test('of a button pressed twice is one', async () => {
    const page = await opened();
    const own = `Pressed twice ${way(scripts)}`;
    await fields(page).title.fill(own);
    await button(page, 'File issue').dblclick();
    const done = page.getByText('Filed.');
    await expect
      .poll(async () => {
        // The answer to the first press may take the button away at any time.
        const again = () => button(page, 'File issue').click({ timeout: 500 });
        if (await page.getByText('being filed at the moment').count()) await again().catch(() => undefined);
        return done.count();
      })
      .toBe(1);
    expect(filed(own)).toHaveLength(1);
    await page.context().close();
  });

  test('that is rejected stays as it was typed, with the reason', async () => {
    site.double.fault({ method: 'POST', path: '/repos/octo/web/issues' }, { kind: 'status', status: 410 });
    const page = await opened();
    const { title, text } = fields(page);
    await title.fill('Refused');
    await text.fill('Kept');
    await button(page, 'File issue').click();
    await page.getByText('has its issues switched off').waitFor();
    expect([await title.inputValue(), await text.inputValue()]).toEqual(['Refused', 'Kept']);
    await title.fill('a'.repeat(257));
    await button(page, 'File issue').click();
    await page.getByText('title is longer than 256 characters').first().waitFor();
    expect(filed('Refused')).toEqual([]);
    await page.context().close();
  });
});

const way = (scripts: boolean) => (scripts ? 'by script' : 'plainly');

test('the form is for who is signed in, and not in the demo', async () => {
  const cookie = await site.signIn();
  const visited = await site.visit('/repos/octo/web/issues/new', { cookie });
  expect(visited.text).toContain('name="idempotency_key"');
  const demo = await site.visit('/demo/repos/lumen-harbor/beacon-api/issues/new');
  expect(demo.text).not.toContain('<textarea');
  expect((await site.visit('/repos/octo/web/issues/new')).location).toMatch(/^\/setup\?/);
});
