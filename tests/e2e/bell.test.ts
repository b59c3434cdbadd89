import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;
const open: BrowserContext[] = [];

beforeAll(async () => {
  const env = { MODE: 'organization', DEFAULT_GROUP: 'dev', RATE_LIMIT_SESSION_PER_MINUTE: '0' };
  [site, browser] = await Promise.all([startSite(env), sharedBrowser()]);
  await site.signIn();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((context) => context.close()));
  expect(site.double.violations).toEqual([]);
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

async function ask(path: string, body?: object) {
  const headers = { cookie: await site.signIn(), 'content-type': 'application/json' };
  const answer = await fetch(`${site.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body ?? {}) });
  expect([path, answer.ok]).toEqual([path, true]);
  return answer.json();
}

const watch = (metric: string, more: object = {}) =>
  ask('/api/alerts', { scope: 'repo:octo/web', metric, threshold: 0, window_hours: 2160, ...more });
const synchronize = () => ask('/api/db/sync?owner=octo&repo=web');

/** A page of somebody, with a clock that is moved by hand; how often it requested; and whether it is looked at. */
async function look(path: string, token = 'token-ann', prepare?: () => void) {
  const context = await browser.newContext({ baseURL: site.url });
  open.push(context);
  await site.signInBrowser(context, token);
  const page = await context.newPage();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  if (prepare) await page.addInitScript(prepare);
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/alerts')) requests++;
  });
  await page.goto(path);
  return { page, asked: () => requests };
}

const bell = (page: Page) => page.locator('a.bell');
const minute = (page: Page) => page.clock.fastForward(60_000);

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);

test('where no rule watches anything there is no bell, and no script of it', async () => {
  const { page, asked } = await look('/');
  expect(await page.locator('[data-bell]').count()).toBe(0);
  expect(await page.locator('script[src*="bell"]').count()).toBe(0);
  await minute(page);
  expect([await bell(page).count(), asked()]).toEqual([0, 0]);
});

test('once a minute, while somebody looks, the bell asks anew', async () => {
  await watch('failure_rate', { threshold: 10 });
  const { page, asked } = await look('/cost');
  expect(await bell(page).isVisible()).toBe(false);
  expect(await synchronize()).toMatchObject({ alerts_fired: 1 });
  await page.clock.fastForward(59_000);
  expect(asked()).toBe(0);
  await page.clock.fastForward(1000);
  await bell(page).waitFor();
  expect([(await bell(page).innerText()).trim(), asked()]).toEqual(['1 open alert', 1]);
  // The rail is dark in both themes; the red of light pages cannot be read on it.
  const color = await bell(page)
    .locator('.badge')
    .first()
    .evaluate((badge) => getComputedStyle(badge).color);
  expect(color).toBe('rgb(255, 157, 148)');
  await setHidden(page, true);
  await minute(page);
  await minute(page);
  expect(asked()).toBe(1);
  await setHidden(page, false);
  await expect.poll(asked).toBe(2);
  expect(await page.evaluate(() => document.title)).toContain('Cost');
});

test('others, whose pages do not count, are reported as soon as they look', async () => {
  const { page, asked } = await look('/settings', 'token-bo');
  await bell(page).waitFor();
  expect([(await bell(page).innerText()).trim(), asked()]).toEqual(['1 open alert', 1]);
});

test('what cannot be known is not said to be well, and a session that ended is not requested with again', async () => {
  const { page, asked } = await look('/cost');
  expect((await bell(page).innerText()).trim()).toBe('1\u00a0open alert');
  await page.route('**/api/alerts*', (route) => route.fulfill({ status: 503, json: {} }));
  await minute(page);
  await expect.poll(() => bell(page).innerText()).toContain('alerts unknown');
  expect(await page.getByText('open alert', { exact: false }).first().isVisible()).toBe(false);
  await page.unroute('**/api/alerts*');
  await minute(page);
  await expect.poll(() => bell(page).innerText()).toContain('1 open alert');
  await page.route('**/api/alerts*', (route) => route.fulfill({ status: 401, json: {} }));
  await minute(page);
  await expect.poll(() => bell(page).innerText()).toContain('alerts unknown');
  const before = asked();
  await minute(page);
  expect(asked()).toBe(before);
});

/** Stands where the system's notifications are, which a headless browser does not show. */
function recordNotifications() {
  const reported: unknown[] = [];
  class Recorded {
    static permission = 'default';
    static async requestPermission() {
      Recorded.permission = 'granted';
      return Recorded.permission;
    }
    constructor(title: string, options: { body: string; tag: string }) {
      reported.push([title, options.body, options.tag]);
    }
  }
  Object.assign(window, { Notification: Recorded, reported });
}

const reported = (page: Page) =>
  page.evaluate(() => (window as unknown as { reported: [string, string, string][] }).reported);

test('notifications come only once they are allowed, of what is new and reported in the browser, behind other tabs too', async () => {
  const { page, asked } = await look('/alerts', 'token-ann', recordNotifications);
  await minute(page);
  await expect.poll(asked).toBe(1);
  await watch('duration_p95');
  await watch('failure_rate', { channel: 'digest', destination: 'a@codehost.example' });
  await synchronize();
  await minute(page);
  await expect.poll(() => bell(page).innerText()).toContain('3 open alerts');
  expect(await reported(page), 'not allowed yet').toEqual([]);

  await page.getByRole('button', { name: 'Allow notifications' }).click();
  await page.getByRole('button', { name: 'Turn off notifications' }).waitFor();
  await watch('failure_streak');
  await watch('anomaly_count', { channel: 'digest', destination: 'a@codehost.example' });
  await synchronize();
  await setHidden(page, true);
  await minute(page);
  await expect.poll(() => reported(page)).toHaveLength(1);
  const [[title, body, tag] = []] = await reported(page);
  expect(title).toBe('Consecutive failures in octo/web');
  expect(body).toMatch(/^\d+, threshold 0$/);
  expect(tag).toMatch(/^alert-\d+$/);
  await minute(page);
  await expect.poll(asked).toBeGreaterThanOrEqual(4);
  expect(await reported(page), 'each once').toHaveLength(1);

  await setHidden(page, false);
  await page.getByRole('button', { name: 'Turn off notifications' }).click();
  await page.getByRole('button', { name: 'Allow notifications' }).waitFor();
  await watch('failure_streak', { window_hours: 100 });
  await synchronize();
  await minute(page);
  await expect.poll(() => bell(page).innerText()).toContain('6 open alerts');
  expect(await reported(page)).toHaveLength(1);
});

test('a browser that refuses notifications says so, and offers nothing', async () => {
  const { page } = await look('/alerts', 'token-ann', () => {
    Object.assign(window, { Notification: { permission: 'denied' } });
  });
  await page.getByText('Notifications from this site are blocked').waitFor();
  expect(await page.getByRole('button', { name: /notifications/ }).count()).toBe(0);
});
