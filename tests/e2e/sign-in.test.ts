import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  const env = { MODE: 'organization', SERVICE_ALLOWED_ORGS: 'octo', RATE_LIMIT_SESSION_PER_MINUTE: '0' };
  [site, browser] = await Promise.all([startSite(env), sharedBrowser()]);
  const { accounts, tokens } = site.double.world;
  for (const account of accounts) account.memberOf = ['octo'];
  for (const token of tokens) token.scopes = ['read:user', 'read:org', 'repo'];
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

let visitors = 0;

/** A browser without scripts, from an address of its own; the platform's page asks nobody. */
async function withBrowser(work: (page: Page) => Promise<void>, userAgent?: string): Promise<void> {
  visitors += 1;
  const extraHTTPHeaders = { 'x-forwarded-for': `10.9.0.${visitors}` };
  const context = await browser.newContext({
    javaScriptEnabled: false,
    extraHTTPHeaders,
    ...(userAgent && { userAgent }),
  });
  try {
    const page = await context.newPage();
    await work(page);
  } finally {
    await context.close();
  }
}

const getPath = (page: Page) => page.url().slice(site.url.length);
const getText = (page: Page) => page.locator('main').textContent();

async function enter(page: Page, login: string, path = '/login') {
  site.double.consent({ login });
  await page.goto(`${site.url}${path}`);
  await page.getByRole('button', { name: /^Sign in with / }).click();
}

describe('signing in without scripts', () => {
  test('leads to the platform and back to the page that was wanted', async () => {
    await withBrowser(async (page) => {
      await page.goto(`${site.url}/repos/octo/web?days=30`);
      expect(getPath(page)).toBe('/login?return_to=%2Frepos%2Focto%2Fweb%3Fdays%3D30');
      expect(await getText(page)).toContain('read:org');
      site.double.consent({ login: 'ann' });
      await page.getByRole('button', { name: /^Sign in with / }).click();
      expect(getPath(page)).toBe('/repos/octo/web?days=30');
      for (const path of ['/login', '/setup']) {
        await page.goto(`${site.url}${path}`);
        expect(getPath(page)).toBe('/');
      }
      await page.goto(`${site.url}/login?return_to=${encodeURIComponent('//evil.example')}`);
      expect(getPath(page)).toBe('/');
      await page.goto(`${site.url}/login?return_to=%2Fdocs`);
      expect(getPath(page)).toBe('/docs');
    });
  });

  test('says no on the platform, and can begin again', async () => {
    await withBrowser(async (page) => {
      site.double.consent({ login: 'ann', denied: true });
      await page.goto(`${site.url}/login`);
      await page.getByRole('button', { name: /^Sign in with / }).click();
      expect(getPath(page)).toBe('/login?error=access_denied');
      expect(await page.getByRole('alert').textContent()).toContain('You did not authorize');
      await enter(page, 'ann');
      expect(getPath(page)).toBe('/');
    });
  });

  test('of somebody who does not belong here reports why, and no organization', async () => {
    site.double.world.accounts.push({ id: 901, login: 'stranger', name: null, email: null, memberOf: [] });
    await withBrowser(async (page) => {
      await enter(page, 'stranger');
      expect(getPath(page)).toBe('/login?error=org_not_allowed');
      expect(await page.getByRole('alert').textContent()).toContain('not an active member');
      expect(await page.content()).not.toContain('octo');
    });
  });

  test.each([
    ['state_mismatch', 'This sign-in was not started in this browser'],
    ['state_expired', 'five minutes'],
    ['token_exchange', 'could not be completed'],
    ['missing_scope', 'read:org was not granted'],
    ['server', 'Something went wrong'],
    ['authz_unavailable', 'membership could not be checked'],
    ['rate_limited', 'Too many attempts'],
    ['toString', 'Something went wrong'],
    ['<script>alert(1)</script>', 'Something went wrong'],
  ])('reports %s in words', async (code, labels) => {
    const { status, text } = await site.visit(`/login?error=${encodeURIComponent(code)}`);
    expect(status).toBe(200);
    expect(text).toContain(labels);
    expect(text).not.toContain('<script');
  });

  test('is the same page while the platform is away', async () => {
    const cookie = await site.signIn('token-bo');
    site.double.fault({ times: 50 }, { kind: 'status', status: 500 });
    const visitor = await site.visit('/login');
    expect([visitor.status, visitor.text.includes('Sign in with ')]).toEqual([200, true]);
    expect((await site.visit('/docs', { cookie })).status).toBe(200);
    site.double.reset();
  });
});

