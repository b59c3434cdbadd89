import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { delivered, webhookSecret } from '../codehost-double/webhook.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { waitForCompletePage } from '../support/complete-page.ts';
import { misdrawn, press, said, withoutScripts } from '../support/form-page.ts';
import { type MailDouble, startMailDouble } from '../support/mail-double.ts';
import { type Site, startSite } from '../support/site.ts';

let browser: Browser;
let mail: MailDouble;

beforeAll(async () => {
  [browser, mail] = await Promise.all([sharedBrowser(), startMailDouble()]);
});

afterAll(async () => {
  await closeContexts(browser);
  await mail?.close();
});

const checklist = (page: Page) => page.getByRole('region', { name: 'Set up' });
const openChecklist = async (page: Page) => {
  const isOpen = await checklist(page).locator('details').getAttribute('open');
  if (isOpen === null) await checklist(page).locator('summary').click();
};
const step = async (page: Page, label: string) => {
  await openChecklist(page);
  const item = checklist(page).getByRole('listitem').filter({ hasText: label });
  return (await item.first().innerText()).replace(/\s+/g, ' ').trim();
};

describe.each([{ scripts: true }, { scripts: false }])('a newcomer with a token, scripts: $scripts', ({ scripts }) => {
  let site: Site;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    site = await startSite({
      CODEHOST_WEBHOOK_SECRET: webhookSecret,
      RESEND_API_URL: mail.url,
      RATE_LIMIT_SESSION_PER_MINUTE: '0',
    });
    context = await browser.newContext({ javaScriptEnabled: scripts, baseURL: site.url });
  });

  // A page that reloads itself while something is synchronized would abort the next visit.
  beforeEach(async () => {
    page = await context.newPage();
  });
  afterEach(() => page.close());

  afterAll(async () => {
    await context?.close();
    await site?.stop();
  });

  test('sees the first chart two buttons after the token was typed', async () => {
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Sign in with a GitHub token' }).waitFor();
    expect(await page.locator('button.primary').allInnerTexts()).toEqual(['Sign in']);
    await page.getByLabel('Token', { exact: true }).fill('token-ann');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.locator('button.primary').allInnerTexts()).toEqual(['Sync now']);
    expect(await checklist(page).innerText()).toContain('0 of 4 done');
    await page.getByRole('button', { name: 'Sync now' }).click();
    const readChecklist = async () => {
      await page.goto('/');
      return checklist(page).innerText();
    };
    await expect.poll(readChecklist).toContain('1 of 4 done');
    const chart = page.getByRole('table', { name: 'CI by repository, 90 days' }).locator('tbody svg').first();
    await chart.waitFor();
    expect((await chart.boundingBox())?.width).toBeGreaterThan(200);
    expect(await step(page, 'Sync repositories')).toMatch(/^done Sync repositories Synced /);
    expect(await page.locator('main button.primary').count()).toBe(0);
  });

  test('reads the address for the webhook, tests it, and sees what came', async () => {
    await page.goto('/');
    expect(await step(page, 'Webhook')).toContain('to do Webhook Waiting for the first delivery.');
    expect(await step(page, 'Webhook')).toContain(`${site.url}/api/webhooks/codehost`);
    expect(await step(page, 'Webhook')).toMatch(/GitHub sends a ping .* redeliver/);
    const post = ({ body, headers }: ReturnType<typeof delivered>) =>
      fetch(`${site.url}/api/webhooks/codehost`, { method: 'POST', body, headers });
    expect((await post(delivered({ zen: '' }, { event: 'ping', secret: 'invented' }))).status).toBe(401);
    await page.reload();
    expect(await step(page, 'Webhook')).toContain('Waiting for the first delivery.');
    expect((await post(delivered({ zen: '' }, { event: 'ping' }))).status).toBe(200);
    await page.reload();
    expect(await step(page, 'Webhook')).toMatch(/^done Webhook Latest delivery: ping, just now/);
    await checklist(page).getByRole('listitem').getByRole('link', { name: 'Webhook' }).click();
    const panel = page.getByRole('region', { name: 'Webhook' });
    expect((await panel.innerText()).replace(/\s+/g, ' ')).toMatch(/receiving Latest delivery: ping, just now/);
  });

  test('adds a rule and an email provider, and then the list is over', async () => {
    await page.goto('/');
    await openChecklist(page);
    await checklist(page).getByRole('listitem').getByRole('link', { name: 'Alert rule' }).click();
    await waitForCompletePage(page);
    await page.getByLabel('Repository or organization').fill('octo/web');
    await page.getByLabel('Metric').selectOption('failure_rate');
    await page.getByRole('form', { name: 'New rule' }).getByLabel('Threshold').fill('90');
    expect(await press(page, 'New rule', 'Add rule')).toBe(303);
    await page.goto('/');
    expect(await step(page, 'Alert rule')).toMatch(/^done Alert rule/);
    await openChecklist(page);
    await checklist(page).getByRole('listitem').getByRole('link', { name: 'Email' }).click();
    await page.getByLabel('Use this provider').check();
    await page.getByRole('combobox').selectOption('resend');
    await page.getByLabel('From').fill('lamps@codehost.example');
    await page.locator('input[name=api_key]').fill(mail.keys.resend);
    expect(await press(page, 'Email delivery', 'Save')).toBe(303);
    await page.goto('/');
    expect(await step(page, 'Email')).toBe('to do Email Configured. Send a test email.');
    await page.goto('/settings/email');
    await page.getByLabel('Recipient').fill('ann@codehost.example');
    expect(await press(page, 'Test email', 'Send test email')).toBe(200);
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await checklist(page).count()).toBe(0);
  });
});

