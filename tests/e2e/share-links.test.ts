import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, press, said, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';

const at = '/repos/octo/web/deployments';
let browser: Browser;
let site: Site;
beforeAll(async () => {
  browser = await sharedBrowser();
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0', EMBED_ORIGINS: 'https://wiki.example' });
  await synchronize(site, await site.signIn('token-ann'), { owner: 'octo', repo: 'web' });
});
afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

const withAnn = (visit: (page: Page) => Promise<void>) => withoutScripts({ site, browser, token: 'token-ann' }, visit);

async function createLink(page: Page, phrase = '', address = at): Promise<string> {
  await page.goto(address);
  await page.getByText('Share', { exact: true }).click();
  await page.getByLabel('Pass phrase').fill(phrase);
  expect(await press(page, 'Share this page', 'Create link')).toBe(200);
  return new URL(await page.locator('output').innerText()).pathname;
}

test('a page is shared as it is now: without people, links, forms and scripts, until it is revoked', () =>
  withAnn(async (page) => {
    const path = await createLink(page);
    // As a second press of the button does.
    expect((await page.reload())?.status()).toBe(200);
    expect(new URL(await page.locator('output').innerText()).pathname).toBe(path);
    expect(await page.getByRole('button', { name: 'Revoke' }).count()).toBe(1);
    const { status, headers, text } = await site.visit(path);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
    expect(headers.get('set-cookie')).toBeNull();
    expect(text).not.toMatch(/<(a|form|script|button|input)\b/);
    expect(text).not.toMatch(/\b(ann|bo)\b/);
    expect(text).toContain('Deployments of octo/web');
    expect(text).not.toMatch(/Skip to content|class="definition"/);
    const signedIn = await site.visit(path, { cookie: await site.signIn('token-ann') });
    expect([signedIn.text, signedIn.headers.get('set-cookie')]).toEqual([text, null]);
    for (const other of [`${path}/`, path.replace('/s/', '/S/'), path.replace('/s/', '/%73/'), `${path}/_.data`]) {
      const { status: missing, text: nothing } = await site.visit(other);
      expect([missing, nothing.includes('Deployments of octo/web')], other).toEqual([404, false]);
    }
    // Nobody looks at these.
    expect((await fetch(`${site.url}${path}`, { method: 'HEAD' })).status).toBe(200);
    expect((await site.visit(path, { headers: { 'Sec-Purpose': 'prefetch' } })).status).toBe(200);
    const framed = await site.visit(`${path}?embed=1`);
    expect(framed.headers.get('content-security-policy')).toMatch(/frame-ancestors https:\/\/wiki\.example$/);
    expect(framed.headers.get('x-frame-options')).toBeNull();
    expect(site.log()).not.toMatch(/dass_\w/);
    await page.goto('/settings/shares');
    expect(await said(page)).toMatch(/\/repos\/octo\/web\/deployments ann Active .* 3/);
    expect(await press(page, `Revoke ${at}`, 'Revoke')).toBe(303);
    const [gone, unknown] = [await site.visit(path), await site.visit('/s/nothing')];
    expect([gone.status, unknown.status]).toEqual([404, 404]);
    expect(await misdrawn(page, ['/settings/shares', '/docs/open/sharing'])).toEqual([]);
  }));

test('a workflow is shown in the range that was chosen, and that is said', () =>
  withAnn(async (page) => {
    const path = await createLink(page, '', '/repos/octo/web/workflows/7001?range=90');
    const { status, text } = await site.visit(path);
    expect(status).toBe(200);
    expect(text.replaceAll('<!-- -->', '')).toContain(
      'Range: 90 days · vs previous period · All branches · Including bots',
    );
    expect(text).toContain('<h2 class="sr">Last 90 days</h2>');
    expect(text).toContain('Duration by day');
    expect(text).not.toMatch(/<(a|form|script|button|input)\b/);
  }));

test('a share is offered only of what can be shared', () =>
  withAnn(async (page) => {
    const offered = async (address: string) => {
      await page.goto(address);
      return page.getByText('Share', { exact: true }).count();
    };
    for (const address of [
      '/explain?metric=bus_factor&owner=octo&repo=web',
      '/explain?metric=monthly_cost&repo=octo%2Fweb',
      '/explain?metric=open_security_alerts&owner=octo&repo=web',
      '/reports',
      '/repos/octo/web/workflows/7001?tab=cost',
    ])
      expect(await offered(address), address).toBe(0);
    for (const address of ['/explain?metric=lead_time&owner=octo&repo=web', '/reports?repo=octo%2Fweb', at])
      expect(await offered(address), address).toBe(1);
  }));

test('an organization is shared without what only its page can do', () =>
  withAnn(async (page) => {
    for (const address of ['/org/octo', '/org/octo/health?limit=5']) {
      await page.goto(address);
      const named = await page.getByText('Not known to be public, and named by the link:').textContent();
      const { text } = await site.visit(await createLink(page, '', address));
      expect(text, address).not.toMatch(/·\s*(<!-- -->)*\s*<\/|raise the limit/);
      for (const name of named?.match(/octo\/[\w-]+/g) ?? []) expect(text, name).toContain(name.slice('octo/'.length));
    }
  }));

test('a pass phrase opens one answer, and is tried five times a minute', () =>
  withAnn(async (page) => {
    const path = await createLink(page, 'correct horse');
    expect((await site.visit(path)).text).toContain('Pass phrase');
    // As a browser sends it, which names no origin where the page wants no referrer.
    await page.goto(path);
    await page.getByLabel('Pass phrase').fill('correct horse');
    const [opened] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.getByRole('button', { name: 'Show' }).click(),
    ]);
    expect(opened.status()).toBe(200);
    expect(await page.content()).toContain('Deployments of octo/web');
    expect(await page.content()).not.toContain('<script');
    const send = (pass_phrase: string) => site.visit(path, { form: { pass_phrase } });
    const wrong = await send('battery');
    expect([wrong.status, wrong.text.includes('not its pass phrase')]).toEqual([403, true]);
    const right = await send('correct horse');
    expect([right.status, right.headers.get('set-cookie')]).toEqual([200, null]);
    expect(right.text).toContain('Deployments of octo/web');
    expect((await site.visit(path)).text).not.toContain('Deployments of octo/web');
    // Right ones do not count.
    for (let tries = 0; tries < 5; tries++) expect((await send('correct horse')).status).toBe(200);
    for (let tries = 0; tries < 4; tries++) expect((await send('battery')).status).toBe(403);
    for (const phrase of ['battery', 'correct horse']) {
      const late = await send(phrase);
      expect([late.status, Number(late.headers.get('retry-after'))]).toEqual([429, expect.closeTo(60, -1.5)]);
    }
  }));
