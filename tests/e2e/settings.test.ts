import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, press, said, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;
let ann = '';

beforeAll(async () => {
  const env = { MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0', ACCESS_ENFORCEMENT: 'off' };
  [site, browser] = await Promise.all([startSite(env), sharedBrowser()]);
  ann = await site.signIn('token-ann');
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

/** An administrator at a browser without scripts. */
const withAnn = (work: (page: Page) => Promise<void>) => withoutScripts({ site, browser, token: 'token-ann' }, work);

const settings = async (path: string) => JSON.parse((await site.visit(path, { cookie: ann })).text);

describe('settings', () => {
  test('of the workday are previewed, rejected beside the field, and saved', () =>
    withAnn(async (page) => {
      await page.goto('/settings/team');
      expect(await said(page)).toContain('Friday 20:30 after hours');
      expect(await said(page)).toContain('Friday 19:00 after hours');
      await page.getByLabel('Workday end').fill('22');
      expect(await press(page, 'Team workday', 'Preview')).toBe(303);
      expect(await said(page)).toContain('Not saved.');
      expect(await said(page)).toContain('Friday 20:30 workday');
      expect((await settings('/api/settings/team')).end).toBe(19);
      await page.getByLabel('Time zone').fill('Mars/Base');
      expect(await press(page, 'Team workday', 'Save')).toBe(400);
      expect(await page.getByLabel('Time zone').getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByLabel('Time zone').inputValue()).toBe('Mars/Base');
      expect(await page.getByLabel('Workday end').inputValue()).toBe('22');
      await page.getByLabel('Time zone').fill('Europe/Berlin');
      expect(await press(page, 'Team workday', 'Save')).toBe(303);
      expect(await said(page)).toMatch(/Done\. Saved\..*Saved by ann just now.*Times in Europe\/Berlin\./);
      expect(await settings('/api/settings/team')).toMatchObject({ timezone: 'Europe/Berlin', start: 8, end: 22 });
    }));

  test('of working habits are rejected beside the field, and saved', () =>
    withAnn(async (page) => {
      await page.goto('/settings/working-habits');
      const files = page.getByLabel('Files per commit');
      const csrf = await page.locator('input[name=csrf]').first().inputValue();
      const form = { csrf, files_per_commit: '0', lines_per_commit: '1.5', commits_per_pr: 'many' };
      const response = await site.visit('/settings/working-habits', { cookie: ann, form });
      expect([response.status, response.text.match(/class="field-error"/g)?.length]).toEqual([400, 3]);
      for (const typed of ['value="0"', 'value="1.5"']) expect(response.text).toContain(typed);
      await files.fill('30');
      expect(await press(page, 'Thresholds', 'Save')).toBe(303);
      expect(await said(page)).toContain('a commit with more than 30 files or 400 lines');
      expect(await settings('/api/settings/working-habits')).toMatchObject({ files_per_commit: 30, updated_by: 'ann' });
    }));

  test('say who is signed in and how the service is set up, and sign out', () =>
    withAnn(async (page) => {
      await page.goto('/settings');
      const labels = await said(page);
      expect(labels).toMatch(/Signed in as ann \(Ann Ngô\) Mode organization.*Groups admin/);
      expect(labels).toMatch(/Who may sign in anyone.*Features not enforced/);
      const { text } = await site.visit('/settings', { cookie: await site.signIn('token-bo') });
      expect(text).toContain('Signed in as');
      expect(text).not.toContain('Installation');
      expect(text).not.toContain('href="/settings/team"');
    }));
});

test('while features are not enforced, everything opens but administration, and the matrix says so', () =>
  withAnn(async (page) => {
    const cookie = await site.signIn('token-bo');
    const { text, ...cost } = await site.visit('/cost', { cookie });
    expect([cost.status, text]).toEqual([200, expect.stringContaining('href="/reports"')]);
    expect((await site.visit('/admin/users', { cookie })).status).toBe(403);
    expect(text).not.toContain('href="/admin/users"');
    await page.goto('/admin/permissions');
    expect(await said(page)).toContain('Not enforced. Denied access is logged but not blocked.');
  }));

test('every page is whole, and as wide as its window', () =>
  withAnn(async (page) => {
    expect(await misdrawn(page, ['/settings', '/settings/team', '/settings/working-habits'])).toEqual([]);
  }));
