import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';
import { getText } from './visited-site.ts';

let site: Site;
beforeEach(async () => {
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
});
afterEach(() => site?.stop());
afterAll(async () => closeContexts(await sharedBrowser()));

const read = async (path: string) => {
  const { text } = await site.visit(path, { cookie: await site.signIn() });
  return getText(text.slice(text.indexOf('<main'), text.indexOf('</main>')));
};

async function refuseAll() {
  await site.signIn();
  const always = 1_000_000;
  for (const path of [/\/actions\//, /\/(dependabot|code-scanning|secret-scanning)\//])
    site.double.fault({ path, times: always }, { kind: 'status', status: 403 });
  site.double.fault({ path: '/graphql', times: always }, { kind: 'graphql_error', type: 'FORBIDDEN' });
}

test('a page of which every part is refused for one reason says it once', async () => {
  await refuseAll();
  const workflow = '/repos/octo/web/workflows/7001';
  for (const path of [
    workflow,
    `${workflow}?tab=performance`,
    `${workflow}?tab=reliability`,
    `${workflow}?tab=runs&run=5010`,
    '/repos/octo/web',
    '/repos/octo/web/pull-requests',
  ])
    expect([path, (await read(path)).split('Access denied.').length - 1]).toEqual([path, 1]);
});

test.each([true, false])('a page is offered to be shared where it could be read: %s', async (canRead) => {
  if (!canRead) await refuseAll();
  for (const page of ['', '/deployments', '/issues', '/workflows']) {
    const words = await read(`/repos/octo/web${page}`);
    expect([page, /Share|Copy badge/.test(words)]).toEqual([page, canRead]);
  }
});

test.each([
  ['/repos/octo/web', 'Loading Delivery'],
  ['/repos/octo/web/pull-requests', 'Loading Merged pull requests'],
  ['/repos/octo/web/security', 'Loading Workflow files'],
])('so does one that is sent before the platform fails: %s', async (path, loading) => {
  const cookie = await site.signIn();
  const { promise, resolve } = Promise.withResolvers<void>();
  site.double.fault({ times: 1_000_000 }, { kind: 'reset', until: promise });
  const page = await fetch(`${site.url}${path}`, { headers: { cookie: `${cookie}; das_scripts=1` } });
  resolve();
  const words = getText(await page.text());
  expect(words).toContain(loading);
  expect(words.split('not reachable.').length - 1).toBe(1);
});

test.each([true, false])(
  'the start page says once that the rate limit is reached, with scripts: %s',
  async (scripts) => {
    const cookie = await site.signIn();
    await synchronize(site, cookie, { owner: 'octo', repo: 'web' });
    site.double.fault({ path: /./, times: 1_000_000 }, { kind: 'primary_limit' });
    const headers = { cookie: scripts ? `${cookie}; das_scripts=1` : cookie };
    const words = getText(await (await fetch(`${site.url}/`, { headers })).text());
    expect(words.split('Rate limit reached.').length - 1).toBe(1);
  },
);

test('reports of a repository that is not there say so once', async () => {
  expect((await read('/reports?repo=octo%2Fnowhere')).split('Not found.').length - 1).toBe(1);
});

test('repositories whose checks could not be read are not called active', async () => {
  await refuseAll();
  const words = await read('/repositories');
  expect(words).toMatch(/octo\/web private .* not read/);
  expect(words).not.toMatch(/ active | Last ten runs | Open PRs /);
});

test('a health page of which nothing could be read counts no repository as healthy or at risk', async () => {
  await refuseAll();
  const words = await read('/org/octo/health');
  expect(words).toMatch(
    /At risk – Not every repository could be read\..*Healthy – Not every repository could be read\./,
  );
});

test('alerts of a source that could not be read are not said to be none', async () => {
  await site.signIn();
  site.double.fault({ path: /\/dependabot\//, times: 1_000_000 }, { kind: 'status', status: 502 });
  const words = await read('/security?org=octo');
  expect(words).toMatch(/web private at least 1 at least 1 – Not every source could be read\./);
});

test('an organization that is nobody’s is not said to wait for a sync', async () => {
  for (const path of ['/ci?org=nobody', '/cost?org=nobody', '/team?org=nobody']) {
    const words = await read(path);
    expect(words).toContain('nobody is not one of your organizations, and no repository of it has been synced here.');
    expect(words).not.toMatch(/synced yet|Sync repositories/);
  }
  expect(await read('/ci?org=octo')).toContain('No repository of octo has been synced yet.');
});

test('who is in no group is offered no scope', async () => {
  const shared = await startSite({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  try {
    const { text } = await shared.visit('/no-access', { cookie: await shared.signIn('token-bo') });
    expect(text).toContain('No access yet');
    expect(text).not.toContain('Everything I can see');
  } finally {
    await shared.stop();
  }
});

test('alerts of which no source could be read are said once to be unknown', async () => {
  await refuseAll();
  const words = await read('/repos/octo/web/security');
  expect(words).toContain('Security alerts No source could be loaded To see denied sources');
  expect(words).not.toContain('counts are minimums');
});
