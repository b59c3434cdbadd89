import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type CountedActions, countActions } from '../support/counted-actions.ts';
import { misdrawn, press, said, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;
let ann = '';
const newcomers = Array.from({ length: 40 }, (_, index) => `newcomer-${String(index + 1).padStart(2, '0')}`);

beforeAll(async () => {
  const env = { MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' };
  [site, browser] = await Promise.all([startSite(env), sharedBrowser()]);
  const octo = site.double.world.organizations.find(({ login }) => login === 'octo');
  if (octo) octo.teams = [{ id: 7, slug: 'platform', name: 'Platform', members: newcomers }];
  ann = await site.signIn('token-ann');
  await site.signIn('token-bo');
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

const fetchJson = async (path: string) => JSON.parse((await site.visit(path, { cookie: ann })).text);

async function onboard({ count, follow, page }: CountedActions) {
  await page.goto('/');
  await follow('Settings');
  await follow('Users');
  await count(page.getByText('Add people', { exact: true }).click());
  await count(page.getByLabel('Members of', { exact: true }).selectOption('octo/platform'));
  await count(page.getByRole('region', { name: 'Members of a team' }).getByRole('button', { name: 'Apply' }).click());
  const form = page.getByRole('form', { name: 'Add people' });
  await count(form.getByLabel('dev', { exact: true }).check());
  await count(form.getByRole('button', { name: 'Add to groups' }).click());
}

for (const scripts of [false, true])
  test(`forty people of a team are onboarded from Home in seven actions, ${scripts ? 'with' : 'without'} scripts`, async () => {
    const context = await browser.newContext({ javaScriptEnabled: scripts, baseURL: site.url });
    await site.signInBrowser(context, 'token-ann');
    const journey = countActions(await context.newPage());
    await onboard(journey);
    expect(journey.actions()).toBeLessThanOrEqual(10);
    expect(await said(journey.page)).toContain('40 people invited');
    const { invitations } = await fetchJson('/api/admin/invitations');
    expect(invitations.map(({ login }: { login: string }) => login)).toEqual(newcomers);
    await context.close();
  });

test('everybody on the page is put into a group at once, and out of it again', () =>
  withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
    await page.goto('/admin/users?group=all');
    const form = page.getByRole('form', { name: 'Change selected people' });
    await form.getByLabel('Select all 2 on this page').check();
    await form.getByLabel('pm', { exact: true }).check();
    expect(await press(page, 'Change selected people', 'Apply to selected')).toBe(303);
    expect(await said(page)).toContain('Saved. 2 people changed.');
    await page.getByLabel('Select bo').check();
    await form.getByLabel('Change').selectOption('remove');
    await form.getByLabel('pm', { exact: true }).check();
    expect(await press(page, 'Change selected people', 'Apply to selected')).toBe(303);
    const { users } = await fetchJson('/api/admin/users');
    const groups = Object.fromEntries(
      users.map((user: { login: string; groups: string[] }) => [user.login, user.groups]),
    );
    expect(groups).toEqual({ ann: ['admin', 'pm'], bo: [] });
  }));

test('what was rejected is said by line, and nothing that was typed or ticked is lost', () =>
  withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
    await page.goto('/admin/users?group=all');
    await page.getByText('Add people', { exact: true }).click();
    const form = page.getByRole('form', { name: 'Add people' });
    const typed = 'hal\nnot a login\nida';
    await form.getByLabel('Logins, one per line').fill(typed);
    await form.getByLabel('security', { exact: true }).check();
    expect(await press(page, 'Add people', 'Add to groups')).toBe(400);
    expect(await form.innerText()).toContain('Line 2: “not a login” is not a login.');
    expect(await form.getByLabel('Logins, one per line').inputValue()).toBe(typed);
    expect(await form.getByLabel('security', { exact: true }).isChecked()).toBe(true);
    const selection = page.getByRole('form', { name: 'Change selected people' });
    await page.getByLabel('Select ann').check();
    await selection.getByLabel('Change').selectOption('remove');
    await selection.getByLabel('admin', { exact: true }).check();
    expect(await press(page, 'Change selected people', 'Apply to selected')).toBe(409);
    expect(await page.getByRole('alert').first().innerText()).toContain('at least one administrator must remain');
    expect(await page.getByLabel('Select ann').isChecked()).toBe(true);
    expect(await selection.getByLabel('Change').inputValue()).toBe('remove');
    expect((await fetchJson('/api/admin/invitations')).invitations).toHaveLength(40);
  }));

test('an invitation is withdrawn', () =>
  withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
    await page.goto('/admin/users');
    expect(await press(page, 'Withdraw the invitation of newcomer-01', 'Withdraw')).toBe(303);
    expect(await said(page)).toContain('Saved. 1 invitation withdrawn.');
    expect((await fetchJson('/api/admin/invitations')).invitations).toHaveLength(39);
    expect(await misdrawn(page, ['/admin/users', '/admin/users?team=octo/platform'])).toEqual([]);
  }));

test('of two accounts with one login the ticked one is changed', async () => {
  const { accounts, tokens } = site.double.world;
  for (const account of accounts) if (account.id === 102) account.login = 'bo-renamed';
  accounts.push({ id: 9102, login: 'bo', name: null, email: null, memberOf: [] });
  tokens.push({ token: 'token-new-bo', login: 'bo', scopes: ['repo', 'read:org'], authorizedFor: [], only: null });
  await site.signIn('token-new-bo');
  await withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
    await page.goto('/admin/users?group=all&q=bo');
    const table = page.getByRole('table', { name: 'Users, last seen first' });
    const row = table.getByRole('row').filter({ hasText: 'account 102' });
    expect(await table.innerText()).toContain('account 9102');
    await row.getByLabel('Select bo').check();
    const form = page.getByRole('form', { name: 'Change selected people' });
    await form.getByLabel('security', { exact: true }).check();
    expect(await press(page, 'Change selected people', 'Apply to selected')).toBe(303);
    const { users } = await fetchJson('/api/admin/users?group=security');
    expect(users.map((user: { codehost_id: string }) => user.codehost_id)).toEqual(['102']);
    expect(await misdrawn(page, ['/admin/users?group=all&q=bo'])).toEqual([]);
  });
});
