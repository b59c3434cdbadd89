import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCommit, anActor } from '../codehost-double/delivery-builders.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, press, said, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;
let ann = '';

beforeAll(async () => {
  const env = { MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' };
  [site, browser] = await Promise.all([startSite(env), sharedBrowser()]);
  ann = await site.signIn('token-ann');
  await site.signIn('token-bo');
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

/** An administrator at a browser without scripts. */
const withAnn = (work: (page: Page) => Promise<void>) => withoutScripts({ site, browser, token: 'token-ann' }, work);

const putGroups = (id: string, groups: readonly string[]) => {
  const headers = { cookie: ann, origin: site.url, 'content-type': 'application/json' };
  const body = JSON.stringify({ groups });
  return fetch(`${site.url}/api/admin/users/${id}/groups`, { method: 'PUT', headers, body });
};

const getPath = (page: Page) => page.url().slice(site.url.length);
const statusFor = async (path: string, token = 'token-bo') =>
  (await site.visit(path, { cookie: await site.signIn(token) })).status;

const fetchJson = async (path: string) => JSON.parse((await site.visit(path, { cookie: ann })).text);
const audit = (query = '') => fetchJson(`/api/admin/audit?category=all${query}`);

describe('users', () => {
  test('who waits for access comes first, and is let in by ticking a box', () =>
    withAnn(async (page) => {
      await page.goto('/admin/users');
      expect(await said(page)).toMatch(/bo .*1 of 1 people/);
      expect(await said(page)).not.toContain('Ann Ngô');
      expect(await statusFor('/')).toBe(302);
      await page.getByRole('form', { name: 'Groups of bo' }).getByLabel('dev', { exact: true }).check();
      expect(await press(page, 'Groups of bo', 'Save')).toBe(303);
      expect(getPath(page)).toBe('/admin/users?saved=bo%2Cdev');
      expect(await said(page)).toContain('Saved. bo is in dev.');
      // Nobody waits any more, so everybody is shown.
      expect(await said(page)).toContain('1–2 of 2 people');
      expect(await statusFor('/')).toBe(200);
      expect((await audit('&action=user.groups_replaced')).entries).toMatchObject([
        { actor: { login: 'ann' }, target: 'bo', before: [], after: ['dev'] },
      ]);
    }));

  test('the last administrator stays, which is said, with what was ticked', () =>
    withAnn(async (page) => {
      await page.goto('/admin/users?group=admin');
      const form = page.getByRole('form', { name: 'Groups of ann' });
      await form.getByLabel('admin', { exact: true }).uncheck();
      await form.getByLabel('pm', { exact: true }).check();
      expect(await press(page, 'Groups of ann', 'Save')).toBe(409);
      expect(await page.getByRole('alert').first().innerText()).toContain('ann was not changed.');
      expect(await form.innerText()).toContain('At least one administrator must remain.');
      expect(await form.getByLabel('admin', { exact: true }).isChecked()).toBe(false);
      expect(await form.getByLabel('pm', { exact: true }).isChecked()).toBe(true);
      expect((await fetchJson('/api/auth/me')).groups).toEqual(['admin']);
    }));

  test('groups that somebody took away meanwhile do not come back with an older page', () =>
    withAnn(async (page) => {
      const groups = (...given: string[]) => putGroups('102', given);
      await groups('admin', 'dev');
      await page.goto('/admin/users?group=all');
      await groups();
      const form = page.getByRole('form', { name: 'Groups of bo' });
      await form.getByLabel('pm', { exact: true }).check();
      expect(await press(page, 'Groups of bo', 'Save')).toBe(409);
      expect(await page.getByRole('alert').first().innerText()).toContain('bo was not changed. The groups changed');
      expect(await form.getByRole('checkbox', { checked: true }).count()).toBe(0);
      await form.getByLabel('dev', { exact: true }).check();
      expect(await press(page, 'Groups of bo', 'Save')).toBe(303);
      expect(await said(page)).toContain('Saved. bo is in dev.');
    }));

  test('people are found by a part of a login or a name, and by group', () =>
    withAnn(async (page) => {
      await page.goto('/admin/users');
      await page.getByLabel('Login or name').fill('ngô');
      await page.getByRole('button', { name: 'Apply', exact: true }).last().click();
      expect(await said(page)).toMatch(/Ann Ngô.*1 of 1 people/);
      await page.goto('/admin/users?group=security');
      expect(await said(page)).toContain('No users in the group security.');
      await page.goto('/admin/users?group=none');
      expect(await said(page)).toContain('No users are waiting for access');
    }));
});

describe('permissions', () => {
  const cell = (page: Page, labels: string) => page.getByRole('button', { name: labels, exact: true });

  test('are changed one cell at a time, which is reported with who and when', () =>
    withAnn(async (page) => {
      expect(await statusFor('/cost')).toBe(403);
      await page.goto('/admin/permissions');
      await cell(page, 'none (grant Cost to dev)').click();
      expect(getPath(page)).toBe('/admin/permissions?changed=dev.costAnalytics.yes#costAnalytics');
      expect(await said(page)).toContain('Saved. Cost granted to dev.');
      expect(await said(page)).toContain('ann, just now');
      expect(await statusFor('/cost')).toBe(200);
      await cell(page, 'granted (revoke Cost from dev)').click();
      expect(await said(page)).toContain('Cost revoked from dev.');
      expect(await statusFor('/cost')).toBe(403);
      expect((await audit('&limit=2')).entries).toMatchObject([
        { action: 'permission.revoked', target: 'dev/costAnalytics' },
        { action: 'permission.granted', target: 'dev/costAnalytics' },
      ]);
    }));

  test('what administrators have has no button, and data about people is marked', () =>
    withAnn(async (page) => {
      await page.goto('/admin/permissions?area=people');
      expect(await said(page)).toMatch(/Workload ▲? ?about people/);
      expect(await said(page)).not.toContain('Cost');
      expect(await page.getByRole('button', { name: /(to|from) admin\)$/ }).count()).toBe(0);
      const form = { csrf: await page.locator('input[name=csrf]').first().inputValue(), cell: 'admin.dora.no' };
      const response = await site.visit('/admin/permissions', { cookie: ann, form });
      expect([response.status, response.text]).toEqual([400, expect.stringContaining('role="alert"')]);
    }));

  test('are shown by area and by group, and say what each feature opens', () =>
    withAnn(async (page) => {
      await page.goto('/admin/permissions');
      await page.getByRole('link', { name: 'security 4' }).click();
      await page.getByRole('link', { name: 'dev', exact: true }).click();
      expect(getPath(page)).toMatch(/area=security/);
      const table = page.getByRole('table', { name: 'Features by group' });
      expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['Feature', 'dev']);
      expect(await table.getByRole('row').count()).toBe(5);
      await page.getByText('What each feature shows').click();
      expect(await said(page)).toContain('Commits that changed workflow files.');
    }));

  test('tell what somebody would see', () =>
    withAnn(async (page) => {
      await page.goto('/admin/permissions?area=security');
      await page.getByLabel('Login').fill('bo');
      await page.getByRole('button', { name: 'Apply' }).click();
      const labels = await said(page);
      expect(labels).toMatch(/Groups dev Features .*Pull request life cycle/);
      expect(labels).toMatch(/Available pages Overview, Repositories, .*Team.*Unavailable pages .*Cost.*Users/);
      await page.goto('/admin/permissions?login=stranger');
      expect(await said(page)).toContain('Nobody called stranger has signed in here.');
    }));
});

describe('linked accounts', () => {
  test('are linked after a preview, and unlinked', () =>
    withAnn(async (page) => {
      await page.goto('/admin/identity-links');
      expect(await said(page)).toContain('No linked accounts.');
      await page.getByLabel('Account or name').fill('annie');
      await page.getByLabel('Main login').fill('ann');
      expect(await press(page, 'Link an account', 'Preview')).toBe(303);
      expect(await said(page)).toContain('Not linked yet. 1 login would be linked to ann: annie.');
      expect(await said(page)).toContain('No linked accounts.');
      expect(await page.getByLabel('Account or name').inputValue()).toBe('annie');
      expect(await press(page, 'Link an account', 'Link')).toBe(303);
      expect(await said(page)).toMatch(/Done\..*ann annie ann, just now/);
      expect(await press(page, 'Unlink annie', 'Unlink')).toBe(303);
      await page.goto('/admin/identity-links');
      await page.getByLabel('Account or name').fill('bo');
      await page.getByLabel('A git author name').check();
      await page.getByLabel('Main login').fill('ann');
      expect(await press(page, 'Link an account', 'Preview')).toBe(303);
      expect(await page.getByLabel('A git author name').isChecked()).toBe(true);
      expect(await press(page, 'Link an account', 'Link')).toBe(303);
      expect(await said(page)).toMatch(/Done\..*ann bo no account ann, just now/);
      expect(await press(page, 'Unlink bo', 'Unlink')).toBe(303);
      expect(await said(page)).toContain('No linked accounts.');
      const actions = (await audit('&limit=2')).entries.map(({ action }: { action: string }) => action);
      expect(actions).toEqual(['identity.unlinked', 'identity.linked']);
    }));

  test('are rejected beside the field, or for a pair that is marked as different, and the mark is taken back', () =>
    withAnn(async (page) => {
      await page.goto('/admin/identity-links');
      const fill = async (alias: string, primary: string) => {
        await page.getByLabel('Account or name').fill(alias);
        await page.getByLabel('Main login').fill(primary);
      };
      await fill('ann', 'not a login');
      expect(await press(page, 'Link an account', 'Link')).toBe(400);
      expect(await page.getByLabel('Main login').getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByLabel('Account or name').inputValue()).toBe('ann');
      await page.getByLabel('One', { exact: true }).fill('bo');
      await page.getByLabel('The other').fill('bob');
      expect(await press(page, 'Mark as different people', 'Mark as different')).toBe(303);
      expect(await said(page)).toContain('bo and bob ann, just now');
      await fill('bob', 'bo');
      expect(await press(page, 'Link an account', 'Link')).toBe(409);
      expect(await page.getByRole('alert').innerText()).toContain('bo and bob are marked as different people');
      expect(await press(page, 'No longer mark bo and bob as different', 'Undo')).toBe(303);
      expect(await said(page)).toContain('No pairs.');
    }));

  test('are suggested from the contributors of a repository', () =>
    withAnn(async (page) => {
      const authored = (index: number, authorName: string, login: string | null) =>
        aCommit(Date.now() - index * 3_600_000, login === null ? null : anActor(login), `Change ${index}`, {
          authorName,
        });
      const { commits } = repositoryOf(site.double.world, 'octo/fork');
      commits.push(authored(1, 'Zoe Park', 'zoe-park'), authored(2, 'Zoe Park', 'zoe-park'));
      commits.push(authored(3, 'Zoe Park', null), authored(4, 'Kim Ode', 'kimode'), authored(5, 'Kim', 'kim-ode'));
      commits.push(authored(6, 'Kim Ode', 'kimode'));
      await page.goto('/admin/identity-links');
      await page.getByLabel('Owner').fill('octo');
      await page.getByRole('textbox', { name: 'Repository' }).fill('fork');
      await page.getByRole('button', { name: 'Apply' }).click();
      expect(await said(page)).toMatch(/compared. Check before linking..*Zoe Park no account/);
      expect(await press(page, 'Zoe Park and zoe-park are the same person', 'Same person')).toBe(303);
      expect(getPath(page)).toBe('/admin/identity-links?done=linked&owner=octo&repo=fork');
      expect(await said(page)).toMatch(/zoe-park Zoe Park no account ann, just now/);
      expect(await press(page, 'kim-ode and kimode are different', 'Different people')).toBe(303);
      expect(await said(page)).toMatch(/kim-ode and kimode ann, just now.*No suggestions./);
    }));
});

describe('the audit log', () => {
  test('reports what was before and after, newest first, page by page', () =>
    withAnn(async (page) => {
      await page.goto('/admin/audit?category=all&limit=3');
      const first = await said(page);
      await page.getByRole('link', { name: 'Older' }).click();
      const second = await said(page);
      const getIds = (labels: string) => [...labels.matchAll(/#(\d+) ·/g)].map(([, id]) => Number(id));
      expect(getIds(first)).toHaveLength(3);
      expect(getIds(second)[0]).toBe((getIds(first)[2] ?? 0) - 1);
      await page.getByRole('link', { name: 'Newest' }).click();
      expect(await said(page)).toBe(first);
      await page.goto('/admin/audit?action=user.groups_replaced');
      expect(await said(page)).toMatch(/Groups replaced #\d+ · user.groups_replaced bo none → dev ann/);
      await page.goto('/admin/audit?action=user.bootstrap_admin');
      expect(await said(page)).toMatch(/First administrator .* ann .*admin system/);
    }));

  test('is filtered, and given as a file', () =>
    withAnn(async (page) => {
      const body = JSON.stringify({ files_per_commit: 30, lines_per_commit: 400, commits_per_pr: 20 });
      const headers = { cookie: ann, origin: site.url, 'content-type': 'application/json' };
      await fetch(`${site.url}/api/settings/working-habits`, { method: 'PUT', headers, body });
      await page.goto('/admin/audit');
      expect(await said(page)).toContain('Thresholds saved');
      await page.getByRole('link', { name: 'access and identities', exact: true }).click();
      expect(await said(page)).not.toContain('Thresholds saved');
      await page.getByRole('link', { name: 'settings', exact: true }).click();
      expect(await said(page)).toMatch(/Thresholds saved.*files_per_commit: 30/);
      await page.getByLabel('By', { exact: true }).fill('nobody');
      await page.getByRole('button', { name: 'Apply' }).click();
      expect(await said(page)).toContain('No entries match these filters.');
      await page.goto('/admin/audit?category=settings');
      const csv = await page.getByRole('link', { name: 'CSV' }).getAttribute('href');
      const file = await site.visit(csv ?? '', { cookie: ann });
      expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(file.text).toContain('settings.working_habits_saved');
      // A category that is named but empty is none.
      await page.goto('/admin/audit?category=');
      expect(await said(page)).toContain('Thresholds saved');
      expect(await page.locator('[aria-current=true]').innerText()).toBe('everything');
      expect(await page.getByRole('link', { name: 'CSV' }).getAttribute('href')).toContain('category=all');
    }));
});

test('every page is whole, and as wide as its window', () =>
  withAnn(async (page) => {
    const paths = ['/admin/users', '/admin/permissions?login=bo', '/admin/audit', '/admin/identity-links'];
    expect(await misdrawn(page, paths)).toEqual([]);
  }));
