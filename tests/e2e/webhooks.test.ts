import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, press, said, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';
import { openWebhookReceiver, verifyWebhook } from '../support/webhook-receiver.ts';

const path = '/settings/webhooks';
let browser: Browser;
let site: Site;
beforeAll(async () => {
  browser = await sharedBrowser();
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
});
afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

test('an endpoint is added, tried, rotated, named by a rule, changed and deleted without scripts', () =>
  withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
    const receiver = await openWebhookReceiver();
    await page.goto(path);
    expect(await said(page)).toContain('Nothing is sent: there is no endpoint.');
    await page.getByLabel('Name', { exact: true }).fill('Bridge');
    await page.getByLabel('Address').fill('http://10.0.0.1/hook');
    expect(await press(page, 'New endpoint', 'Add endpoint')).toBe(400);
    expect(await said(page)).toContain('The address must begin with https://.');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Bridge');
    await page.getByLabel('Address').fill(receiver.url);
    expect(await press(page, 'New endpoint', 'Add endpoint')).toBe(200);
    const secret = await page.getByLabel('Secret', { exact: true }).innerText();
    expect((await page.reload())?.status()).toBe(409);
    expect(await page.getByRole('article').count()).toBe(1);
    await page.goto(path);
    expect(await page.content()).not.toContain(secret);
    expect(await said(page)).toMatch(/Bridge On http:\/\/127\.0\.0\.1.*No deliveries yet\./);
    expect(await press(page, 'Test Bridge', 'Send test')).toBe(200);
    expect(await said(page)).toMatch(/The endpoint answered 200 in \d+ ms\..*Delivered \(200\)/);
    verifyWebhook(secret, receiver.requests[0] as never);
    expect(await press(page, 'Rotate Bridge', 'Rotate secret')).toBe(200);
    expect(await said(page)).toMatch(
      /For 24 hours requests carry signatures of both secrets\..*previous secret is valid/,
    );
    // A reload makes no third secret, which would end the first one.
    expect((await page.reload())?.status()).toBe(409);
    expect(await said(page)).toContain('This form was sent before, or endpoints changed since.');
    expect(await press(page, 'Test Bridge', 'Send test')).toBe(200);
    verifyWebhook(secret, receiver.requests.at(-1) as never);

    await page.goto('/alerts');
    await page.getByLabel('Repository or organization').fill('octo/web');
    await page.getByLabel('Threshold').fill('20');
    await page.getByLabel('Notify via').selectOption('Webhook: Bridge');
    expect(await press(page, 'New rule', 'Add rule')).toBe(303);
    expect(await said(page)).toContain('post to the webhook Bridge.');
    expect(await page.getByLabel(/^To\b/).first().locator('option:checked').innerText()).toBe('Bridge');
    await page.getByRole('button', { name: 'Send test' }).click();
    expect(await said(page)).toContain('Test sent. The endpoint accepted it.');
    expect(JSON.parse(receiver.requests.at(-1)?.body ?? '{}').data.is_test).toBe(true);

    await page.goto(`${path}`);
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByLabel('Send alerts').uncheck();
    expect(await press(page, 'Change Bridge', 'Save')).toBe(303);
    expect(await said(page)).toMatch(/Saved\..*Bridge Off/);
    await page.goto('/alerts');
    expect(await said(page)).toContain('Its webhook endpoint is off.');
    expect(await misdrawn(page, [path, '/alerts'])).toEqual([]);
    await page.goto(path);
    expect(await press(page, 'Delete Bridge', 'Delete')).toBe(303);
    expect(await said(page)).toContain('Nothing is sent: there is no endpoint.');
  }));
