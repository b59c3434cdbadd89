import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import routes from '../../app/routes.ts';
import { duration } from '../../server/domain/quantity.ts';
import { scriptTitle, workflowIds } from '../codehost-double/named-world.ts';
import { withoutOwnScripts } from '../support/form-page.ts';
import { startSite } from '../support/site.ts';
import { type Known, pages } from './known-pages.ts';
import { getText, visitSite } from './visited-site.ts';

const ci = `/repos/octo/web/workflows/${workflowIds.webCi}`;
/** Stored for 30 s, because a run of it is still under way. */
const soonOld = `${ci}?per_page=20`;

const visit = visitSite();
let warmedAt = 0;

beforeAll(async () => {
  await visit.read(soonOld);
  warmedAt = Date.now();
});

/** Pages as ann, or a visitor, reads them first: several tests look at the same answer. */
const firstReads = new Map<string, ReturnType<typeof visit.site.visit>>();
function readFirst(path: string, cookie?: string) {
  const key = `${cookie} ${path}`;
  const first = firstReads.get(key) ?? visit.site.visit(path, cookie === undefined ? {} : { cookie });
  firstReads.set(key, first);
  return first;
}

describe('every page', () => {
  test('is looked at here', () => {
    const declared = routes.flatMap((one) => one.children ?? [one]).map(({ path = '' }) => path);
    const elsewhere = ['api/*', 'demo/api/*', 'theme', 'sign-out', 'demo/repos/:owner/:repo/workflows/:workflowId'];
    elsewhere.push('login', 'no-access', ...declared.filter((path) => path.startsWith('admin/')));
    elsewhere.push(...declared.filter((path) => /(cost-analytics|repo\/audit)$/.test(path)));
    expect(new Set([...pages.map(({ route }) => route), ...elsewhere])).toEqual(new Set(declared));
  });

  test.each(pages)('$path is complete without scripts', async ({ route, path, says, status = 200, scripts }) => {
    const page = await (/:org\/(health|advisor)$/.test(route) ? visit.readFinished(path) : readFirst(path, visit.ann));
    const content = getText(page.text);
    expect(page.status).toBe(status);
    for (const one of says) expect(content).toContain(one);
    expect(page.text.trimEnd().endsWith('</html>')).toBe(true);
    expect(page.text.match(/<h1/g)).toHaveLength(1);
    expect(page.text.match(/<main/g)).toHaveLength(1);
    expect(page.text.match(/<title>[^<]+ · Delivery Analytics<\/title>.*<\/head>/s)).toHaveLength(1);
    expect(page.text.match(/<meta name="description" content="[^"]{20,}".*<\/head>/s)).toHaveLength(1);
    // Nothing is filled in later, and nothing runs where nothing needs to.
    expect(page.text).not.toContain('<!--$?-->');
    if (!scripts) expect(withoutOwnScripts(page.text)).not.toMatch(/<script|rel="modulepreload"/);
    expect(page.text).not.toContain(scriptTitle);
    expect(content).not.toMatch(/undefined|NaN|\[object|Invalid Date/);
  });

  test.each(pages)('$path asks a visitor to sign in, or is open', async ({ path, open, status = 200 }) => {
    const { status: given, location } = await readFirst(path);
    const signIn = path === '/' ? '/setup' : `/setup?return_to=${encodeURIComponent(path).replaceAll('%20', '+')}`;
    expect([given, location]).toEqual(open ? [status, ''] : [302, signIn]);
  });

  // Those of shared pages are stricter, and have a test of their own.
  test.each(pages.filter(({ path }) => !path.startsWith('/s/')))(
    '$path carries the security headers',
    async ({ path, open }) => {
      const { headers, text } = await readFirst(path, visit.ann);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('x-powered-by')).toBeNull();
      const policy = headers.get('content-security-policy') ?? '';
      const nonce = /script-src 'self' 'nonce-([\w-]{20,})'(;|$)/.exec(policy)?.[1];
      expect(nonce).toBeTruthy();
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      const inline = withoutOwnScripts(text).match(/<script[^>]*>/g) ?? [];
      expect(inline.every((one) => one.includes(`nonce="${nonce}"`))).toBe(true);
      const again = await (open ? readFirst(path) : visit.site.visit(path, { cookie: visit.ann }));
      expect(again.headers.get('content-security-policy')).not.toContain(nonce);
    },
  );

  test('shows names that look like markup as text', async () => {
    const escaped = '&lt;script&gt;alert(1)&lt;/script&gt;';
    const paths = [
      '/repositories',
      '/repos/octo/web/workflows',
      `${ci}?tab=runs`,
      `/repos/octo/web/workflows/${workflowIds.webScript}`,
    ];
    const evidence = '/explain?metric=stale_count&owner=octo&repo=web';
    for (const path of [...paths, '/repos/octo/web/issues', evidence])
      expect((await visit.read(path)).text, path).toContain(escaped);
  });
});

test.each([
  ['/', 'Overview'],
  ['/repositories', 'Repositories'],
  ['/repos/octo/web/team', 'Repositories'],
  ['/org/octo', 'Repositories'],
  ['/contributor/ana?owner=octo', 'Team'],
  ['/explain?metric=lead_time&owner=octo&repo=web', 'Repositories'],
  ['/team', 'Team'],
  ['/security?org=octo', 'Security'],
  ['/reports', 'Reports'],
  ['/docs/api', 'Documentation'],
  ['/settings/team', 'Settings'],
  ['/demo', 'Overview'],
  ['/demo/org/lumen-harbor', 'Repositories'],
  ['/demo/team', 'Team'],
  ['/demo/security', 'Security'],
  ['/pull-requests', 'Pull requests'],
  ['/demo/pull-requests', 'Pull requests'],
  ['/deployments', 'Deployments'],
  ['/demo/deployments', 'Deployments'],
  ['/ci', 'CI'],
  ['/demo/ci?view=slow', 'CI'],
])('the rail marks one place on %s: %s', async (path, place) => {
  const { text } = await visit.read(path);
  const rail = /<nav aria-label="Main">.*?<\/nav>/s.exec(text)?.[0] ?? '';
  expect([...rail.matchAll(/aria-current="page">(?:<svg.*?<\/svg>)?([^<]*)/gs)].map(([, label]) => label)).toEqual([
    place,
  ]);
});

test.each([
  ['metric=beauty', 'metric is not one of the known values.'],
  ['metric=stale_count&owner=octo', 'repo is required for stale_count.'],
  ['metric=lead_time&owner=octo&repo=web&days=x', 'days must be a whole number.'],
])('a number that cannot be opened by %s says what is wrong', async (query, problem) => {
  const { status, content } = await visit.read(`/explain?${query}`);
  expect([status, content]).toEqual([400, expect.stringContaining(`Bad request. ${problem}`)]);
  expect(content).not.toContain('Counted');
});

test('links lead somewhere, and files of the demo are its own', async () => {
  const found = new Map<string, string>();
  for (const { path } of pages.filter(({ status = 200 }) => status === 200)) {
    const { text } = await readFirst(path, visit.ann);
    for (const [, href = ''] of text.matchAll(/<a [^>]*?href="([^"#]*)/g)) {
      const {
        href: whole,
        origin,
        pathname,
        searchParams,
      } = new URL(href.replaceAll('&amp;', '&'), visit.site.url + path);
      if (origin !== visit.site.url) continue;
      const format = searchParams.get('format');
      if (format !== null) expect(pathname.startsWith('/demo/'), `${path} → ${href}`).toBe(path.startsWith('/demo'));
      const parts = pathname.split('/');
      found.set(`${parts.slice(0, 2)} ${parts.length} ${searchParams.get('metric')} ${format}`, whole);
    }
  }
  expect(found.size).toBeGreaterThan(40);
  for (const complete of found.values())
    expect([complete, (await visit.read(complete.slice(visit.site.url.length))).status]).toEqual([complete, 200]);
});

test('a stored repository whose workflow takes longer than before says so in words, and how many are known', async () => {
  const now = Date.now();
  for (let index = 0; index < 60; index++) {
    const createdAt = now - (60 - index) * 8 * 3_600_000;
    const updatedAt = createdAt + (index < 40 ? 9 : 14) * 60_000 + (index % 3) * 1000;
    visit.site.double.putRun('octo/no-issues', { id: 90_000 + index, createdAt, updatedAt });
  }
  const known = 'Known for 0 of 9 repositories with recent stored runs';
  expect((await visit.read('/repositories?org=octo')).content).toContain(known);
  const sync = `${visit.site.url}/api/db/sync?owner=octo&repo=no-issues`;
  await fetch(sync, { method: 'POST', headers: { cookie: visit.ann, origin: visit.site.url } });
  const { content: words } = await visit.read('/repositories?org=octo');
  expect(words).toMatch(
    /octo\/no-issues .{0,40}slowing CI takes 14 min 1 s instead of 9 min 1 s since \d+ [A-Z][a-z]{2}\./,
  );
  expect(words).toContain(known.replace('0', '1'));
  const order = ['octo/api', 'octo/no-issues', 'octo/web'].map((name) => words.indexOf(name));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

const failing = { kind: 'status', status: 500, message: 'canary of the platform' } as const;

/** Reads pages as somebody of whom nothing was read before, and expects nothing in them that the platform said. */
async function expectNothingRepeated(known: readonly Known[]): Promise<void> {
  const stranger = await visit.site.signIn('token-ann-fine');
  const visited = await Promise.all(known.map(({ path }) => visit.read(path.replace('/web', '/fork'), stranger)));
  for (const { status, text, content } of visited) {
    expect([200, 404, 422, 502, 503]).toContain(status);
    expect(content).not.toMatch(/canary|SOMETHING|\bat \S+:\d+:\d+|node_modules|\.[cm]?[jt]sx?\b|ECONN|Error:/);
    expect(text).not.toContain(visit.site.double.url);
  }
}

// Before anything else is read as the same person, which might go on in the background.
test('open pages repeat nothing that a failing platform said, however it fails: they send it no request', async () => {
  await visit.site.signIn('token-ann-fine');
  const { double } = visit.site;
  double.requests.length = 0;
  double.fault({ times: 10_000 }, failing);
  await expectNothingRepeated(pages.filter(({ open }) => open));
  expect(double.requests.filter(({ token }) => token !== 'token-ann')).toEqual([]);
});

describe('a page says why', () => {
  test('there is nothing', async () => {
    expect((await visit.read('/repos/octo/empty')).content).toMatch(/empty repository.*No workflows/);
    expect((await visit.read('/repositories?q=nothing-like-this')).content).toMatch(
      /No repositories match these filters. Clear filters/,
    );
    expect((await visit.read(`/repos/octo/web/workflows/${workflowIds.webScript}`)).content).toContain('No runs yet');
    expect((await visit.read(`/repos/octo/web/workflows/${workflowIds.webScript}`)).content).toContain('No runs yet');
  });

  test('it does not exist, in the same words as when it cannot be seen', async () => {
    const bo = await visit.site.signIn('token-bo');
    const missing = await visit.read('/repos/octo/nope', bo);
    const hidden = await visit.read('/repos/octo/secret', bo);
    expect([missing.status, hidden.status]).toEqual([404, 404]);
    const withoutId = ({ content }: { content: string }) => content.replace(/Request [\w-]+/, 'Request');
    expect(withoutId(hidden)).toBe(withoutId(missing));
    expect(hidden.content).toContain('Overview');
    expect((await visit.read(`${ci}9`)).status).toBe(404);
    expect((await visit.read('/repos/octo/web/workflows/abc')).status).toBe(400);
    expect((await visit.read(`${ci}?run=1`)).content).toContain(
      'Not found. It does not exist, or your account cannot see it',
    );
  });

  test('an organization wants single sign-on', async () => {
    const page = await visit.read('/?org=sealed', await visit.site.signIn('token-ann-two'));
    expect(page.content).toContain('Single sign-on needed.');
    expect(page.content).not.toContain('sealed/ledger');
  });

  test('the platform refuses', async () => {
    visit.site.double.fault({ path: '/repos/octo/web/actions/runs/5008/*', times: 9 }, { kind: 'status', status: 403 });
    const page = await visit.read(`${ci}?tab=runs&run=5008`);
    expect(page.content).toContain(
      'Access denied. Your token lacks permission, or the owner does not allow it. Use another token',
    );
    expect(page.content).toContain('Change 5011');
  });

  test('the quota is used up, and until when', async () => {
    visit.site.double.fault({ path: '/repos/octo/web/actions/runs/5006/*', times: 9 }, { kind: 'primary_limit' });
    expect((await visit.read(`${ci}?tab=runs&run=5006`)).content).toMatch(
      /Rate limit reached. It resets at .*\(Asia\/Saigon\), in/,
    );
  });

  test('numbers are incomplete', async () => {
    visit.site.double.fault({ path: '/repos/octo/api/actions/runs', times: 9 }, { kind: 'status', status: 500 });
    const page = await visit.read('/repositories', await visit.site.signIn('token-ann-fine'));
    expect(page.content).toContain('Incomplete. Some repositories could not be read in full. Rows say which.');
    expect(page.content).toContain('67 % of 9');
    expect(page.content).not.toContain('57 % of 7');
  });

  test('stored data is needed, when there is no database', async () => {
    const bare = await startSite({ DATABASE_URL: '' });
    try {
      const cookie = await bare.signIn();
      const repositories = await bare.visit('/repositories', { cookie });
      expect(getText(repositories.text)).toContain('67 % of 9');
      const home = await bare.visit('/', { cookie });
      expect(getText(home.text)).toContain('failing octo/api');
      expect(getText(home.text)).not.toContain('Key figures');
      expect(home.text).not.toContain('href="/reports"');
      expect(getText(home.text)).not.toMatch(/open alert|no active rules/);
      const alerts = await bare.visit('/alerts', { cookie });
      expect([alerts.status, getText(alerts.text)]).toEqual([503, expect.stringContaining('Database required.')]);
      const reports = await bare.visit('/reports?repo=octo%2Fweb', { cookie });
      expect(getText(reports.text)).toContain('Database required. This needs a database');
      expect((await bare.visit('/repos/octo/web', { cookie })).text).not.toContain('>Trends</a>');
      const habits = await bare.visit('/working-habits?repo=octo/web', { cookie });
      expect(getText(habits.text)).toContain('This needs a database. Set DATABASE_URL to enable it.');
    } finally {
      await bare.stop();
    }
  });
});

test.each([
  failing,
  { kind: 'status', status: 422, message: 'canary of the platform' },
  { kind: 'malformed_json' },
  { kind: 'graphql_error', type: 'SOMETHING', message: 'canary of the platform' },
] as const)('no page repeats what a failing platform said: $kind $status', async (fault) => {
  await visit.site.signIn('token-ann-fine');
  visit.site.double.fault({ times: 10_000 }, fault);
  await expectNothingRepeated(pages.filter(({ open }) => !open));
});

test('charts say the numbers of the answers in a table too', async () => {
  const { text } = await visit.read(ci);
  // The bars of the critical path have their numbers beside them.
  expect(text.match(/<figure(?![^>]*aria-label="Critical-path)/g)?.length).toBe(text.match(/>Show as table</g)?.length);
  const runs = JSON.parse(
    (await visit.read(`/api/codehost/runs?owner=octo&repo=web&workflow_id=${workflowIds.webCi}`)).text,
  );
  const rows = [...(text.split('>Show as table<')[1] ?? '').matchAll(/<tr><th scope="row">.*?<\/tr>/gs)].map(String);
  const ended = runs
    .filter(({ outcome }: { outcome: string }) => outcome === 'pass' || outcome === 'fail')
    .toReversed();
  expect(rows).toHaveLength(ended.length);
  for (const [index, run] of ended.entries())
    expect(getText(rows[index] ?? '')).toContain(duration(run.duration_ms).replaceAll('\u00a0', ' '));
});

test('what was read a while ago stands in, with its time, when the platform fails', async () => {
  await sleep(Math.max(0, warmedAt + 31_000 - Date.now()));
  visit.site.double.fault({ path: '/repos/octo/web/actions/*', times: 999 }, { kind: 'status', status: 502 });
  const page = await visit.read(soonOld);
  expect(page.content).toMatch(/Not fresh. As of \d+ \w+ \d{4}, \d\d:\d\d/);
  expect(page.content).toContain('1 h 13 min');
});
