import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { waitForCompletePage } from '../support/complete-page.ts';
import { demoDay } from '../support/demo-day.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';

let site: Site;
/** Of a visitor without scripts, who opens one page of the demo after the other. */
let plain: Page;
beforeAll(async () => {
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  plain = await (await sharedBrowser()).newPage({ javaScriptEnabled: false, baseURL: site.url });
});
afterAll(async () => {
  await closeContexts(await sharedBrowser());
  await site?.stop();
});

const bar = 'section[aria-label="Range and scope"]';
const harbor = '/demo/repos/lumen-harbor/beacon-api';

test.each([
  ['/demo', 'Including bots'],
  ['/demo/pull-requests', 'Times exclude bots'],
  ['/demo/deployments', 'Last 30 days vs previous 30 days'],
  ['/demo/ci', 'All branches · Including bots'],
  ['/demo/cost', 'All branches · Including bots'],
  ['/demo/team?org=lumen-harbor', 'Compared with the previous period · Times exclude bots'],
  ['/demo/team?org=lumen-harbor&range=90', 'Not compared · Times exclude bots'],
  [
    '/demo/team?org=lumen-harbor&range=quarter',
    'This quarter: not available, people are counted over 30 or 90 days; 30 days shown',
  ],
  ['/demo/contributor/tuan-pham/brief?owner=lumen-harbor', 'Last 45 days vs previous 45 days'],
  ['/demo/working-habits?org=lumen-harbor', 'Not compared · Bots excluded'],
  [`${harbor}/team`, 'Last 60 closed'],
  [`${harbor}/issues`, '7 days'],
  [`${harbor}?range=7`, 'Last 7 days: not available, delivery metrics have fixed windows; 30 and 90 days shown'],
  [`${harbor}/pull-requests?range=7`, 'Last 7 days: not available, weeks need 90 days; 90 days shown'],
  [`${harbor}/deployments?range=quarter`, 'This quarter: not available, statuses are read live; 30 days shown'],
  [`${harbor}/deployments?compare=year`, 'Compared with the previous 30 days'],
  [`${harbor}/changes?range=7&compare=year`, 'Last 7 days: not available here, latest 30 changes shown · Not compared'],
  [`${harbor}/workflows?range=7`, 'Last 7 days: not available here, latest runs shown'],
  [`${harbor}/security?range=7`, 'Last 7 days: not available, alerts have no history here; open now shown'],
  ['/demo/org/lumen-harbor?range=90', 'Last 90 days: not available, runs are read live; 30 days shown'],
  ['/demo/org/lumen-harbor/health?range=7', 'Last 7 days: not available, scores are of 90 days; 90 days shown'],
  ['/demo/repositories?range=7', 'Last 7 days: not available here, latest runs shown'],
  [
    '/demo/contributor/mira-okafor?owner=lumen-harbor&range=7',
    'Last 7 days: not available, a person is compared with their own past; 45 days shown',
  ],
  [`${harbor}/deployments`, 'Last 30 days'],
  [`${harbor}`, 'Last 90 days'],
  [`${harbor}/pull-requests`, 'Merged: 90 days'],
  [`${harbor}/workflows`, 'Latest runs of each workflow'],
  [`${harbor}/changes`, 'Latest 30 changes · Default branch'],
  [`${harbor}/changes?limit=60`, 'Latest 60 changes'],
  [`${harbor}/security`, 'Open now'],
  [`${harbor}/workflows/41100`, 'All branches · Including bots'],
  ['/demo/repositories', 'Latest runs of the default branch'],
  ['/demo/org/lumen-harbor', 'Last 30 days'],
  ['/demo/org/lumen-harbor/health', 'Last 90 days'],
  ['/demo/security?org=lumen-harbor', 'Open now'],
  ['/demo/contributor/mira-okafor?owner=lumen-harbor', 'Last 45 days vs previous 45 days'],
])('%s says in its bar what its figures are of', async (path, says) => {
  await plain.goto(path);
  expect(await plain.locator(bar).innerText()).toContain(says);
});

test('at the end of the bar stands how fresh the data is', async () => {
  const cookie = await site.signIn();
  const read = async () => (await site.visit('/ci', { cookie })).text.replace(/<[^>]+>/g, '');
  expect(await read()).not.toContain('Synced');
  await synchronize(site, cookie, { owner: 'octo', repo: 'web' });
  expect(await read()).toMatch(/Synced (just now|\d+ min ago)/);
});

test('a page of a repository or an organization has the state of its own, once the reader is known to see it', async () => {
  const token = 'token-ann-two';
  const cookie = await site.signIn(token);
  await synchronize(site, cookie, { owner: 'octo', repo: 'web' });
  const read = async (path: string) => {
    const text = (await site.visit(path, { cookie })).text.replace(/<[^>]+>/g, '');
    return /(All repositories: )?(Not synced yet|Synced (?:just now|\d+ min ago|\d+ of \d+))/.exec(text)?.[0] ?? null;
  };
  const fresh = /^Synced (just now|\d+ min ago)$/;
  expect(await read('/ci')).toMatch(fresh);
  await read('/repos/octo/web');
  expect(await read('/repos/octo/web')).toMatch(fresh);
  expect(await read('/cost?repo=octo%2Fweb')).toMatch(fresh);
  await read('/repos/octo/api');
  expect(await read('/repos/octo/api')).toBe('Not synced yet');
  expect(await read('/cost?repo=octo%2Fapi')).toBe('Not synced yet');
  expect(await read('/org/octo')).toMatch(/Synced/);
  // What nobody has proved to be theirs says nothing of itself.
  for (const unseen of ['/cost?repo=octo%2Fnowhere', '/cost?org=nobody'])
    expect(await read(unseen)).toMatch(/^All repositories: Synced/);
});

