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
  '/demo/ci',
  '/demo/security',
  harbor,
  `${harbor}/workflows/41000`,
  '/demo/cost',
  '/demo/team?org=lumen-harbor',
];

describe.each(['healthy', 'flaky', 'queue', 'advisory'])('%s', (situation) => {
  test.each(pages)('%s has something to show and to choose', async (path) => {
    const { status, text } = await site.visit(`${path}${path.includes('?') ? '&' : '?'}situation=${situation}`, {});
    expect(status).toBe(200);
    expect(text).toMatch(new RegExp(`<a href="\\?[^"]*situation=${situation}"[^>]*aria-current="true"`));
    expect(getText(text)).not.toMatch(/No data|No runs in this range|Nothing found/);
  });
});

test('an address without a situation, or with an unknown one, has the usual one', async () => {
  const [usual, unknown] = await Promise.all([site.visit('/demo/ci', {}), site.visit('/demo/ci?situation=x', {})]);
  for (const { text } of [usual, unknown]) expect(text).toMatch(/situation=mixed"[^>]*aria-current="true"/);
});

describe.each([true, false])('with scripts: %s', (javaScriptEnabled) => {
  test('a situation that is chosen stays while moving between the pages', async () => {
    const context = await (await sharedBrowser()).newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${site.url}/demo/security`);
    const picker = page.getByRole('region', { name: 'Situation' });
    await picker.getByRole('link', { name: 'Advisory' }).click();
    await page.waitForURL(/situation=advisory/);
    await page.getByText('16 repositories').first().waitFor();
    // Links of the rail say the situation, and others are led to it.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'CI', exact: true }).click();
    await page.waitForURL(/\/demo\/ci\?.*situation=advisory/);
    await page.getByRole('table').getByRole('link', { name: 'Deploy' }).first().click();
    await page.waitForURL(/\/workflows\/.*situation=advisory/);
    await picker.getByRole('link', { name: 'Mixed' }).click();
    await page.waitForURL(/situation=mixed/);
    await page.goto(`${site.url}/demo`);
    expect(page.url()).toBe(`${site.url}/demo`);
    await context.close();
  });
});
