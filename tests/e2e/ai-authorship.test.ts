import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, said } from '../support/form-page.ts';
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

const path = '/org/octo/ai-authorship';

describe.each([
  { way: 'with scripts', scripts: true, address: '10.0.8.31' },
  { way: 'without scripts', scripts: false, address: '10.0.8.32' },
])('AI-authored pull requests $way', ({ scripts, address }) => {
  test('are switched on in the settings, with an agent of one’s own, and off again', async () => {
    const context = await browser.newContext({
      baseURL: site.url,
      javaScriptEnabled: scripts,
      extraHTTPHeaders: { 'x-forwarded-for': address },
    });
    await site.signInBrowser(context);
    const page = await context.newPage();
    await page.goto(path);
    expect(await said(page)).toContain('until an administrator switches it on');
    const change = async (work: () => Promise<void>, result: string) => {
      await page.goto('/settings/ai-authorship');
      await work();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(result).waitFor();
    };
    await change(async () => {
      await page.getByLabel('Look for marks of AI agents').check();
      await page.getByLabel(/^Own agents/).fill('Robot | robot | robot[bot] | author');
    }, 'is recognized by none of account');
    expect(await page.getByLabel(/^Own agents/).inputValue(), 'what was typed stays').toContain('Robot | robot');
    await change(async () => {
      await page.getByLabel('Look for marks of AI agents').check();
      await page.getByLabel(/^Own agents/).fill('Robot | account | robot[bot] | author | 2026-01-01 |');
    }, 'Done. Saved.');
    expect(await page.getByLabel(/^Own agents/).inputValue()).toContain(
      'Robot | account | robot[bot] | author | 2026-01-01',
    );
    await page.goto(path);
    const text = await said(page);
    expect(text).toContain('No pull request was read for marks yet.');
    expect(text).toContain('No mark does not mean written by a person.');
    await change(async () => {
      await page.getByLabel('Look for marks of AI agents').uncheck();
      await page.getByLabel(/^Own agents/).fill('');
    }, 'Done. Saved.');
    await page.goto(path);
    expect(await said(page)).toContain('until an administrator switches it on');
    await context.close();
  });
});

test('the demo answers first, and shows a rising share with the sentence beside it', async () => {
  const response = await fetch(`${site.url}/demo${path.replace('octo', 'lumen-harbor')}`);
  const html = await response.text();
  expect(html).toMatch(/At least\s*(<!-- -->)?1\d\s%/);
  expect(html).toContain('Agent-authored, by agent');
  const trend = await fetch(`${site.url}/demo/api/ai-authorship/trend?org=lumen-harbor`);
  const { months } = (await trend.json()) as { months: { shares: Record<string, number | null> }[] };
  const marked = months.map(({ shares }) => (shares.agent_authored ?? Number.NaN) + (shares.ai_assisted ?? Number.NaN));
  expect(marked[0]).toBeGreaterThanOrEqual(5);
  expect(marked[0]).toBeLessThanOrEqual(8);
  expect(marked.at(-1)).toBeGreaterThanOrEqual(17);
  expect(marked.at(-1)).toBeLessThanOrEqual(21);
});

test('no label claims what a mark cannot say', async () => {
  const html = await (await fetch(`${site.url}/demo${path.replace('octo', 'lumen-harbor')}`)).text();
  const labels = html.replace(/<style.*?<\/style>|<script.*?<\/script>/gs, '').replace(/<[^>]*>/g, ' ');
  for (const word of ['human', 'productivity', 'saved'])
    expect(labels.toLowerCase(), word).not.toMatch(new RegExp(`\\b${word}\\b`));
});

test.each([true, false])('the demo compares marked ones with others like them, scripts %s', async (scripts) => {
  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: scripts });
  const page = await context.newPage();
  await page.goto(`/demo${path.replace('octo', 'lumen-harbor')}`);
  const rounds = page.getByRole('row', { name: /Review rounds/ }).first();
  await rounds.waitFor();
  expect(await rounds.innerText()).toContain('Higher: in one repository');
  expect(
    await page
      .getByRole('row', { name: /Merged within 30 days/ })
      .first()
      .innerText(),
  ).toContain('No difference shown');
  await page.getByText('Why so cautious').click();
  await page.getByText('at most 0.1 is even').waitFor();
  await page.goto(`/demo${path.replace('octo', 'lumen-harbor')}?class=ai_assisted`);
  await page.getByText('Nothing to compare yet').waitFor();
  await context.close();
});

test('what is printed is the answer for leaders, with the sentence beside the share', async () => {
  const context = await browser.newContext({ baseURL: site.url, viewport: { width: 718, height: 1046 } });
  const page = await context.newPage();
  await page.goto(`/demo${path.replace('octo', 'lumen-harbor')}`);
  await page
    .getByRole('row', { name: /Review rounds/ })
    .first()
    .waitFor();
  await page.emulateMedia({ media: 'print' });
  const shown = await page.locator('main').innerText();
  expect(shown).toContain('No mark does not mean written by a person. Marked shares are lower bounds.');
  expect(shown).toContain('Review rounds');
  expect(shown).not.toContain('How marks are found');
  await context.close();
});

test('pages fit a phone and a wide screen', async () => {
  // To a browser that runs scripts the parts of a page may come one after the other, by scripts.
  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false });
  await site.signInBrowser(context);
  const page = await context.newPage();
  expect(await misdrawn(page, ['/settings/ai-authorship', '/demo/org/lumen-harbor/ai-authorship', path])).toEqual([]);
  await context.close();
});
