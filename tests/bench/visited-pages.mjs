// The pages that `pages.mjs` measures and `contact-sheets.mjs` pictures: every address that the tests know, and some more
// of every kind, on a built service.
import { pages } from '../e2e/known-pages.ts';
import { addBusyRepository } from '../recorded/busy-repository.ts';
import { openBrowser } from '../support/browser.ts';
import { startSite } from '../support/site.ts';

const ci = '/repos/octo/web/workflows/7001';
const harbor = '/demo/repos/lumen-harbor';

const addressesOf = (known) => known.map(({ path }) => path);
/** Addresses of nothing. */
export const unknown = ['/nothing', ...addressesOf(pages.filter(({ status }) => status === 404))];

const ofOne = [
  '/',
  '/repositories',
  '/ci?org=octo',
  '/security?org=octo',
  '/repos/octo/tide',
  ...[
    'pull-requests',
    'workflows',
    'deployments',
    'issues',
    'issues/new',
    'team',
    'security',
    'changes',
    'advisor',
  ].map((page) => `/repos/octo/tide/${page}`),
  '/repos/octo/empty',
  ci,
  ...['performance', 'reliability', 'triggers', 'cost', 'runs&run=5010'].map((tab) => `${ci}?tab=${tab}`),
  '/org/octo',
  '/org/octo/health',
  '/org/octo/merge-queues',
  '/org/octo/advisor',
  '/org/octo/actions',
  '/org/octo/exposure?name=actions/checkout',
  '/org/octo/ai-authorship',
  '/repos/octo/web/merge-queue',
  '/team?org=octo',
  ...['reviews', 'repositories'].map((view) => `/team?org=octo&view=${view}`),
  ...['reviews', 'knowledge', 'workload', 'runs'].map((view) => `/repos/octo/web/team?view=${view}`),
  '/contributor/ana?owner=octo',
  '/contributor/ana/brief?owner=octo',
  '/pull-requests?org=octo',
  '/deployments?org=octo',
  '/working-habits',
  '/cost?org=octo',
  '/explain?metric=lead_time&owner=octo&repo=web',
  '/reports?repo=octo%2Fweb',
  '/alerts',
  ...['', '/session', '/tokens', '/team', '/working-habits', '/ai', '/email', '/jobs'].map(
    (page) => `/settings${page}`,
  ),
];

/** Pages of somebody alone, on the world of the tests. */
export const signedIn = [...new Set([...ofOne, ...addressesOf(pages.filter(({ open }) => !open))])];

const ofAll = [
  '/demo',
  '/demo/pull-requests',
  '/demo/deployments',
  '/demo/ci',
  ...['slow', 'waste'].map((view) => `/demo/ci?view=${view}`),
  '/demo/security',
  '/demo/search?q=ci',
  '/demo/repositories',
  `${harbor}/beacon-api`,
  `${harbor}/tidewater-web/pull-requests`,
  `${harbor}/tidewater-web/workflows`,
  `${harbor}/beacon-api/workflows/41100`,
  `${harbor}/tidewater-web/deployments`,
  `${harbor}/beacon-api/issues`,
  `${harbor}/beacon-api/team?range=last-60`,
  `${harbor}/tidewater-web/security`,
  `${harbor}/tidewater-web/changes`,
  `${harbor}/tidewater-web/merge-queue`,
  `${harbor}/tidewater-web/merge-queue/entries`,
  `${harbor}/tidewater-web/merge-queue/entries?outcome=ejected`,
  `${harbor}/tidewater-web/merge-queue/batches`,
  `${harbor}/harbor-gateway/advisor`,
  '/demo/org/lumen-harbor',
  '/demo/org/lumen-harbor/health',
  '/demo/org/lumen-harbor/advisor',
  '/demo/org/lumen-harbor/actions',
  '/demo/org/lumen-harbor/exposure?name=harbor-tools/setup-lantern',
  '/demo/org/lumen-harbor/ai-authorship',
  '/demo/org/lumen-harbor/merge-queues',
  '/demo/team?org=lumen-harbor',
  ...['reviews', 'knowledge', 'workload', 'runs'].map((view) => `${harbor}/beacon-api/team?view=${view}`),
  '/demo/contributor/tuan-pham?owner=lumen-harbor',
  '/demo/contributor/tuan-pham/brief?owner=lumen-harbor',
  '/demo/working-habits?org=lumen-harbor&range=90',
  '/demo/cost',
  ...['repository', 'day'].map((view) => `/demo/cost?view=${view}`),
  '/demo/alerts',
  '/demo/alerts?back_test=2',
  '/demo/reports',
  '/demo/reports?repo=lumen-harbor%2Fbeacon-api',
  '/demo/explain?metric=deploys_per_day&owner=lumen-harbor&repo=tidewater-web',
  '/docs',
  '/docs/numbers',
  '/docs/metrics',
  '/docs/metrics/lead_time',
  '/docs/api',
  '/setup',
  '/docs?q=lead+time',
  '/nothing',
];

/** Pages for everybody. */
export const open = [...new Set([...ofAll, ...addressesOf(pages.filter(({ open }) => open))])];

/** Pages of an organization, for its administrators. */
export const administration = ['users', 'permissions', 'audit', 'identity-links', 'sessions', 'tokens'].map(
  (page) => `/admin/${page}`,
);

/** Pages of which links are made to what they say now. */
export const shareable = [
  '/repos/octo/web',
  ci,
  '/repos/octo/web/deployments',
  '/repos/octo/web/issues?range=90',
  '/org/octo',
  '/org/octo/health',
  '/reports?repo=octo%2Fweb',
  '/explain?metric=lead_time&owner=octo&repo=web',
];

/** Services and a browser for them; the runs of one repository are stored. */
export async function startVisits() {
  const env = { RATE_LIMIT_SESSION_PER_MINUTE: '0' };
  const [browser, alone, organization] = await Promise.all([
    openBrowser(),
    startSite(env),
    startSite({ ...env, MODE: 'organization' }),
  ]);
  addBusyRepository(alone.double.world);
  const cookie = await alone.signIn();
  const post = (path, body) => {
    const headers = { cookie, origin: alone.url, 'content-type': 'application/json' };
    return fetch(`${alone.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  for (const repo of ['tide', 'web']) await post(`/api/db/sync?owner=octo&repo=${repo}`, {});
  const shared = await Promise.all(shareable.map(async (page) => (await post('/api/shares', { page })).json()));
  return {
    browser,
    alone,
    groups: [
      { title: 'demo', site: alone, token: null, paths: open },
      { title: 'shared', site: alone, token: null, paths: shared.map(({ url }) => new URL(url).pathname) },
      { title: 'signed in', site: alone, token: 'token-ann', paths: signedIn },
      { title: 'organization', site: organization, token: 'token-ann', paths: administration },
    ],
    async close() {
      await browser.close();
      await Promise.all([alone.stop(), organization.stop()]);
    },
  };
}

/** A window of a visitor, or of somebody who is signed in. */
export async function openContext(browser, { site, token }, { width, theme, scripts = true }) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    javaScriptEnabled: scripts,
    // The policy of our pages lets no foreign script in, as axe is one.
    bypassCSP: true,
  });
  if (token !== null) await site.signInBrowser(context, token);
  return context;
}
