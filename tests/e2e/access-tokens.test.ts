import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAtom } from '../support/atom-reader.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, press, said, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';

const path = '/settings/tokens';
let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterAll(() => closeContexts(browser));

/** Fills the form of a new token in and sends it. Answers the text of the token. */
async function create(page: Page, name: string): Promise<string> {
  await page.goto(path);
  await page.getByLabel('Name', { exact: true }).fill(name);
  expect(await press(page, 'New token', 'Create token')).toBe(200);
  return page.getByRole('status').getByLabel(name).innerText();
}

describe('of a single user, without scripts', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  });
  afterAll(() => site?.stop());
  const withAnn = (work: (page: Page) => Promise<void>) => withoutScripts({ site, browser, token: 'token-ann' }, work);
  const me = async (token: string, address = '/api/auth/me') =>
    fetch(`${site.url}${address}`, { headers: { authorization: `Bearer ${token}` } });

  test('a token is made, shown once, used and revoked', () =>
    withAnn(async (page) => {
      const token = await create(page, 'Dashboard');
      expect(token).toMatch(/^dast_[0-9A-Za-z]{49}$/);
      expect(page.url()).toBe(`${site.url}${path}`);
      await page.reload();
      expect(await page.content()).not.toContain(token);
      expect(await said(page)).toMatch(/This form was sent before, and made a token\./);
      await page.goto(path);
      expect(await page.getByRole('button', { name: 'Revoke', exact: true }).count()).toBe(1);
      expect(await page.content()).not.toContain(token);
      expect(await said(page)).toMatch(new RegExp(`Dashboard ends in ${token.slice(-4)} 20 features .*Active.*Never`));
      const answer = await (await me(token)).json();
      expect(answer).toMatchObject({ login: 'ann', token: { name: 'Dashboard' } });
      expect(answer.features).toContain('dora');
      expect(answer.features).not.toContain('teamInsights');
      await page.reload();
      expect(await said(page)).toMatch(/from 127\.0\.0\.0\/24/);
      expect(await press(page, 'Revoke Dashboard', 'Revoke')).toBe(303);
      expect(await said(page)).toMatch(/Revoked\..*Revoked/);
      expect((await me(token)).status).toBe(401);
    }));

  test('an address of a feed is made, shown once and read as the documentation says', () =>
    withAnn(async (page) => {
      await page.goto(path);
      await page.getByLabel('Name', { exact: true }).fill('Reader');
      await page.getByLabel('For', { exact: true }).selectOption('A feed reader');
      expect(await press(page, 'New token', 'Create token')).toBe(200);
      const address = await page.getByRole('status').getByLabel('Reader').innerText();
      const token = /dasf_[0-9A-Za-z]{49}$/.exec(address)?.[0] ?? '';
      const text = readFileSync('app/routes/docs/content/open/feeds.md', 'utf8');
      const examples = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, example]) => example ?? '');
      expect(examples).toHaveLength(2);
      const env = { PATH: process.env.PATH, APP_URL: site.url, DAS_TOKEN: token };
      const [alerts = '', weekly = ''] = await Promise.all(
        examples.map(async (example) => (await promisify(execFile)('bash', ['-c', example], { env })).stdout),
      );
      expect(expectAtom(alerts)).toEqual([]);
      // The week is there once its scores are computed, which may be at once.
      for (const { title } of expectAtom(weekly)) expect(title).toMatch(/^octo, week \d{4}-W\d\d$/);
      expect((await me(token)).status).toBe(401);
      await page.goto(path);
      expect(await page.content()).not.toContain(token);
      expect(await said(page)).toContain(`Reader feed, ends in ${token.slice(-4)}`);
    }));

  test('with scripts a button copies it', async () => {
    const context = await browser.newContext({
      baseURL: site.url,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await site.signInBrowser(context, 'token-ann');
    const page = await context.newPage();
    const token = await create(page, 'Copied');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    await context.close();
  });

  test('it opens no page', () =>
    withAnn(async (page) => {
      const token = await create(page, 'Pages');
      const response = await fetch(`${site.url}/settings`, {
        headers: { authorization: `Bearer ${token}` },
        redirect: 'manual',
      });
      expect([302, 401]).toContain(response.status);
    }));

  test('what is wrong is said beside the field, and what was typed stays, but no secret', () =>
    withAnn(async (page) => {
      await page.goto(path);
      await page.getByLabel('Name', { exact: true }).fill('Narrow');
      await page.getByLabel('Security alerts', { exact: true }).uncheck();
      await page.getByLabel('GitHub token').fill('token-bo');
      expect(await press(page, 'New token', 'Create token')).toBe(400);
      const form = page.getByRole('form', { name: 'New token' });
      expect(await form.innerText()).toContain('belongs to another account');
      expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Narrow');
      expect(await form.getByLabel('Security alerts', { exact: true }).isChecked()).toBe(false);
      expect(await form.getByLabel('GitHub token').inputValue()).toBe('');
      expect(await page.content()).not.toContain('token-bo');
    }));

  test('a date ends it as well, and a week before the pages of settings say so', () =>
    withAnn(async (page) => {
      await page.goto(path);
      await page.getByLabel('Name', { exact: true }).fill('Short');
      const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
      await page.getByLabel('Or at the end of').fill(day);
      expect(await press(page, 'New token', 'Create token')).toBe(200);
      await page.goto('/settings');
      expect(await said(page)).toContain('Access tokens expire within 7 days. Short.');
      await page.goto('/');
      expect(await said(page)).not.toContain('expire within 7 days');
    }));

  test('the examples of the documentation do what they say', () =>
    withAnn(async (page) => {
      const token = await create(page, 'Examples');
      const text = readFileSync('app/routes/docs/content/open/tokens.md', 'utf8');
      const scripts = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script]) => script ?? '');
      const step = /```yaml\n[\s\S]*? {2}run: \|\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
      expect(scripts).toHaveLength(2);
      const run = (script: string) =>
        promisify(execFile)('bash', ['-c', script.replaceAll('owner=acme&repo=shop', 'owner=octo&repo=web')], {
          env: { PATH: process.env.PATH, APP_URL: site.url, DAS_TOKEN: token },
        });
      expect(JSON.parse((await run(scripts[0] ?? '')).stdout)).toMatchObject({ lead_time: {} });
      expect((await run(scripts[1] ?? '')).stdout).toMatch(/^\W*full_name|owner/);
      const outcome = await run(step).catch((error: { code: number; stdout: string }) => error);
      expect(outcome.stdout).toBe('Success rate: 67 %\n');
      expect(outcome).toMatchObject({ code: 1 });
    }));

  test('the page is whole, and as wide as its window', () =>
    withAnn(async (page) => {
      expect(await misdrawn(page, [path, '/docs/open/tokens', '/docs/open/feeds'])).toEqual([]);
    }));
});

test('administrators of an organization see everybody’s tokens and revoke them', async () => {
  const site = await startSite({ MODE: 'organization', DEFAULT_GROUP: 'dev', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  let token = '';
  await withoutScripts({ site, browser, token: 'token-bo' }, async (page) => {
    token = await create(page, 'Bo’s script');
    expect((await page.goto('/admin/tokens'))?.status()).toBe(403);
  });
  await withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
    await page.goto('/admin/tokens?q=nobody');
    expect(await said(page)).toContain('No tokens match this filter.');
    await page.goto('/admin/tokens?q=bo');
    expect(await said(page)).toMatch(/bo: Bo’s script ends in .* 1 of 1 tokens/);
    expect(await page.content()).not.toContain(token);
    expect(await press(page, 'Revoke Bo’s script', 'Revoke')).toBe(303);
    expect(await said(page)).toContain('Token revoked.');
    await page.goto('/admin/audit?action=token.revoked');
    expect(await said(page)).toMatch(/Access token revoked .*administrator/);
    expect(await misdrawn(page, ['/admin/tokens', '/admin/tokens?state=ended'])).toEqual([]);
  });
  expect((await fetch(`${site.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
  await site.stop();
});
