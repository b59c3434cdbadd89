import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, press, said, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';

const path = '/settings/shares';
let browser: Browser;
let site: Site;
beforeAll(async () => {
  browser = await sharedBrowser();
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  await synchronize(site, await site.signIn('token-ann'), { owner: 'octo', repo: 'web' });
});
afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

const withAnn = (visit: (page: Page) => Promise<void>) => withoutScripts({ site, browser, token: 'token-ann' }, visit);

/** The address in the line that is shown once. */
const shownUrl = async (page: Page) => /\((https?:\S+)\)/.exec(await page.locator('output').innerText())?.[1] ?? '';

/** Makes a badge on a page of a repository. */
async function createBadge(page: Page, at: string, shows: string): Promise<string> {
  await page.goto(at);
  await page.getByText('Copy badge').click();
  await page.getByLabel('Shows').selectOption({ label: shows });
  await Promise.all([page.waitForURL(`**${path}`), page.getByRole('button', { name: 'Create badge' }).click()]);
  return shownUrl(page);
}

test('a badge is copied from a page, shown to everybody, listed and revoked without scripts', () =>
  withAnn(async (page) => {
    for (const [at, shows, kind] of [
      ['/repos/octo/web', 'Lead time', 'lead-time'],
      ['/repos/octo/web/workflows', 'Success rate', 'success-rate'],
      ['/repos/octo/web/workflows/7001', 'Latest result', 'workflow'],
    ] as const) {
      const url = await createBadge(page, at, shows);
      expect(url).toContain(`/api/badges/${kind}.svg?owner=octo&repo=web`);
      expect(await page.locator('main img').evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(20);
      const shown = await fetch(url);
      expect([shown.status, shown.headers.get('set-cookie')]).toEqual([200, null]);
      await page.goto(path);
      expect(await page.content()).not.toContain('dasb_');
    }
    expect(await misdrawn(page, [path, '/docs/open/badges'])).toEqual([]);
    await page.goto(path);
    expect(await press(page, 'Revoke Lead time, octo/web', 'Revoke')).toBe(303);
    expect(await said(page)).toMatch(/Revoked\..*Lead time, octo\/web ann Revoked/s);
  }));

test('the examples of the documentation do what they say', () =>
  withAnn(async (page) => {
    const url = await createBadge(page, '/repos/octo/web', 'Lead time');
    const text = readFileSync('app/routes/docs/content/open/badges.md', 'utf8');
    const scripts = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script]) => script ?? '');
    expect(scripts).toHaveLength(1);
    const script = (scripts[0] ?? '').replaceAll('owner=acme&repo=shop', 'owner=octo&repo=web');
    const env = { PATH: process.env.PATH, APP_URL: site.url, DAS_BADGE: new URL(url).searchParams.get('t') ?? '' };
    expect((await promisify(execFile)('bash', ['-c', script], { env })).stdout).toMatch(/^<svg .*Lead time.*<\/svg>$/);
    const example = /```md\n!\[[^\]]*\]\((.*?)\)/.exec(text)?.[1] ?? '';
    const [made, written] = [new URL(url), new URL(example)];
    expect(written.pathname).toBe(made.pathname);
    expect([...written.searchParams.keys()]).toEqual([...made.searchParams.keys()]);
  }));

test('who may make badges is a setting, and off stops those that exist', () =>
  withAnn(async (page) => {
    const url = await createBadge(page, '/repos/octo/web', 'Lead time');
    await page.goto('/settings/sharing');
    await page.getByLabel('Who may make badges and links').selectOption('off');
    await page.getByLabel('Badges of public repositories need no token').check();
    expect(await press(page, 'Sharing', 'Save')).toBe(303);
    expect(await said(page)).toContain('Saved.');
    expect((await fetch(url)).status).toBe(404);
    await page.goto('/repos/octo/web');
    expect(await page.getByText('Copy badge').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Create badge' }).count()).toBe(0);
    expect(await page.content()).toContain('/api/badges/lead-time.svg?owner=octo');
    expect(await misdrawn(page, ['/settings/sharing'])).toEqual([]);
    await page.goto('/settings/sharing');
    await page.getByLabel('Who may make badges and links').selectOption('members');
    await page.getByLabel('Badges of public repositories need no token').uncheck();
    expect(await press(page, 'Sharing', 'Save')).toBe(303);
    expect((await fetch(url)).status).toBe(200);
  }));

test('what was switched off meanwhile stays off where an older page is saved', () =>
  withAnn(async (page) => {
    await page.goto('/settings/sharing');
    const other = await page.context().newPage();
    await other.goto('/settings/sharing');
    await other.getByLabel('Who may make badges and links').selectOption('off');
    expect(await press(other, 'Sharing', 'Save')).toBe(303);
    await page.getByLabel('Badges of public repositories need no token').check();
    expect(await press(page, 'Sharing', 'Save')).toBe(409);
    expect(await page.getByRole('alert').innerText()).toContain('These settings changed since they were read.');
    expect(await page.getByLabel('Who may make badges and links').inputValue()).toBe('off');
    expect(await page.getByLabel('Badges of public repositories need no token').isChecked()).toBe(false);
    await page.getByLabel('Who may make badges and links').selectOption('members');
    expect(await press(page, 'Sharing', 'Save')).toBe(303);
  }));
