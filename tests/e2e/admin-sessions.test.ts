import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, press, said, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';

const path = '/admin/sessions';
let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterAll(() => closeContexts(browser));

/** A site of a mode, and ann at a browser without scripts. */
function visited(env: Record<string, string>) {
  const visit = {
    site: null as unknown as Site,
    withAnn: (work: (page: Page) => Promise<void>) =>
      withoutScripts({ site: visit.site, browser, token: 'token-ann' }, work),
    getOwnStatus: async (cookie: string) => (await visit.site.visit('/api/auth/me', { cookie })).status,
    getPath: (page: Page) => page.url().slice(visit.site.url.length),
  };
  beforeAll(async () => {
    visit.site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0', ...env });
  });
  afterAll(() => visit.site?.stop());
  return visit;
}

describe('sessions of an organization', () => {
  const visit = visited({ MODE: 'organization' });

  test('are seen of everybody, and ended one at a time or all of an account', () =>
    visit.withAnn(async (page) => {
      const bo = await visit.site.signIn('token-bo');
      await page.goto(path);
      expect(await said(page)).toMatch(/ann .*\(this one\).*1–2 of 2 sessions/);
      await page.getByLabel('Login', { exact: true }).fill('BO');
      await page.getByRole('button', { name: 'Apply' }).click();
      expect(visit.getPath(page)).toBe(`${path}?q=BO`);
      expect(await said(page)).toContain('1 of 1 sessions');
      expect(await visit.getOwnStatus(bo)).toBe(200);
      expect(await press(page, 'Sign bo out of node', 'Sign out')).toBe(303);
      expect(visit.getPath(page)).toBe(`${path}?q=BO&ended=bo%2Cthere`);
      expect(await said(page)).toMatch(/Done. bo is signed out there.*No sessions match this filter./);
      expect(await visit.getOwnStatus(bo)).toBe(401);
      await page.goto(`${path}?ended=carl%2Ceverywhere`);
      expect(await said(page)).not.toMatch(/Done\.|carl is signed out/);
      const everywhere = page.getByRole('form', { name: 'Sign a user out everywhere' });
      await everywhere.getByLabel('User').fill('bo');
      expect(await press(page, 'Sign a user out everywhere', 'End all sessions')).toBe(404);
      expect(await everywhere.innerText()).toContain('bo is not signed in.');
      expect(await everywhere.getByLabel('User').inputValue()).toBe('bo');
      await page.goto('/admin/audit?action=session.revoked');
      expect(await said(page)).toMatch(/Session ended .* ended by administrator bo ended: 1 codehost_id: \d+ ann/);
    }));

  test('are whole, and as wide as their window', () =>
    visit.withAnn(async (page) => {
      expect(await misdrawn(page, [path, `${path}?q=nobody`, `${path}?ended=bo,there`])).toEqual([]);
      await page.goto(path);
      const rail = page.getByRole('link', { name: 'Sessions', exact: true });
      expect(await rail.getAttribute('aria-current')).toBe('page');
    }));

  test('of one’s own end with signing in again', () =>
    visit.withAnn(async (page) => {
      await page.goto(path);
      await page.getByRole('form', { name: 'Sign a user out everywhere' }).getByLabel('User').fill('ann');
      expect(await press(page, 'Sign a user out everywhere', 'End all sessions')).toBe(303);
      expect(visit.getPath(page)).toMatch(/^\/login\?/);
    }));
});
