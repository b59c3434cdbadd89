import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, press, said, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  const env = {
    MODE: 'organization',
    ACCESS_ENFORCEMENT: 'off',
    RATE_LIMIT_SESSION_PER_MINUTE: '0',
    AI_ALLOWED_HOSTS: 'gateway.internal',
  };
  [site, browser] = await Promise.all([startSite(env), sharedBrowser()]);
  await site.signIn('token-ann');
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

/** An administrator at a browser without scripts. */
const withAnn = (work: (page: Page) => Promise<void>) => withoutScripts({ site, browser, token: 'token-ann' }, work);

const path = '/settings/ai';
const form = 'AI provider';
const gateway = 'https://gateway.internal:8443/v1';

describe('the provider of texts', () => {
  test('is nobody at first, and needs a key', () =>
    withAnn(async (page) => {
      await page.goto(path);
      expect(await said(page)).toContain('AI is off: no provider configured.');
      await page.getByLabel('Use this provider').check();
      await page.getByLabel('Model').fill('house/model-1');
      expect(await press(page, form, 'Save')).toBe(400);
      expect(await page.getByLabel('Key').getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByLabel('Model').inputValue()).toBe('house/model-1');
      expect(await page.getByLabel('Use this provider').isChecked()).toBe(true);
    }));

  test('is rejected beside the field, and what was typed stays, but for the key', () =>
    withAnn(async (page) => {
      await page.goto(path);
      await page.getByLabel('Use this provider').check();
      await page.getByLabel('Address').fill('https://10.0.0.1/v1');
      await page.getByLabel('Key').fill('canary-of-ann-4711');
      expect(await press(page, form, 'Save')).toBe(400);
      expect(await said(page)).toContain('leads to an address that is not public');
      expect(await page.getByLabel('Address').inputValue()).toBe('https://10.0.0.1/v1');
      expect(await page.getByLabel('Key').inputValue()).toBe('');
      expect(await page.content()).not.toContain('canary');
    }));

  test('is saved, and its key never shown again', () =>
    withAnn(async (page) => {
      await page.goto(path);
      await page.getByLabel('Use this provider').check();
      await page.getByRole('combobox', { name: 'Provider' }).selectOption('openai');
      await page.getByLabel('Address').fill(gateway);
      await page.getByLabel('Key').fill('canary-of-ann-4711');
      expect(await press(page, form, 'Save')).toBe(303);
      const labels = await said(page);
      expect(labels).toContain('AI is on, configured below: OpenAI or compatible, gpt-5-mini.');
      expect(labels).toMatch(/Saved \(••••4711\)\. Leave empty to keep it\..*Saved by ann just now/);
      expect(await page.content()).not.toContain('canary');
      await page.getByLabel('Model').fill('house/model-2');
      expect(await press(page, form, 'Save')).toBe(303);
      expect(await said(page)).toContain('OpenAI or compatible, house/model-2.');
      await page.getByLabel('Address').fill('https://gateway.internal/v1');
      expect(await press(page, form, 'Save')).toBe(400);
      expect(await said(page)).toContain('given for another provider or host');
      expect(site.log()).not.toContain('canary');
    }));

  test('is left to administrators', async () => {
    const cookie = await site.signIn('token-bo');
    expect((await site.visit(path, { cookie })).status).toBe(403);
    const posted = await site.visit(path, { cookie, form: { enabled: 'true', provider: 'openai', api_key: 'canary' } });
    expect([posted.status, posted.text.includes('canary')]).toEqual([403, false]);
  });
});

test('the page is whole, and as wide as its window', () =>
  withAnn(async (page) => {
    expect(await misdrawn(page, [path])).toEqual([]);
  }));
