import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Site, startSite } from '../support/site.ts';
import { getText } from './visited-site.ts';

const appUrl = 'http://localhost:3000';
let site: Site;

beforeAll(async () => {
  site = await startSite({ APP_URL: appUrl, TRUST_PROXY_HOPS: '0' });
});

afterAll(() => site?.stop());

test('who opens another address is sent to the right one before they give a token', async () => {
  const { text } = await site.visit('/setup');
  expect(getText(text)).toContain('You cannot sign in at this address.');
  expect(text).toContain(`href="${appUrl}/setup"`);
  expect(text).toContain('href="/docs/start#from-another-machine"');
});

test('a form from another address is told the right one, and the variable to set', async () => {
  const { status, text } = await site.visit('/setup', { form: { intent: 'signIn', pat: 'token-ann' } });
  expect(status).toBe(403);
  expect(getText(text)).toContain(`Forms are accepted at ${appUrl} only.`);
  expect(getText(text)).toContain('APP_URL');
  expect(text).toContain(`href="${appUrl}/setup"`);
  expect(getText(text)).not.toContain('Try again');
});

test('the right address says nothing of it, nor does a service behind a proxy', async () => {
  const words = 'You cannot sign in at this address.';
  const own = await startSite({ TRUST_PROXY_HOPS: '0' });
  expect((await own.visit('/setup')).text).not.toContain(words);
  await own.stop();
  const behind = await startSite({ APP_URL: 'https://delivery.example' });
  expect((await behind.visit('/setup')).text).not.toContain(words);
  await behind.stop();
});
