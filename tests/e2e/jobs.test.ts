import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { usual } from '../otlp/stage.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { openTestStore } from '../support/database.ts';
import { misdrawn, press, said, withoutOwnScripts, withoutScripts } from '../support/form-page.ts';
import { migratedMemory } from '../support/migrated.ts';
import { type Site, startSite } from '../support/site.ts';
import { getText } from './visited-site.ts';

const day = 86_400_000;
const secret = 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo';
const folder = mkdtempSync(join(tmpdir(), 'jobs-'));
let site: Site;
let browser: Browser;

/** A database in which nightly work was done three days ago, and failed since; traces were rejected, and a webhook ended. */
async function prepared(): Promise<string> {
  const url = `pglite://${folder}`;
  // To unpack a database that has its shape already takes less than making one.
  mkdirSync(join(folder, 'data'));
  const archive = (await migratedMemory()).replace('pglite://memory:', '');
  execFileSync('tar', ['-xf', archive, '-C', join(folder, 'data')], { stdio: 'ignore' });
  const store = await openTestStore(url);
  for (const [ago, status] of [
    [3, 'done'],
    [2, 'failed'],
  ] as const) {
    const now = Date.now() - ago * day;
    const slot = new Date(now).toISOString().slice(0, 10);
    const row = await store.jobRuns.start({ job: 'pr-facts', slot, trigger: 'internal', now });
    await store.jobRuns.finish(row, { status, summary: { repositories: 4, remaining: 1 }, now: now + 65_000 });
  }
  const by = { actor: { id: 1, login: 'ann' }, requestId: null, now: Date.now() };
  const destination = { name: 'Collector', endpoint: 'https://8.8.8.8', enabled: true, options: usual };
  const id = await store.otlpDestinations.create(destination, 5, by);
  await store.otlpDestinations.refuse(id ?? 0, 1, '401');
  const endpoint = { name: 'Bridge', url: 'https://8.8.8.8/hook', enabled: true };
  const endpointId = Number(await store.webhookEndpoints.create(endpoint, 'sealed', 1, by));
  const attempt = { at: by.now, event_id: 1, status: 410, ms: 1, error: 'The endpoint answered 410.' };
  await store.webhookEndpoints.noteAttempt({ id: endpointId, url: endpoint.url }, attempt);
  await store.close();
  return url;
}

beforeAll(async () => {
  const mode = {
    MODE: 'organization',
    DEFAULT_GROUP: 'dev',
    SCHEDULER: 'external',
    CRON_SECRET: secret,
    CODEHOST_TOKEN: 'token-ann',
  };
  const env = { ...mode, DATABASE_URL: await prepared(), RATE_LIMIT_SESSION_PER_MINUTE: '0' };
  [site, browser] = await Promise.all([startSite(env), sharedBrowser()]);
});

afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const read = async (path: string, token = 'token-ann') => {
  const { status, text } = await site.visit(path, { cookie: await site.signIn(token) });
  expect(withoutOwnScripts(text)).not.toMatch(/<script|rel="modulepreload"/);
  return { status, text, words: getText(text) };
};

const banner = 'Background work is missing. Not done for 36 hours or more:';

test('administrators are shown what is missing where they look after things, and nobody else', async () => {
  for (const path of ['/', '/settings', '/settings/jobs', '/admin/users'])
    expect([path, (await read(path)).words]).toEqual([
      path,
      expect.stringMatching(new RegExp(`${banner} .*Pull requests, Commits of pull requests, .*\\. Jobs`)),
    ]);
  expect((await read('/cost')).words).not.toContain(banner);
  expect((await read('/demo')).words).not.toContain(banner);
  const bo = await read('/settings', 'token-bo');
  expect(bo.text).not.toMatch(/Background work|href="\/settings\/jobs"/);
  expect((await read('/settings/jobs', 'token-bo')).status).toBe(403);
});

test('the page reports each job, what it is for, what starts it and what its last runs did', async () => {
  const { words } = await read('/settings/jobs');
  expect(words).toContain('An external scheduler runs the jobs (SCHEDULER=external)');
  expect(words).not.toContain('A proxy is not known');
  expect(words).toMatch(/What each job does .* Workflow runs Syncs new, changed and unfinished runs/);
  expect(words).toMatch(
    /Workflow runs missing .{0,80}not scheduled here.{0,20} At \/api\/cron\/sync daily at 03:17 – none yet –/,
  );
  expect(words).toMatch(/Pull requests missing .{0,100} daily at 04:17 – failed 2 days ago, by schedule 1 /);
  expect(words).toMatch(/Daily figures on every 10 seconds .{0,20}not stored/);
  // Five seconds after the daily figures, and as often.
  expect(words).toMatch(/Alert rules on every 10 seconds/);
  expect(words).toMatch(/Pull requests: 2 runs .*failed 1 min 5 s remaining 1, repositories 4 .*done 1 min 5 s/);
});

test('what was done since is no longer missing', async () => {
  const answer = await fetch(`${site.url}/api/cron/sync`, { headers: { authorization: `Bearer ${secret}` } });
  expect(answer.status).toBe(200);
  const { words } = await read('/settings/jobs');
  expect(words).not.toMatch(new RegExp(`${banner}[^.]*Workflow runs`));
  expect(words).toMatch(/Workflow runs elsewhere .* done just now/);
  expect(words).toMatch(/Workflow runs: 1 run .*external scheduler/);
});

test('it is as wide as its window', () =>
  withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
    expect(await misdrawn(page, ['/settings/jobs', '/settings'])).toEqual([]);
  }));

test('administrators are shown destinations of traces that rejected requests, until they try again', () =>
  withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
    const warning = 'Traces are not sent. Rejected by the receiver: Collector. Traces';
    for (const path of ['/', '/settings', '/admin/users']) expect((await read(path)).words).toContain(warning);
    expect((await read('/cost')).words).not.toContain(warning);
    expect((await read('/settings', 'token-bo')).words).not.toContain(warning);
    await page.goto('/settings/telemetry');
    expect(await said(page)).toContain(warning);
    expect(await press(page, 'Send again to Collector', 'Try again')).toBe(303);
    expect(await said(page)).not.toContain(warning);
  }));

test('administrators are shown webhooks that were switched off by failures, until they switch them on', () =>
  withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
    const warning = 'Alerts are not delivered. Webhook switched off after failures: Bridge. Webhooks';
    for (const path of ['/', '/settings', '/admin/users']) expect((await read(path)).words).toContain(warning);
    expect((await read('/cost')).words).not.toContain(warning);
    expect((await read('/settings', 'token-bo')).words).not.toContain(warning);
    expect((await read('/demo')).words).not.toContain(warning);
    await page.goto('/settings/webhooks');
    expect(await said(page)).toContain(warning);
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByLabel('Send alerts').check();
    expect(await press(page, 'Change Bridge', 'Save')).toBe(303);
    expect(await said(page)).not.toContain(warning);
  }));