test.each([
  ['/ci', []],
  ['/ci?org=octo', ['CI']],
  ['/team', []],
  ['/security?org=octo', ['octo']],
  ['/contributor/ann?owner=octo', ['Team', 'octo']],
  ['/contributor/ann/brief?owner=octo', ['Team', 'octo', 'ann']],
])('the breadcrumbs of %s are %j', async (path, labels) => {
  const { text } = await site.visit(path, { cookie: await site.signIn() });
  const crumbs = /<nav class="crumbs".*?<\/nav>/s.exec(text)?.[0] ?? '';
  expect([...crumbs.matchAll(/>([^<]+)<\/a>/g)].map(([, label]) => label)).toEqual(labels);
});

test.each(['/settings', '/settings/team', '/docs', '/docs/metrics', '/docs/metrics/lead_time', '/docs?q=median'])(
  '%s hands range and scope on to the pages after it',
  async (path) => {
    const choices = 'range=7&amp;compare=year&amp;repo=octo%2Fweb';
    const address = `${path}${path.includes('?') ? '&' : '?'}${choices.replaceAll('&amp;', '&')}`;
    const { text } = await site.visit(address, { cookie: await site.signIn() });
    const hrefs = [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href);
    const own = hrefs.filter((href) => /^\/(ci|settings|docs)([/?]|$)/.test(href));
    expect(own.length).toBeGreaterThan(path.startsWith('/docs') ? 20 : 5);
    expect(own.filter((href) => !href.includes(choices))).toEqual([]);
  },
);

test('the documentation is not of the organization of the demo', async () => {
  expect((await site.visit('/demo/ci?range=7&org=lumen-harbor', {})).text).toContain('href="/docs"');
});

test.each([
  [`${harbor}`, 'Repositories', true],
  [`${harbor}/pull-requests?range=90`, 'Pull requests', true],
  [`${harbor}/deployments`, 'Deployments', true],
  ['/demo/ci?repo=lumen-harbor/beacon-api', 'CI', true],
  ['/demo/explain?metric=deploys_per_day&owner=lumen-harbor&repo=beacon-api', 'Repositories', true],
  ['/demo/ci?org=lumen-harbor', 'CI', false],
  ['/demo/ci?repo=x', 'CI', false],
  ['/demo/repos/lumen-harbor/nowhere', 'Repositories', false],
])('the rail of %s is at %s and leads to pages of a repository: %s', async (path, place, hasRepository) => {
  const { text } = await site.visit(path, {});
  const rail = /<nav aria-label="Main">.*?<\/nav>/s.exec(text)?.[0] ?? '';
  const links = [...rail.matchAll(/<a href="([^"]*)"( aria-current="page")?>.*?<\/svg>([^<]+)<\/a>/gs)];
  expect(links.filter(([, , current]) => current).map(([, , , label]) => label)).toEqual([place]);
  const ofRepository = links.filter(([, , , label = '']) => /Pull requests|Deployments/.test(label));
  const range = path.includes('range') ? '?range=90' : '';
  const scope = path.includes('org=') ? '?org=lumen-harbor' : '';
  expect(ofRepository.map(([, href]) => href)).toEqual(
    hasRepository
      ? [`${harbor}/pull-requests${range}`, `${harbor}/deployments${range}`]
      : [`/demo/pull-requests${scope}`, `/demo/deployments${scope}`],
  );
});

describe.each([true, false])('with scripts: %s', (javaScriptEnabled) => {
  const open = async (path: string) => {
    const context = await (await sharedBrowser()).newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${site.url}${path}`);
    return page;
  };

  test('two days are a range, which stays while moving between pages', async () => {
    const page = await open('/demo/ci?org=lumen-harbor&compare=off');
    await page.locator('.range-choice summary').click();
    const to = new Date(demoDay).toISOString().slice(0, 10);
    const from = new Date(demoDay - 20 * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('From').fill(from);
    await page.getByLabel('To', { exact: true }).fill(to);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/range=/);
    const shared = { org: 'lumen-harbor', compare: 'off', range: `${from}..${to}` };
    const readQuery = () => Object.fromEntries(new URL(page.url()).searchParams);
    expect(readQuery()).toEqual(shared);
    expect(await page.locator('.range-choice summary').getAttribute('aria-current')).toBe('true');
    const rail = page.getByRole('navigation', { name: 'Main' });
    const follow = async (place: string) => {
      await rail.getByRole('link', { name: place, exact: true }).click();
      await rail.locator('a[aria-current="page"]', { hasText: place }).waitFor();
      await waitForCompletePage(page);
      expect(readQuery()).toEqual(shared);
    };
    for (const place of ['Overview', 'Security', 'Alerts', 'CI']) await follow(place);
    // The page of a number has other parameters, and hands these on whether its metric takes them or not.
    for (const place of ['Team', 'CI']) {
      await page.locator('[role="article"] h3 a[href*="/explain?"]').first().click();
      await page.waitForURL(/\/demo\/explain\?/);
      await follow(place);
    }
    await page.getByRole('link', { name: 'Why is CI slow' }).click();
    await page.waitForURL(/view=slow/);
    await waitForCompletePage(page);
    expect(readQuery()).toEqual({ ...shared, view: 'slow' });
    const row = page.getByRole('table').getByRole('link', { name: 'CI', exact: true }).first();
    expect(await row.getAttribute('href')).toContain('range=');
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'CI' }).click();
    await page.waitForURL((url) => !url.search.includes('view='));
    expect(readQuery()).toEqual(shared);
  });
});
