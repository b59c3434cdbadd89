import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advised, workflowText } from '../reports/advisor/advised-world.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';
import { getText } from './visited-site.ts';

/** The site follows the date, and refuses a day that has passed. */
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), sharedBrowser()]);
  const files = new Map([['.github/workflows/ci.yml', workflowText]]);
  site.double.addRepository({ name: 'octo/advised', facts: advised, files });
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

const list = '/repos/octo/advised/advisor';

describe.each([
  { way: 'with scripts', scripts: true, address: '10.0.7.1' },
  { way: 'without scripts', scripts: false, address: '10.0.7.2' },
])('a recommendation $way', ({ scripts, address }) => {
  const opened = async () => {
    const headers = { 'x-forwarded-for': address };
    const context = await browser.newContext({ javaScriptEnabled: scripts, extraHTTPHeaders: headers });
    await site.signInBrowser(context);
    const page = await context.newPage();
    await page.goto(`${site.url}${list}`);
    return page;
  };

  test('is dismissed with a reason, listed apart, and restored', async () => {
    const page = await opened();
    const security = page.getByRole('table', { name: 'Security' });
    const [title = ''] = await security.getByRole('link').allTextContents();
    await security.getByRole('link', { name: title }).first().click();
    await page.getByText('Dismiss this recommendation').click();
    await page.getByLabel('Reason').selectOption({ label: 'Not now' });
    await page.getByLabel('Note').fill('<b>After</b> the release');
    const dismiss = page.getByRole('button', { name: 'Dismiss', exact: true });
    await dismiss.click();
    await page.getByText('until is missing').waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('<b>After</b> the release');
    await page.getByLabel('Until').fill(tomorrow());
    await dismiss.click();
    await page.getByText('Recommendation dismissed.').waitFor();
    await page.getByText('Dismissed (1)').click();
    const row = page.getByRole('row').filter({ hasText: '<b>After</b> the release' });
    expect(await row.textContent()).toContain(title);
    expect(await row.textContent()).toContain('Not now<b>After</b> the release');
    await row.getByRole('link', { name: title }).click();
    await page.getByText('By ann on').waitFor();
    await page.goBack();
    await page.getByText('Dismissed (1)').click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Recommendation restored.').waitFor();
    expect(await page.getByText('Dismissed (').count()).toBe(0);
    await page.context().close();
  });
});

test('the demo shows what changes save, and all together', async () => {
  const { text } = await site.visit('/demo/repos/lumen-harbor/pilot-mobile/advisor');
  const words = getText(text);
  expect(words).toMatch(
    /\d of \d changes together: \d+–\d+ % fewer minutes in the repository \(80 % range\), [\d,]+–[\d,]+ min in 28 days, ≈ \$\d/,
  );
  expect(words).toMatch(/Run once per change, not twice app-tests\.yml, line 2 .{0,120}% fewer minutes/);
  expect(words).toMatch(/Cancel superseded runs app-tests\.yml, line 2 .{0,120}% fewer minutes/);
  expect(words).toMatch(/Set a time limit app-tests\.yml, .{0,200}No saving certain, up to \d+ %/);
});

test('nothing is dismissed in the demo, nor by a form of another site', async () => {
  const demo = await site.visit('/demo/repos/lumen-harbor/harbor-gateway/advisor/3a22f88c7c47f6aa');
  expect(demo.text).not.toContain('Dismiss');
  const cookie = await site.signIn();
  const form = { intent: 'dismiss', reason: 'wrong', csrf: 'x' };
  const { status } = await site.visit(`${list}/3309adfd81a96b28`, { cookie, form });
  expect(status).toBe(403);
});
