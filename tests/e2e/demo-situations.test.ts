import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';
import { getText } from './visited-site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
});
afterAll(async () => {
  await closeContexts(await sharedBrowser());
  await site?.stop();
});

const harbor = '/demo/repos/lumen-harbor/tidewater-web';
const pages = [
  '/demo',
  '/demo/pull-requests',
  '/demo/deployments',
  '/demo/ci',
  '/demo/security',
  harbor,
  `${harbor}/workflows/41000`,
  '/demo/cost',
  '/demo/alerts',
  '/demo/reports',
  '/demo/team?org=lumen-harbor',
];

const visited = new Map<string, ReturnType<Site['visit']>>();

/** A page of the demo, which stays the same: several tests look at the same answer. */
function read(address: string) {
  const answered = visited.get(address) ?? site.visit(address, {});
  visited.set(address, answered);
  return answered;
}
const inSituation = (path: string, situation: string) =>
  `${path}${path.includes('?') ? '&' : '?'}situation=${situation}`;

describe.each(['healthy', 'flaky', 'queue', 'advisory'])('%s', (situation) => {
  test.each(pages)('%s has something to show and to choose', async (path) => {
    const { status, text } = await read(inSituation(path, situation));
    expect(status).toBe(200);
    expect(text).toMatch(new RegExp(`<a href="\\?[^"]*situation=${situation}"[^>]*aria-current="true"`));
    expect(getText(text)).not.toMatch(/No data|No runs in this range|Nothing found/);
  });
});

/** What a page of the demo says in a situation. */
const readIn = async (situation: string, path: string) => {
  const { text } = await read(inSituation(path, situation));
  return getText(text);
};
const findNumber = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? Number.NaN);

test.each([
  ['flaky', 'a higher flaky rate', `${harbor}/workflows/41000?tab=reliability`, /Flaky rate ([\d.]+) %/, 5],
  ['flaky', 'more waste', '/demo/cost', /Wasted per month ≈ \$([\d.]+)/, 1.5],
  ['advisory', 'more severe alerts', '/demo/security', /Critical or high at least (\d+)/, 2],
  ['advisory', 'more affected repositories', '/demo/security', /Affected repositories at least (\d+)/, 3],
])('%s has %s than the usual situation', async (situation, _, path, pattern, times) => {
  const [usual, situated] = await Promise.all(['mixed', situation].map((one) => readIn(one, path)));
  expect(findNumber(situated ?? '', pattern)).toBeGreaterThanOrEqual(times * findNumber(usual ?? '', pattern));
});

test('healthy has fewer failures, no wasted spend and no severe alert', async () => {
  const rate = /Failure rate ([\d.]+) %/;
  const [usual, healthy] = await Promise.all(['mixed', 'healthy'].map((one) => readIn(one, '/demo')));
  expect(findNumber(healthy ?? '', rate)).toBeLessThan(findNumber(usual ?? '', rate) / 2);
  expect(await readIn('healthy', '/demo/ci')).toContain('No wasted spend found');
  expect(await readIn('healthy', '/demo/security')).toMatch(/0 critical 0 high/);
});

test('after an advisory Home says first what is affected and what fixes it', async () => {
  const path = /Apply Including bots (Critical advisories .*) CI by repository/;
  const [, advisory = ''] = path.exec(await readIn('advisory', '/demo')) ?? [];
  expect(advisory).toMatch(
    /^Critical advisories All alerts critical tide-table at least 16 repositories, update to 4\.2\.1 or 3\.9\.6 Alerts All alerts/,
  );
  const { text } = await read('/demo?situation=advisory');
  expect(text).toContain('/demo/security?org=lumen-harbor&amp;rule=GHSA-t1de-tab1-e042&amp;situation=advisory"');
  expect(await readIn('healthy', '/demo')).not.toContain('tide-table');
});

test('a slow queue makes runs wait for minutes, on the page of CI and of each workflow', async () => {
  const wait = /Queue wait (\d+) (s|min)/;
  for (const path of ['/demo/ci?view=slow', `${harbor}/workflows/41000`]) {
    const [usual, slow] = await Promise.all(['mixed', 'queue'].map((one) => readIn(one, path)));
    expect([path, wait.exec(usual ?? '')?.[2], wait.exec(slow ?? '')?.[2]]).toEqual([path, 's', 'min']);
  }
});

