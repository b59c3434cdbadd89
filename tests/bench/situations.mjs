// What `contact-sheets.mjs` pictures: the pages for somebody who sees everything, nothing, a part, or may not look.
import { addBusyRepository } from '../recorded/busy-repository.ts';
import { openBrowser } from '../support/browser.ts';
import { startSite } from '../support/site.ts';
import { administration, open, shareable, signedIn, unknown } from './visited-pages.mjs';
import { ofRules, watch } from './watched.mjs';

const always = 1_000_000;
const standalone = { RATE_LIMIT_SESSION_PER_MINUTE: '0' };
const shared = { RATE_LIMIT_SESSION_PER_MINUTE: '0', MODE: 'organization' };

/** Pages beside those that are measured. */
const alsoSignedIn = [
  '/search',
  '/search?q=octo',
  '/views',
  '/cost?view=bill&org=octo',
  '/explain?metric=deploys_per_day&owner=octo&repo=tide',
  '/working-habits?org=octo&range=90',
];
const mine = [...new Set([...signedIn, ...alsoSignedIn])];
const inOrganization = [
  '/',
  '/ci',
  '/team',
  '/cost',
  '/security',
  '/repos/octo/web',
  '/org/octo',
  '/settings',
  '/settings/jobs',
  '/settings/telemetry',
  '/settings/webhooks',
  '/settings/shares',
  '/settings/sharing',
  '/alerts',
];
const ofNobody = [
  '/repos/octo/nowhere',
  '/repos/octo/nowhere/team',
  '/repos/octo/web/workflows/1',
  '/org/nobody',
  '/team?org=nobody',
  '/cost?org=nobody',
  '/contributor/nobody?owner=octo',
  '/explain?metric=nothing',
  '/explain',
  '/reports?owner=octo&repo=nowhere',
  '/search?q=zzz',
  '/demo/nothing',
];
const harbor = '/demo/repos/lumen-harbor/tidewater-web';
const situated = ['healthy', 'flaky', 'queue', 'advisory'].flatMap((situation) =>
  ['/demo', '/demo/ci', '/demo/security', harbor, `${harbor}/workflows/41000`, '/demo/cost', `${harbor}/security`].map(
    (path) => `${path}?situation=${situation}`,
  ),
);
const alsoOpen = [
  '/login',
  `${harbor}/issues/new`,
  ...['overview', 'performance', 'reliability', 'triggers', 'cost', 'runs'].map(
    (tab) => `${harbor}/workflows/41000?tab=${tab}`,
  ),
  '/demo/search',
  '/demo/cost?view=runner',
  '/docs/start',
  '/docs/configuration',
];

/** Only 403 and 404 may stand where somebody may not look. */
const fine = (path) => (unknown.includes(path) ? [404] : [200]);
/** Where the platform answers nothing more, a page says so. */
const limited = (path) => [...fine(path), 429];
const refused = (path) => [...fine(path), 403, 404];

