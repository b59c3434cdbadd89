import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workflowIds } from '../codehost-double/named-world.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const web = '/repos/octo/web';
const ci = `${web}/workflows/${workflowIds.webCi}`;
const harbor = '/demo/repos/lumen-harbor';

/** Pages of a person alone, one of every kind. */
const pages = [
  '/',
  '/repositories',
  web,
  ...['', '?tab=performance', '?tab=reliability', '?tab=triggers', '?tab=cost', '?tab=runs&run=5010'].map(
    (tab) => `${ci}${tab}`,
  ),
  ...['deployments', 'team', 'issues', 'issues/new', 'security', 'changes'].map((page) => `${web}/${page}`),
  '/team',
  '/team?org=octo',
  '/contributor/ana?owner=octo',
  '/contributor/ana/brief?owner=octo',
  '/working-habits',
  '/org/octo',
  '/org/octo/health',
  '/org/octo/merge-queues',
  '/security?org=octo',
  '/security?org=octo&severity=low',
  '/pull-requests',
  '/deployments',
  '/ci',
  '/cost?org=octo',
  '/explain?metric=lead_time&owner=octo&repo=web',
  '/reports',
  '/reports?repo=octo%2Fweb',
  '/alerts',
  '/views',
  ...['', '/session', '/email', '/ai', '/team', '/working-habits', '/jobs'].map((page) => `/settings${page}`),
];

/** Pages for everybody, and those that do not open. */
const open = [
  '/demo',
  `${harbor}/beacon-api`,
  `${harbor}/tidewater-web/deployments`,
  `${harbor}/tidewater-web/security`,
  `${harbor}/beacon-api/team?range=last-60`,
  '/demo/working-habits?org=lumen-harbor&range=90',
  '/demo/org/lumen-harbor/health',
  '/demo/org/lumen-harbor/merge-queues',
  '/demo/org/lumen-harbor/advisor',
  '/demo/security',
  '/demo/search?q=ci',
  '/demo/pull-requests',
  '/demo/deployments',
  '/demo/ci',
  '/demo/ci?view=slow',
  '/demo/ci?view=waste',
  '/demo/cost',
  '/demo/alerts',
  '/demo/reports',
  '/demo/reports?repo=lumen-harbor%2Fbeacon-api',
  '/docs',
  '/docs?q=email',
  '/docs?q=zzzz',
  '/docs/numbers',
  '/docs/configuration',
  '/docs/processes',
  '/docs/open/mcp',
  '/docs/metrics',
  '/docs/metrics/lead_time',
  '/docs/api',
  '/setup',
  '/nothing',
  '/demo/nothing',
];

const administration = ['users', 'permissions', 'audit', 'identity-links', 'sessions'].map((page) => `/admin/${page}`);

let browser: Browser;
let alone: Site;
let organization: Site;

beforeAll(async () => {
  const env = { RATE_LIMIT_SESSION_PER_MINUTE: '0' };
  [browser, alone, organization] = await Promise.all([
    sharedBrowser(),
    startSite(env),
    startSite({ ...env, MODE: 'organization' }),
  ]);
  await organization.signIn('token-ann');
  await organization.signIn('token-bo');
});

afterAll(async () => {
  await closeContexts(browser);
  await Promise.all([alone?.stop(), organization?.stop()]);
});

const looks = [
  { width: 390, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
] as const;

/** What is wrong with pages as somebody, or a visitor, sees them: the page, the rule and the first to break it. */
async function violations(site: Site, token: string | null, paths: readonly string[]): Promise<string[]> {
  // The policy of our pages lets no foreign script in.
  const context = await browser.newContext({ bypassCSP: true });
  const found: string[] = [];
  try {
    if (token !== null) await site.signInBrowser(context, token);
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(`${site.url}${path}`);
      await page.evaluate(axe);
      for (const { width, colorScheme } of looks) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        for (const one of await broken(page)) found.push(`${path}, ${width} px, ${colorScheme}: ${one}`);
      }
    }
  } finally {
    await context.close();
  }
  return found;
}

const broken = (page: Page) =>
  page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as { axe: typeof Axe };
    // What is in order is reported of one element only, and stays in the browser: there are thousands.
    const { violations } = await axe.run({ runOnly: tags, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}, ${nodes.length} times, as ${nodes[0]?.html}`);
  }, rules);

describe('no rule of WCAG 2.2 AA or of good practice is broken, on a phone in light and a wide screen in dark', () => {
  test('on pages of somebody alone', async () => {
    expect(await violations(alone, 'token-ann', pages)).toEqual([]);
  });

  test('on pages for everybody, and those that do not open', async () => {
    expect(await violations(alone, null, open)).toEqual([]);
  });

  test('on pages of an organization', async () => {
    expect(await violations(organization, 'token-ann', administration)).toEqual([]);
    expect(await violations(organization, 'token-bo', ['/no-access'])).toEqual([]);
    expect(await violations(organization, null, ['/login'])).toEqual([]);
  });
});