describe('somebody in no group', () => {
  test('reads who they are and who can help, and can sign out', async () => {
    await withBrowser(async (page) => {
      await enter(page, 'bo', '/login?return_to=%2Freports');
      expect(getPath(page)).toBe('/no-access');
      const labels = await getText(page);
      expect(labels).toContain('You are signed in as bo, but not in any group yet');
      expect(labels).toContain('Your login: bo');
      expect(labels).not.toContain('ann');
      await page.locator('main').getByRole('button', { name: 'Sign out' }).click();
      expect(getPath(page)).toBe('/login');
      await page.goto(`${site.url}/no-access`);
      expect(getPath(page)).toBe('/login?return_to=%2Fno-access');
    });
  });

  test('who is in one reads the names of administrators instead', async () => {
    const { text } = await site.visit('/no-access', { cookie: await site.signIn('token-ann') });
    expect(text.replaceAll('<!-- -->', '')).toContain('Administrators: ann.');
    expect(text).toContain('Go to the repositories');
  });
});

describe('sessions', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1';

  test('are listed in words; another ends alone, then all others, and this one by signing out', async () => {
    await withBrowser(async (page) => {
      await enter(page, 'bo');
      const other = { page: null as Page | null };
      await withBrowser(async (elsewhere) => {
        other.page = elsewhere;
        await enter(elsewhere, 'bo');
        await page.goto(`${site.url}/settings/session`);
        const row = page.getByRole('row', { name: /Safari on iPhone/ });
        expect(await row.count()).toBe(1);
        expect(await page.getByRole('row', { name: /Firefox on Linux \(this one\)/ }).count()).toBe(1);
        await row.getByRole('button', { name: 'Sign out' }).click();
        expect(getPath(page)).toBe('/settings/session?ended=yes');
        expect(await page.getByRole('status').textContent()).toContain('Session ended');
        expect(await page.getByRole('row', { name: /Safari on iPhone/ }).count()).toBe(0);
        await elsewhere.goto(`${site.url}/settings/session`);
        expect(getPath(elsewhere)).toContain('/login?return_to=');
        await enter(elsewhere, 'bo');
        await page.goto(`${site.url}/settings/session`);
        await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
        expect(await getText(page)).toContain('No other sessions');
        await elsewhere.goto(`${site.url}/no-access`);
        expect(getPath(elsewhere)).toContain('/login');
      }, phone);
      await page
        .getByRole('row', { name: /this one/ })
        .getByRole('button', { name: 'Sign out' })
        .click();
      expect(getPath(page)).toBe('/login');
    }, firefox);
  });

  test('are ended by no foreign form', async () => {
    const cookie = await site.signIn('token-ann');
    const { text } = await site.visit('/settings/session', { cookie });
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const form = { intent: 'others', others: 'true' };
    const foreign = { origin: 'https://evil.example' };
    for (const visit of [
      { cookie, form: { ...form, csrf }, headers: foreign },
      { cookie, form },
    ])
      expect((await site.visit('/settings/session', visit)).status).toBe(403);
    const unknown = await site.visit('/settings/session', {
      cookie,
      form: { intent: 'one', id: 'A'.repeat(43), csrf },
    });
    expect([unknown.status, unknown.text.includes('You have no such session.')]).toEqual([404, true]);
  });
});