test('a sync that runs is not offered again, on whichever page it was started', async () => {
  const site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  const readHome = async (scripts: boolean) => {
    const context = await browser.newContext({ javaScriptEnabled: scripts, baseURL: site.url });
    await site.signInBrowser(context);
    const page = await context.newPage();
    await page.goto('/');
    await checklist(page).waitFor();
    await waitForCompletePage(page);
    const buttons = await checklist(page).getByRole('button').allInnerTexts();
    await context.close();
    return buttons;
  };
  try {
    expect(await readHome(true)).toEqual(['Sync now', 'Dismiss']);
    site.double.fault({ path: '/repos/octo/fork/actions/runs' }, { kind: 'held', until });
    await withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
      await page.goto('/reports?owner=octo&repo=fork');
      await page.getByRole('button', { name: 'Sync now' }).click();
      await page.getByText(/Syncing\./).waitFor();
    });
    expect([await readHome(true), await readHome(false)]).toEqual([['Dismiss'], ['Dismiss']]);
  } finally {
    release();
    await site.stop();
  }
});

describe('the checklist of an organization', () => {
  let site: Site;

  beforeAll(async () => {
    site = await startSite({ MODE: 'organization', DEFAULT_GROUP: 'dev', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
    await site.signIn('token-ann');
  });

  afterAll(() => site?.stop());

  test('has nothing of administration for an ordinary member', async () => {
    const cookie = await site.signIn('token-bo');
    const { text } = await site.visit('/', { cookie });
    expect(text).not.toMatch(/Webhook|Alert rule|settings\/email|Payload URL/);
  });

  test('is dismissed for good by the account that pressed the button, and for nobody else', () =>
    withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
      await page.goto('/');
      expect(await step(page, 'Webhook')).toContain('Off: CODEHOST_WEBHOOK_SECRET is not set.');
      expect(await misdrawn(page, ['/', '/settings/jobs'])).toEqual([]);
      await page.goto('/');
      await page.locator('form[aria-label="Dismiss the checklist"] input[name=csrf]').evaluate((field) => {
        (field as HTMLInputElement).value = 'of another session';
      });
      expect(await press(page, 'Dismiss the checklist', 'Dismiss')).toBe(403);
      expect(await said(page)).toContain('This form belongs to another session.');
      expect(await press(page, 'Dismiss the checklist', 'Dismiss')).toBe(303);
      expect(await checklist(page).count()).toBe(0);
      await page.reload();
      expect(await checklist(page).count()).toBe(0);
      await site.signInBrowser(page.context(), 'token-ann');
      const kept = (await page.context().cookies()).find(({ name }) => name === 'das_setup');
      expect(kept?.expires).toBeGreaterThan(Date.now() / 1000 + 300 * 86_400);
      await page.context().addCookies([{ name: 'das_setup', value: '4711', url: site.url }]);
      await page.reload();
      expect(await checklist(page).count()).toBe(1);
    }));
});
