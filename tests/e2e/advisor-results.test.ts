import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { namedWorld } from '../codehost-double/named-world.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { keepVerdict } from '../store/stored-verdicts.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { openTestStore } from '../support/database.ts';
import { misdrawn, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';
import { getText } from './visited-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'results-'));
const id = '0123456789abcdef';
let site: Site;
let browser: Browser;
let cookie: string;

beforeAll(async () => {
  const url = `pglite://${folder}`;
  const store = await openTestStore(url);
  await keepVerdict(store, repositoryOf(namedWorld(), 'octo/web').facts, { id, savedPct: 17, now: Date.now() });
  await store.close();
  [site, browser] = await Promise.all([startSite({ DATABASE_URL: url }), sharedBrowser()]);
  cookie = await site.signIn();
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const sentence = /Predicted 14 to 19 % fewer minutes per update\. Measured 17 % fewer \([\d to-]+%\), .*Kept\./;

test('an organization lists what merged changes saved, each with the page that shows how it was judged', async () => {
  const { text } = await site.visit('/org/octo/advisor', { cookie });
  expect(getText(text)).toMatch(/1 merged change: 1 kept, 0 not kept/);
  expect(getText(text)).toMatch(sentence);
  expect(text).toContain(`href="/repos/octo/web/advisor/${id}"`);
});

test('the result of a change whose finding is gone has its page', async () => {
  const { status, text } = await site.visit(`/repos/octo/web/advisor/${id}`, { cookie });
  expect(status).toBe(200);
  const words = getText(text);
  expect(words).toContain('The workflow files no longer have this finding.');
  expect(words).toMatch(sentence);
  expect(words).toMatch(/Pull request #41 .*Before 11 minutes each, 504 updates/);
  expect(words).toMatch(/28 days .* Kept/);
});

test('a change that nobody merged, and that is not found, has none', async () => {
  const { status } = await site.visit('/repos/octo/web/advisor/fedcba9876543210', { cookie });
  expect(status).toBe(404);
});

test('results are drawn within a narrow screen and a wide one', async () => {
  await withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
    expect(await misdrawn(page, ['/org/octo/advisor', `/repos/octo/web/advisor/${id}`])).toEqual([]);
  });
});
