import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { workflowIds } from '../codehost-double/named-world.ts';
import { type Site, startSite } from '../support/site.ts';

const hour = 3_600_000;
const web = '/repos/octo/web';
const ci = `${web}/workflows/${workflowIds.webCi}`;

let site: Site;
let ann = '';
let bo = '';

beforeAll(async () => {
  site = await startSite({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  ann = await site.signIn('token-ann');
  bo = await site.signIn('token-bo');
  const now = Date.now();
  // Thirty runs of ten minutes, then one of two hours.
  for (let index = 0; index < 30; index++) {
    const createdAt = now - (80 - index) * hour;
    const lasted = (10 * 60 + (index % 5) * 7) * 1000;
    site.double.putRun('octo/fork', {
      id: 6001 + index,
      createdAt,
      startedAt: createdAt,
      updatedAt: createdAt + lasted,
    });
  }
  const createdAt = now - 3 * hour;
  site.double.putRun('octo/fork', { id: 6099, createdAt, startedAt: createdAt, updatedAt: createdAt + 2 * hour });
});

afterAll(() => site?.stop());

const labels = (html: string) =>
  html
    .replace(/<(script|style|title)\b.*?<\/\1>/gs, ' ')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/(&nbsp;|\s)+/g, ' ');

const read = async (path: string, cookie = bo) => {
  const page = await site.visit(path, { cookie });
  return { ...page, words: labels(page.text) };
};

/** Paths that a page links to. */
const getLinks = (html: string) =>
  new Set([...getAddresses(html)].map((href) => href.replace(/\?.*/, '')).filter((one) => one !== ''));

const getAddresses = (html: string) =>
  new Set([...html.matchAll(/<a [^>]*?href="([^"#]*)/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')));

/** Puts bo into these groups and no others, as an administrator does. */
async function putBoInto(...groups: string[]): Promise<void> {
  const answer = await fetch(`${site.url}/api/admin/users/102/groups`, {
    method: 'PUT',
    headers: { cookie: ann, origin: site.url, 'content-type': 'application/json' },
    body: JSON.stringify({ groups }),
  });
  expect(answer.status).toBe(200);
}

describe('a visitor', () => {
  test.each([
    ['/', '/login'],
    ['/cost?org=octo', '/login?return_to=%2Fcost%3Forg%3Docto'],
    ['/admin/users', '/login?return_to=%2Fadmin%2Fusers'],
    ['/settings', '/login?return_to=%2Fsettings'],
    ['/no-access', '/login?return_to=%2Fno-access'],
  ])('of %s is sent to %s', async (path, place) => {
    const { status, location } = await site.visit(path);
    expect([status, location]).toEqual([302, place]);
  });

  test.each(['/docs', '/demo', '/demo/cost', '/demo/org/lumen-harbor', '/login'])('reads %s', async (path) => {
    expect((await site.visit(path)).status).toBe(200);
  });

  test('who sends a form is sent to sign in, and nothing is done', async () => {
    const { status, location } = await site.visit('/settings/team', { form: { timezone: 'Europe/Berlin' } });
    expect([status, location]).toEqual([302, '/login']);
  });
});

describe('somebody in no group', () => {
  beforeAll(() => putBoInto());

  test.each(['/', web, '/team', '/cost', '/reports', '/settings', '/admin/users', '/explain?metric=lead_time'])(
    'is sent on from %s',
    async (path) => {
      const { status, location } = await read(path);
      expect([status, location]).toEqual([302, '/no-access']);
    },
  );

  test('is offered nothing that does not open', async () => {
    const { text } = await read('/docs');
    for (const path of ['/', '/team', '/cost', '/reports', '/settings', '/admin/users'])
      expect(getLinks(/<nav aria-label="Main">.*?<\/nav>/s.exec(text)?.[0] ?? '')).not.toContain(path);
    expect((await read('/settings/session')).status).toBe(200);
  });
});

describe('somebody in the group security', () => {
  beforeAll(() => putBoInto('security'));

  test.each([
    ['/', 200],
    [web, 200],
    [`${web}/security`, 200],
    [`${web}/changes`, 200],
    ['/org/octo', 200],
    ['/security', 200],
    ['/settings', 200],
    [`${web}/deployments`, 403],
    [`${web}/team`, 403],
    [`${web}/issues`, 403],
    [`${web}/issues/new`, 403],
    ['/team', 403],
    ['/contributor/ana?owner=octo', 403],
    ['/contributor/ana/brief?owner=octo', 403],
    ['/org/octo/health', 403],
    ['/org/octo/merge-queues', 403],
    ['/ci', 403],
    ['/cost', 403],
    ['/reports', 403],
    ['/explain?metric=lead_time&owner=octo&repo=web', 403],
    ['/settings/team', 403],
    ['/settings/working-habits', 403],
    ['/admin/users', 403],
    ['/admin/sessions', 403],
    ['/admin/permissions', 403],
    ['/admin/audit', 403],
    ['/admin/identity-links', 403],
  ])('gets for %s the status %i', async (path, status) => {
    expect((await read(path)).status).toBe(status);
  });

  test('reads what is missing, what it would show, and who can help', async () => {
    const page = await read('/cost');
    expect(page.words).toMatch(/Cost: not granted About: Minutes, billing and workflow cost/);
    expect(page.words).toContain(
      'None of your groups has this feature. An administrator can grant “Cost” to one of them. Your groups and the administrators Go to the repositories',
    );
    expect((await read('/no-access')).words).toContain('Administrators: ann');
    expect(page.words).toContain('Overview');
    expect(page.headers.get('content-security-policy')).toContain("'nonce-");
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.text.match(/<h1/g)).toHaveLength(1);
    expect(page.text.trimEnd().endsWith('</html>')).toBe(true);
    expect((await read('/admin/users')).words).toContain('Only administrators can open this page.');
    // A page with scripts, too, is answered whole and without any.
    expect((await read('/reports')).text).not.toContain('<script');
  });

  test('is led nowhere that refuses', async () => {
    const led = new Set<string>();
    for (const path of [
      '/',
      web,
      `${web}/security`,
      `${web}/changes`,
      ci,
      '/org/octo',
      '/security',
      '/settings',
      '/cost',
    ])
      for (const link of getAddresses((await read(path)).text))
        if (link.startsWith('/') && !link.startsWith('/api')) led.add(link);
    expect(led.size).toBeGreaterThan(10);
    for (const path of ['/team', '/cost', '/reports', `${web}/team`, `${web}/deployments`, '/admin/users'])
      expect([...led].map((one) => one.replace(/\?.*/, ''))).not.toContain(path);
    for (const path of led) expect([path, (await read(path)).status]).toEqual([path, 200]);
  });

  test('sees in one line what a page leaves out', async () => {
    const overview = await read(web);
    expect(overview.words).toMatch(
      /Delivery is not available. Delivery metrics shows deployment frequency.*Ask an administrator/,
    );
    expect(overview.words).toContain('Workflows');
    const workflow = await read(ci);
    expect(workflow.words).toMatch(/Highlights is not available/);
    const tabs = /<nav[^>]*aria-label="Pages of CI".*?<\/nav>/s.exec(workflow.text)?.[0] ?? '';
    expect(labels(tabs).trim()).toBe('Overview Runs');
  });

  test('changes nothing by a form of a page that does not open', async () => {
    const form = { csrf: /name="csrf" value="([^"]+)"/.exec((await read('/docs')).text)?.[1] ?? '' };
    const settings = { ...form, timezone: 'Europe/Berlin', start: '9', end: '17' };
    expect((await site.visit('/settings/team', { cookie: bo, form: settings })).status).toBe(403);
    const cell = { ...form, cell: 'security.costAnalytics.yes' };
    expect((await site.visit('/admin/permissions', { cookie: bo, form: cell })).status).toBe(403);
    expect((await read('/cost')).status).toBe(403);
    expect((await read('/settings/team', ann)).words).toContain('Defaults.');
  });
});

describe('somebody in the groups dev and pm', () => {
  beforeEach(() => putBoInto('dev', 'pm'));

  test('has what either has', async () => {
    for (const path of ['/cost', '/contributor/ana?owner=octo', `${web}/issues/new`, `${web}/team`])
      expect([path, (await read(path)).status]).toEqual([path, 200]);
    expect((await read(`${web}/changes`)).status).toBe(403);
    // One of the two features of a page opens it; the other part is excluded.
    const security = await read(`${web}/security`);
    expect([security.status, security.words]).toEqual([
      200,
      expect.stringContaining('Security alerts is not available.'),
    ]);
    expect(security.words).toContain('of 2 workflow files scanned');
  });

  test('is offered to file an issue and to open profiles only while they may', async () => {
    const [{ id }] = JSON.parse((await read('/api/codehost/workflows?owner=octo&repo=fork')).text);
    const slow = `/repos/octo/fork/workflows/${id}?tab=reliability`;
    const filing = async () => getLinks((await read(slow)).text).has('/repos/octo/fork/issues/new');
    const profiles = async () =>
      [...getLinks((await read(`${web}/team?range=30`)).text)].some((one) => /^\/contrib/.test(one));
    expect([await filing(), await profiles()]).toEqual([true, true]);
    await putBoInto('pm');
    expect([await filing(), await profiles()]).toEqual([false, true]);
    await putBoInto('dev');
    expect([await filing(), await profiles()]).toEqual([true, false]);
  });

  test('hides what they do not need, and may still open it', async () => {
    const { text } = await read('/settings');
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const offered = [...text.matchAll(/name="shown"[^>]*? value="(\w+)"|value="(\w+)"[^>]*? name="shown"/g)];
    const keys = offered.map(([, one, other]) => one ?? other ?? '');
    expect(keys).toContain('costAnalytics');
    expect(keys).not.toContain('auditTrail');
    const body = new URLSearchParams([['csrf', csrf], ...keys.map((key) => ['shown', key])]);
    for (const key of ['costAnalytics', 'dora']) body.delete('shown', key);
    const sent = await fetch(`${site.url}/settings`, {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: { cookie: bo, origin: site.url },
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/settings?saved=hiding']);
    const prefs = sent.headers.getSetCookie()[0]?.split(';')[0];
    expect(prefs).toBe('das_prefs=dora.costAnalytics');
    const hiding = `${bo}; ${prefs}`;
    expect(getLinks((await read('/docs', hiding)).text)).not.toContain('/cost');
    expect((await read(web, hiding)).words).toContain('Delivery is hidden by your settings.');
    const reviews = `${bo}; das_prefs=reviewBottleneck.anomalyDetection.nothing`;
    expect((await read(`${web}/team?range=30`, reviews)).words).toContain(
      'Review bottlenecks is hidden by your settings',
    );
    expect((await read(`${ci}?tab=reliability`, reviews)).words).toContain('Unusual is hidden by your settings');
    const cost = await read('/cost', hiding);
    expect([cost.status, cost.words]).toEqual([200, expect.stringContaining('is hidden by your settings')]);
    const response = await site.visit('/api/codehost/repo-dora?owner=octo&repo=web', { cookie: hiding });
    expect(response.status).toBe(200);
    const foreign = await site.visit('/settings', { cookie: bo, form: { csrf: 'foreign' } });
    expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([403, []]);
  });
});
