import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, press, said, withoutScripts } from '../support/form-page.ts';
import { openReceiver } from '../support/otlp-receiver.ts';
import { type Site, startSite } from '../support/site.ts';

const path = '/settings/telemetry';
let browser: Browser;
let site: Site;
beforeAll(async () => {
  browser = await sharedBrowser();
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0', OTLP_ALLOWED_HOSTS: '127.0.0.1' });
});
afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

test('a destination is added, tried, changed and deleted without scripts', () =>
  withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
    const receiver = await openReceiver();
    await page.goto(path);
    expect(await said(page)).toContain('Nothing is sent: there is no destination.');
    await page.getByLabel('Name', { exact: true }).fill('Collector');
    await page.getByLabel('Endpoint').fill('http://10.0.0.1:4318');
    await page.getByLabel('Headers').fill('X-Key: very-secret-value');
    expect(await press(page, 'New destination', 'Add destination')).toBe(400);
    expect(await said(page)).toContain('The endpoint must begin with https://.');
    expect(await page.content()).not.toContain('very-secret-value');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Collector');
    await page.getByLabel('Endpoint').fill(receiver.url);
    await page.getByLabel('Headers').fill('X-Key: very-secret-value');
    await page.getByLabel('Only these repositories').fill('Octo/Web\nocto/api');
    await page.getByLabel('Share of attempts').fill('12.345');
    expect(await page.getByLabel('Fetch missing jobs').isChecked()).toBe(false);
    expect(await press(page, 'New destination', 'Add destination')).toBe(303);
    expect(await said(page)).toMatch(/Saved\..*Collector Active http:\/\/127\.0\.0\.1.*nothing yet.*Headers X-Key/s);
    expect(await page.content()).not.toContain('very-secret-value');
    expect(await press(page, 'Test Collector', 'Send test span')).toBe(200);
    expect(await said(page)).toMatch(/The receiver took the test span, trace [0-9a-f]{32}\./);
    expect(receiver.requests[0]?.headers['x-key']).toBe('very-secret-value');
    await page.goto(path);
    await page.getByRole('link', { name: 'Change' }).click();
    expect(await page.getByLabel('Only these repositories').inputValue()).toBe('octo/web\nocto/api');
    expect(await page.getByLabel('Share of attempts').inputValue()).toBe('12.345');
    await page.getByLabel('Send traces').uncheck();
    expect(await press(page, 'Change Collector', 'Save')).toBe(303);
    expect(await said(page)).toMatch(/Collector Off/);
    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel('From').fill(today);
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    expect(await press(page, 'New backfill', 'Start backfill')).toBe(400);
    expect(await said(page)).toContain('is before the first day');
    await page.getByLabel('To', { exact: true }).fill(today);
    expect(await press(page, 'New backfill', 'Start backfill')).toBe(303);
    expect(await said(page)).toMatch(/The backfill has started\..*Running.*Rejected spans 0 Attempts 0 of 0/s);
    expect(await press(page, 'Pause backfill', 'Pause')).toBe(303);
    expect(await said(page)).toContain('Paused');
    expect(await press(page, 'Cancel backfill', 'Cancel')).toBe(303);
    expect(await said(page)).toContain('Cancelled');
    expect(await misdrawn(page, [path])).toEqual([]);
    expect(await press(page, 'Delete Collector', 'Delete')).toBe(303);
    expect(await said(page)).toContain('Nothing is sent: there is no destination.');
  }));
