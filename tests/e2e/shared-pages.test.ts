import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everybody } from '../codehost-double/everybody.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { misdrawn, press, withoutScripts } from '../support/form-page.ts';
import { type Site, startSite } from '../support/site.ts';
import { synchronize } from '../support/synchronize.ts';

let browser: Browser;
let site: Site;
beforeAll(async () => {
  browser = await sharedBrowser();
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  await synchronize(site, await site.signIn('token-ann'), { owner: 'octo', repo: 'web' });
});
afterAll(async () => {
  await closeContexts(browser);
  await site?.stop();
});

/** Each page that can be shared, with its heading there and words of its parts. */
const pages: [address: string, heading: string, parts: readonly string[]][] = [
  ['/repos/octo/web', 'octo/web', ['Lead time to merge', 'Awaiting review', 'Default branch']],
  ['/repos/octo/web/workflows/7001', 'CI of octo/web', ['Critical path', 'Duration by day', 'Outcomes']],
  ['/repos/octo/web/deployments', 'Deployments of octo/web', ['Environments', 'Recent deployments']],
  ['/repos/octo/web/issues?range=90', 'Issues of octo/web', ['Age of open issues', 'Awaiting first response']],
  ['/org/octo', 'octo', ['Lowest success rates', 'Active repositories']],
  ['/org/octo/health', 'Health of octo', ['Repositories by score', 'Not scored']],
  [
    '/reports?repo=octo%2Fweb',
    'Reports of octo/web',
    ['Runs per day', 'Last 6 quarters', 'Last 30 days vs previous 30 days'],
  ],
  ['/reports?org=octo', 'Reports of octo', ['Runs per day', 'Last 30 days vs previous 30 days']],
  ['/explain?metric=lead_time&owner=octo&repo=web', 'of octo/web', ['Definition', 'Counted']],
];

test.each(pages)('%s is shared without people, links, forms and scripts', (address, heading, parts) =>
  withoutScripts({ site, browser, token: 'token-ann' }, async (page) => {
    await page.goto(address);
    await page.getByText('Share', { exact: true }).click();
    expect(await press(page, 'Share this page', 'Create link')).toBe(200);
    const path = new URL(await page.locator('output').innerText()).pathname;
    const { status, text } = await site.visit(path);
    expect(status).toBe(200);
    expect(/<h1>(.*?)<\/h1>/.exec(text)?.[1]).toContain(heading);
    for (const part of parts) expect(text).toContain(part);
    expect(text.match(/<(a|form|script|button|input|select)\b[^>]*>/g)).toBeNull();
    expect(text).not.toMatch(/\b(CSV|Refresh|Show all|Data coverage|Try again)</);
    // A coordinate of circles is called as somebody is.
    expect(named(text.replaceAll(' cy="', ' '))).toEqual([]);
    expect(await misdrawn(page, [path])).toEqual([]);
  }),
);

/** The logins, names and addresses of people that a text has, as words. */
function named(text: string): string[] {
  const { accounts } = site.double.world;
  const people = [
    ...everybody(site.double.world).map(({ login }) => login),
    ...accounts.flatMap(({ login, name, email }) => [login, name, email]),
  ];
  return [...new Set(people)].filter(
    (one) =>
      one && one !== 'octo' && new RegExp(`(?<![\\w-])${one.replace(/[[\].]/g, '\\$&')}(?![\\w-])`, 'i').test(text),
  ) as string[];
}