/** Each begins with a service and a platform of its own, so that nothing is cached from another. */
export const situations = [
  {
    title: 'full demo',
    env: standalone,
    token: null,
    paths: [...new Set([...open, ...alsoOpen])],
    expected: fine,
  },
  { title: 'demo situations', env: standalone, token: null, paths: situated, expected: fine },
  {
    title: 'shared',
    env: standalone,
    token: 'token-ann',
    paths: shareable.map((path) => `${path}#shared`),
    expected: fine,
    prepare: syncBusy,
  },
  { title: 'full signed in', env: standalone, token: 'token-ann', paths: mine, expected: fine, prepare: syncBusy },
  {
    title: 'full organization',
    env: shared,
    token: 'token-ann',
    paths: [...administration, ...inOrganization, '/admin/permissions?person=bo'],
    expected: fine,
    prepare: (site) => site.signIn('token-bo'),
  },
  {
    title: 'rules',
    env: standalone,
    token: 'token-ann',
    paths: ofRules,
    expected: () => [200, 400],
    prepare: watchBusy,
  },
  {
    title: 'rules organization',
    env: shared,
    token: 'token-ann',
    paths: ['/alerts', '/', '/admin/audit', '/admin/audit?category=all', '/settings/email', '/settings/ai'],
    expected: fine,
    prepare: watchBusy,
  },
  {
    title: 'rules of others',
    env: { ...shared, DEFAULT_GROUP: 'dev' },
    token: 'token-bo',
    paths: ['/alerts', '/'],
    expected: fine,
    prepare: watchBusy,
  },
  { title: 'unknown names', env: standalone, token: 'token-ann', paths: ofNobody, expected: () => [200, 400, 404] },
  {
    title: 'loading',
    env: standalone,
    token: 'token-ann',
    paths: mine,
    expected: fine,
    prepare: holdPlatform,
    isLoading: true,
  },
  { title: 'empty not synced', env: standalone, token: 'token-ann', paths: mine, expected: fine },
  {
    title: 'empty newcomer',
    env: standalone,
    token: 'token-newcomer',
    paths: mine.filter((path) => !path.includes('octo')),
    expected: fine,
    prepare: addNewcomer,
  },
  {
    title: 'empty organization',
    env: shared,
    token: 'token-ann',
    paths: [...administration, ...inOrganization.filter((path) => !path.includes('octo'))],
    expected: fine,
    prepare: ({ double: { world } }) => {
      world.repositories = [];
    },
  },
  { title: 'partial', env: standalone, token: 'token-ann', paths: mine, expected: fine, prepare: failSome },
  {
    title: 'partial limited',
    env: standalone,
    token: 'token-ann',
    paths: mine,
    expected: limited,
    prepare: spendBudget,
  },
  { title: 'forbidden token', env: standalone, token: 'token-ann', paths: mine, expected: refused, prepare: refuseAll },
  {
    title: 'forbidden member',
    env: shared,
    token: 'token-bo',
    paths: [...administration, ...inOrganization, '/no-access'],
    expected: refused,
  },
  {
    title: 'forbidden developer',
    env: { ...shared, DEFAULT_GROUP: 'dev' },
    token: 'token-bo',
    paths: [...administration, ...inOrganization, '/repos/octo/secret', '/settings/team', '/settings/ai'],
    expected: refused,
  },
];

export const startBrowser = openBrowser;

/** A service in a situation; `close` ends it. */
export async function startSituation({ env, prepare }) {
  const site = await startSite(env);
  addBusyRepository(site.double.world);
  await prepare?.(site);
  return site;
}

/** Stores the runs of two repositories. */
async function syncBusy(site) {
  const cookie = await site.signIn();
  for (const repo of ['tide', 'web']) {
    const headers = { cookie, origin: site.url };
    await fetch(`${site.url}/api/db/sync?owner=octo&repo=${repo}`, { method: 'POST', headers });
  }
}

async function watchBusy(site) {
  await syncBusy(site);
  await watch(site, await site.signIn());
}

/** The platform answers nothing for now. */
async function holdPlatform(site) {
  await site.signIn();
  const { promise } = Promise.withResolvers();
  site.double.fault({ path: /./, times: always }, { kind: 'held', until: promise });
}

/** Somebody who belongs to nothing and has no repository. */
function addNewcomer({ double: { world } }) {
  world.accounts.push({ id: 900, login: 'nia', name: 'Nia', email: null, memberOf: [] });
  world.tokens.push({ token: 'token-newcomer', login: 'nia', scopes: ['repo'], authorizedFor: [], only: null });
  world.repositories = [];
}

/** Jobs, reviews, alerts of dependencies and one repository cannot be read. */
async function failSome(site) {
  await syncBusy(site);
  const { double } = site;
  const down = { kind: 'status', status: 502 };
  for (const path of [/\/actions\/runs\/\d+/, /\/dependabot\//, /^\/repos\/octo\/api\//, /\/settings\/billing/])
    double.fault({ path, times: always }, down);
  double.fault(
    { path: '/graphql', times: always },
    { kind: 'failing_field', field: 'PullRequest.reviews', type: 'SERVICE_UNAVAILABLE' },
  );
}

/** The platform answers nothing more within this hour. */
async function spendBudget(site) {
  await syncBusy(site);
  site.double.fault({ path: /./, times: always }, { kind: 'primary_limit' });
}

/** The token may sign in and read no repository's actions, alerts, bills or history. */
async function refuseAll(site) {
  await site.signIn();
  const paths = [/\/actions\//, /\/(dependabot|code-scanning|secret-scanning)\//, /\/settings\/billing/];
  for (const path of paths) site.double.fault({ path, times: always }, { kind: 'status', status: 403 });
  site.double.fault({ path: '/graphql', times: always }, { kind: 'graphql_error', type: 'FORBIDDEN' });
}
