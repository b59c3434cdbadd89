import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, press, said, withoutScripts } from '../support/form-page.ts';
import { type MailDouble, startMailDouble } from '../support/mail-double.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;
let double: MailDouble;

beforeAll(async () => {
  double = await startMailDouble();
  const env = { MODE: 'organization', DEFAULT_GROUP: 'dev', POSTMARK_API_URL: double.url, RESEND_API_URL: double.url };
  [site, browser] = await Promise.all([startSite({ ...env, RATE_LIMIT_SESSION_PER_MINUTE: '0' }), sharedBrowser()]);
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
  await double?.close();
});

const path = '/settings/email';
const withAnn = (work: (page: Page) => Promise<void>) => withoutScripts({ site, browser, token: 'token-ann' }, work);
const key = (page: Page) => page.locator('input[name=api_key]');
const sendTest = async (page: Page, to: string) => {
  await page.getByLabel('Recipient').fill(to);
  return press(page, 'Test email', 'Send test email');
};

describe('email delivery, without scripts', () => {
  test('says that mail goes nowhere, and a test says so too', () =>
    withAnn(async (page) => {
      await page.goto(path);
      expect(await said(page)).toContain('No email provider configured.');
      expect(await said(page)).toContain('Last email sent none yet');
      expect(await sendTest(page, 'bo@codehost.example')).toBe(503);
      expect(await said(page)).toContain('No email provider is configured, neither here nor by the environment.');
      expect(await page.getByLabel('Recipient').inputValue()).toBe('bo@codehost.example');
      expect(await page.locator('.notice.problem').count()).toBe(1);
    }));

  test('is rejected beside the field, with all that was typed but the key', () =>
    withAnn(async (page) => {
      await page.goto(path);
      await page.getByLabel('Use this provider').check();
      await page.getByRole('combobox').selectOption('resend');
      expect(await press(page, 'Email delivery', 'Save')).toBe(400);
      expect(await page.locator('.field-error').innerText()).toContain('Mail cannot go out without a key');
      await key(page).fill(double.keys.resend);
      expect(await press(page, 'Email delivery', 'Save')).toBe(400);
      expect(await page.locator('.field-error').innerText()).toContain('an address that it is from');
      expect(await page.content()).not.toContain(double.keys.resend);
      expect(await key(page).inputValue()).toBe('');
      expect(await page.getByLabel('Use this provider').isChecked()).toBe(true);
      expect(await page.getByRole('combobox').inputValue()).toBe('resend');
    }));

  test('is saved, reports by what mail goes out, and never shows the key again', () =>
    withAnn(async (page) => {
      await page.goto(path);
      await page.getByLabel('Use this provider').check();
      await page.getByRole('combobox').selectOption('resend');
      await page.getByLabel('From').fill('Lamps <lamps@codehost.example>');
      await key(page).fill(double.keys.resend);
      expect(await press(page, 'Email delivery', 'Save')).toBe(303);
      expect(await said(page)).toMatch(
        /Done\. Saved\..*Email is configured below: Resend, from Lamps <lamps@codehost\.example>\./,
      );
      expect(await said(page)).toContain('Saved (••••0002). Leave empty to keep it.');
      expect([await key(page).inputValue(), (await page.content()).includes(double.keys.resend)]).toEqual(['', false]);
      expect(await said(page)).toMatch(/Saved by ann just now/);
    }));

  test('is tried: the email arrives, and what a provider says is shown as words', () =>
    withAnn(async (page) => {
      await page.goto(path);
      double.requests.length = 0;
      expect(await sendTest(page, 'bo@codehost.example')).toBe(200);
      expect(await said(page)).toContain('Done. The provider accepted the email.');
      expect(double.requests[0]?.body).toMatchObject({ to: 'bo@codehost.example' });
      expect(double.requests[0]?.body.html).toContain(`href="${site.url}/settings/email"`);
      double.trouble({ status: 422, body: JSON.stringify({ message: '<img src=x> bo@codehost.example is no lamp' }) });
      expect(await sendTest(page, 'bo@codehost.example')).toBe(502);
      expect(await said(page)).toContain('<img src=x> bo@codehost.example is no lamp');
      expect(await page.locator('main img').count()).toBe(0);
      expect(await said(page)).toMatch(/Last failed delivery just now Provider response <img src=x> b•••@codehost/);
    }));

  test('can be switched off', () =>
    withAnn(async (page) => {
      await page.goto(path);
      await page.getByLabel('Use this provider').uncheck();
      expect(await press(page, 'Email delivery', 'Save')).toBe(303);
      expect(await said(page)).toContain('No email provider configured.');
      expect(await said(page)).toContain('Saved (••••0002)');
    }));

  test('is a whole page, as wide as its window, for administrators alone', () =>
    withAnn(async (page) => {
      expect(await misdrawn(page, [path])).toEqual([]);
      const cookie = await site.signIn('token-bo');
      expect((await site.visit(path, { cookie })).status).toBe(403);
    }));

  test('leaves neither key nor address in the log of the process', () => {
    const log = site.log();
    expect(log).toContain('an email was not accepted');
    expect(log).not.toMatch(/CANARY|bo@codehost|lamps@codehost/);
  });
});