test('Home begins with the open alerts of its situation, and all of them are on the page of alerts', async () => {
  const [queue, healthy] = await Promise.all(['queue', 'healthy'].map((one) => readIn(one, '/demo')));
  expect(queue).toMatch(/Alerts All alerts \d+ open alerts in the last 7 days .*Queue wait, p95 in lumen-harbor\//);
  expect(healthy).toContain('no open alerts 4 active rules. 1 off, muted or without data.');
  const { text } = await read('/demo?situation=queue');
  expect(text).toContain('href="/demo/alerts?situation=queue"');
  const alerts = await read('/demo/alerts?situation=queue');
  expect(getText(alerts.text)).toMatch(/p95 queue wait in each synced repository .* Firing/);
  expect(alerts.text).not.toMatch(/<form[^>]*action="\/(demo\/)?alerts/);
});

test('rules of the demo cannot be changed', async () => {
  const { status, text } = await site.visit('/demo/alerts', { form: { intent: 'delete', id: '1' } });
  expect(status).toBe(403);
  expect(text).toContain('Firing');
});

test('an address without a situation has the usual one, and an unknown one is rejected', async () => {
  const { text } = await read('/demo/ci');
  expect(text).toMatch(/situation=mixed"[^>]*aria-current="true"/);
  const unknown = await read('/demo/ci?situation=x');
  expect(unknown.status).toBe(400);
  expect(getText(unknown.text)).toContain('situation is none of mixed, healthy, flaky, queue, advisory.');
  expect(unknown.text).toContain('<a href="/demo">Open the demo</a>');
});

/** Links to other pages of the demo. */
const linksOf = (html: string) =>
  [...html.matchAll(/<a [^>]*?href="(\/demo[^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

test.each([...pages, '/demo/org/lumen-harbor', '/demo/explain?metric=failure_rate&range=30', '/demo/search?q=ci'])(
  'every link of %s keeps the situation, sent whole or in parts',
  async (path) => {
    const address = inSituation(path, 'flaky');
    for (const cookie of ['', 'das_scripts=1']) {
      const { text } = await site.visit(address, { headers: { cookie } });
      const links = linksOf(text);
      expect(links.length).toBeGreaterThan(8);
      expect(links.filter((href) => !/[?&]situation=flaky(#|&|$)/.test(href))).toEqual([]);
    }
    const { text } = await read(path);
    expect(linksOf(text).filter((href) => href.includes('situation'))).toEqual([]);
  },
);

test('a number that is opened is the one of its situation', async () => {
  const [, href = ''] = /<h3><a href="([^"]*failure_rate[^"]*)"/.exec((await read('/demo?situation=flaky')).text) ?? [];
  const [shown, opened] = [
    await readIn('flaky', '/demo'),
    getText((await site.visit(href.replaceAll('&amp;', '&'))).text),
  ];
  const rate = /Failure rate ([\d.]+) %/.exec(shown)?.[1];
  expect(rate).toBeDefined();
  expect(opened).toContain(`Value ${rate} %`);
});

describe.each([true, false])('with scripts: %s', (javaScriptEnabled) => {
  test('a situation that is chosen stays while moving between the pages', async () => {
    const context = await (await sharedBrowser()).newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${site.url}/demo/security`);
    const picker = page.getByRole('region', { name: 'Situation' });
    await picker.getByRole('link', { name: 'Advisory' }).click();
    await page.waitForURL(/situation=advisory/);
    await page.getByText(/^All\s\d+\srules/).click();
    const advisory = page.getByRole('row').filter({ hasText: 'tide-table' }).first();
    await advisory.getByRole('cell', { name: '16', exact: true }).waitFor();
    // Links say the situation, in the rail and in tables.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'CI', exact: true }).click();
    await page.waitForURL(/\/demo\/ci\?.*situation=advisory/);
    await page.getByRole('table').getByRole('link', { name: 'Deploy' }).first().click();
    await page.waitForURL(/\/workflows\/.*situation=advisory/);
    await picker.getByRole('link', { name: 'Mixed' }).click();
    await page.waitForURL(/situation=mixed/);
    await context.close();
  });
});
