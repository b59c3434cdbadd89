import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sourceErrors } from '../codehost-double/security.ts';
import { buildFleet, dropManagers } from '../reports/organization-security/security-world.ts';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { startSite } from '../support/site.ts';
import { getText, visitSite } from './visited-site.ts';

const day = 86_400_000;
const visit = visitSite();

/** The fleet, of which every repository is open to one advisory; fourteen of them on a release that has a fix. */
function spreadAdvisory(): void {
  buildFleet(visit.site.double);
  for (let number = 1; number <= 16; number++)
    visit.site.double.putAlert(`many/fleet-${String(number).padStart(2, '0')}`, {
      source: 'dependabot',
      number: 90,
      createdAt: Date.now() - number * day,
      severity: 'critical',
      title: 'Rudder turns by itself',
      subject: 'rudder',
      advisory: 'GHSA-1616-1616-1616',
      fixAvailable: number > 2,
      patchedVersion: number > 2 ? '2.4.1' : null,
      htmlUrl: `https://codehost.example/many/fleet-${number}/security/dependabot/90`,
    });
}

beforeAll(spreadAdvisory);
afterAll(async () => closeContexts(await sharedBrowser()));

/** The repositories in the table of a page. */
const repositories = (html: string) =>
  [...html.matchAll(/<th scope="row"><a href="\/repos\/many\/([\w-]+)\/security/g)].map(([, name]) => name);

describe.each([
  { way: 'with scripts', scripts: true },
  { way: 'without scripts', scripts: false },
])('an advisory that hits sixteen repositories, $way', ({ scripts }) => {
  test('is answered from the start page in three clicks, with package, fix and alert of each', async () => {
    const browser = await sharedBrowser();
    const context: BrowserContext = await browser.newContext({ javaScriptEnabled: scripts });
    try {
      await visit.site.signInBrowser(context);
      const page: Page = await context.newPage();
      await page.goto(visit.site.url);
      let clicks = 0;
      const click = async (region: string, name: string | RegExp) => {
        clicks += 1;
        await page
          .getByRole('navigation', { name: region })
          .or(page.getByRole('group', { name: region }))
          .getByRole('link', { name, exact: typeof name === 'string' })
          .first()
          .click();
      };
      await click('Main', 'Security');
      await page.getByRole('heading', { level: 1, name: 'Security of octo' }).waitFor();
      await click('Organization', 'many');
      await page.getByRole('heading', { level: 1, name: 'Security of many' }).waitFor();
      await click('Repositories by advisory or rule', /rudder/);
      await page.getByRole('heading', { level: 2, name: 'rudder: Rudder turns by itself' }).waitFor();
      expect(clicks).toBeLessThanOrEqual(3);
      const facts = await page.getByRole('region', { name: /^rudder/ }).innerText();
      expect(facts).toMatch(/Update to 2\.4\.1/);
      expect(facts).toMatch(/none yet for 2\salerts/);
      expect(facts).toMatch(/16\srepositories/);
      const filter = page.getByRole('navigation', { name: 'About', exact: true });
      expect(await filter.locator('[aria-current]').innerText()).toBe('GHSA-1616-1616-1616');
      const table = page.getByRole('table', { name: /^Affected repositories/ });
      expect(await table.locator('tbody tr').count()).toBe(16);
      const [first = ''] = await table.locator('tbody tr').allInnerTexts();
      expect(first.replaceAll('\u00a0', ' ')).toMatch(/fleet-16.*critical.*package-lock\.json.*2\.4\.1.*16 d/s);
      expect(await table.getByText('no fix yet').count()).toBe(2);
      expect(await table.getByRole('link', { name: '#90' }).first().getAttribute('href')).toBe(
        'https://codehost.example/many/fleet-16/security/dependabot/90',
      );
    } finally {
      await context.close();
    }
  });
});

test('Home says why critical advisories are not known', async () => {
  expect((await visit.readPlain('/')).content).toContain('Critical advisories Security Choose an organization.');
  visit.site.double.fault({ path: /dependabot\/alerts/, times: 100 }, { kind: 'status', status: 500 });
  expect((await visit.readPlain('/?org=sealed')).content).toMatch(
    /Critical advisories (Security Could|All alerts None)/,
  );
});

test('Home of an organization begins with its critical advisories, and of one without any says nothing of them', async () => {
  const { content } = await visit.readPlain('/?org=many');
  expect(content).toMatch(
    /Critical advisories All alerts critical rudder (at least )?16 repositories, update to 2\.4\.1 .*Needs attention/,
  );
  expect((await visit.readPlain('/?org=sealed')).content).not.toContain('Critical advisories');
});

describe('the security of an organization', () => {
  test('opens each of its numbers, with the same filter', async () => {
    const page = await visit.readPlain('/security?org=many&severity=critical');
    const links = page.links.filter((href) => href.startsWith('/explain?metric=org_'));
    expect(links).toHaveLength(5);
    for (const href of links) {
      expect(href).toContain('severity=critical');
      const { status, content } = await visit.read(href);
      expect([href, status, content.includes('critical')]).toEqual([href, 200, true]);
    }
  });

  test('leads to the page of each repository with the same choices, and to the platform', async () => {
    const { links, text } = await visit.readPlain('/security?org=many&severity=critical&age=30');
    const [first = ''] = repositories(text);
    expect(links).toContain(`/repos/many/${first}/security?severity=critical&age=30`);
    expect(links).toContain(`https://github.com/many/${first}/security`);
    const file = '/api/codehost/org-security?org=many&limit=20&page=1&severity=critical&age=30';
    expect(links).toContain(`${file}&format=csv`);
    expect(links).toContain(`${file}&table=rules&format=csv`);
    expect((await visit.read(`${file}&table=rules&format=csv`)).text).toContain('GHSA-0000-0000-0003,dependabot,');
  });

  test('is narrowed by severity, age and source, and each choice leaves as many rows as it says', async () => {
    const { text } = await visit.readPlain('/security?org=many');
    const [filters = ''] = /<section class="filters" aria-label="Filter repositories">.*?<\/section>/s.exec(text) ?? [];
    const choices = [...filters.matchAll(/href="([^"]+)"[^>]*>([^<]+ (\d+))</g)];
    expect(choices.length).toBe(10);
    expect(choices.filter(([, , , left]) => left === '0')).toEqual([]);
    for (const [, href = '', label, left] of choices) {
      const chosen = await visit.readPlain(`/security${href.replaceAll('&amp;', '&')}`);
      expect([label, repositories(chosen.text).length]).toEqual([label, Number(left)]);
    }
  });

  test('has no number of a repository without a listed alert, and says how many its totals cover', async () => {
    const { content } = await visit.readPlain('/security?org=octo');
    expect(content).toMatch(/Open alerts at least \d+ .* Covers \d of 8 repositories Alerts are about/);
    expect(content).toMatch(/api public (– None listed; the source may be off\. ){4,}/);
    const opened = await visit.readPlain('/explain?metric=org_open_security_alerts&org=octo');
    expect(opened.content).toMatch(/Excluded repositories .* octo\/api none listed, sources may be off/);
  });

  test('names the repository that its numbers do not cover, and why', async () => {
    const { content, links } = await visit.readPlain('/demo/security');
    const [, name] = /Not covered: ([\w-]+) 1 with sources not readable/.exec(content) ?? [];
    expect(links).toContain(`/demo/repos/lumen-harbor/${name}/security`);
    expect(content).toMatch(new RegExp(`${name} \\w+ (– No source is on\\. ){5}(not enabled ){3}`));
    expect(content).not.toContain('No source could be read.');
    const among = await visit.readPlain('/demo/security?range=90&state=unreadable');
    expect(among.content).toContain('Not covered: 1 repository');
    expect(among.links).toContain('?range=90#repositories');
  });

  test('opens what is not known with the choices made, and only where these leave any', async () => {
    const chosen = '?situation=advisory&range=90';
    const { links, content } = await visit.readPlain(`/demo/security${chosen}`);
    expect(content).toMatch(/Severe workflow findings \d+ 19 repositories scanned/);
    // In the disclosure and in the filter.
    expect(links.filter((one) => one === `${chosen}&state=not_enabled`)).toHaveLength(2);
    const opened = await visit.readPlain(`/demo/security${chosen}&state=not_enabled`);
    expect([...opened.text.matchAll(/<th scope="row"><a href="\/demo\/repos/g)]).toHaveLength(2);
    const none = await visit.readPlain(`/demo/security${chosen}&rule=nothing-of-the-kind`);
    expect(none.content).toContain('4 sources not enabled');
    // A choice that leaves nothing is not offered.
    expect(none.links.filter((one) => one.includes('state='))).toHaveLength(0);
    expect(none.links).toContain(chosen);
  });

  test('is nothing where nothing matches, and says how to go on', async () => {
    const { content, links } = await visit.readPlain('/security?org=many&rule=GHSA-0000-none-0000');
    expect(content).toContain('No repository matches.');
    expect(links).toContain('?org=many');
    const wrong = await visit.read('/security?org=many&age=60');
    expect([wrong.status, wrong.content]).toEqual([400, expect.stringContaining('Bad request.')]);
  });

  test('of nobody is not there', async () => {
    expect((await visit.read('/security?org=nobody')).status).toBe(404);
  });

  test('is not asked for where there is no organization', async () => {
    const { world } = visit.site.double;
    world.accounts.push({ id: 900, login: 'nia', name: 'Nia', email: null, memberOf: [] });
    world.tokens.push({ token: 'token-nia', login: 'nia', scopes: ['repo'], authorizedFor: [], only: [] });
    const { status, content } = await visit.read('/security', await visit.site.signIn('token-nia'));
    expect([status, content]).toEqual([200, expect.stringContaining('You are in no organization')]);
  });

  test('is of one whose repositories are seen, where the token lists no organization', async () => {
    const { status, content } = await visit.read('/security', await visit.site.signIn('token-ann-fine'));
    expect([status, content]).toEqual([200, expect.stringContaining('Security of octo')]);
  });
});

test('organizations that cannot be listed are not taken for none', async () => {
  const site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  try {
    const cookie = await site.signIn();
    site.double.fault({ path: '/user/orgs', times: 9 }, { kind: 'status', status: 502 });
    const known = await site.visit('/security', { cookie });
    expect([known.status, getText(known.text)]).toEqual([200, expect.stringContaining('Security of octo')]);
    expect(getText(known.text)).toContain('Not all organizations could be listed');
    site.double.fault({ path: '/user/repos', times: 9 }, { kind: 'status', status: 502 });
    const { status, text } = await site.visit('/security', { cookie: await site.signIn('token-ann-two') });
    expect([status, getText(text)]).toEqual([502, expect.stringContaining('Organizations could not be listed.')]);
    expect(getText(text)).not.toContain('You are in no organization');
  } finally {
    await site.stop();
  }
});

test('whoever may not read the lists of an organization is shown a page at a time, and what is missing', async () => {
  const site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  try {
    dropManagers(site.double);
    site.double.rejectAlerts('many/repo-003', 'secret_scanning', sourceErrors.secretScanningOff);
    site.double.rejectAlerts('many/repo-004', 'code_scanning', sourceErrors.codeScanningRefused);
    const cookie = await site.signIn();
    const { text } = await site.visit('/security?org=many', { cookie });
    for (const one of [
      'Incomplete. More may be open.',
      'they are known for the repositories on this page only',
      'a classic token needs security_events',
      'at least',
      'Covers 20 of 205 repositories',
      '1 with sources not readable',
      '1 source not enabled',
      'no access',
      'not enabled',
      '1–20 of 205 repositories',
    ])
      expect(getText(text)).toContain(one);
    const unreadable = await site.visit('/security?org=many&state=unreadable', { cookie });
    expect(repositories(unreadable.text)).toEqual(['repo-004']);
    const second = await site.visit('/security?org=many&page=2', { cookie });
    expect(repositories(second.text)[0]).toBe('repo-021');
    expect(site.double.violations).toEqual([]);
  } finally {
    await site.stop();
  }
});

test('who lacks one of the features sees the other part; who lacks both, neither', async () => {
  const site = await startSite({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  try {
    const ann = await site.signIn('token-ann');
    const bo = await site.signIn('token-bo');
    const put = (groups: string[]) =>
      fetch(`${site.url}/api/admin/users/102/groups`, {
        method: 'PUT',
        headers: { cookie: ann, origin: site.url, 'content-type': 'application/json' },
        body: JSON.stringify({ groups }),
      });
    await put(['dev']);
    const dev = await site.visit('/security?org=octo', { cookie: bo });
    expect([dev.status, getText(dev.text)]).toEqual([
      200,
      expect.stringContaining(
        'Security alerts is not available. It shows open alerts for dependencies, code and secrets.',
      ),
    ]);
    expect(getText(dev.text)).not.toMatch(/Critical 0|Dependencies 0|Not readable 0|Clear filter/);
    const chosen = await site.visit('/security?org=octo&rule=workflows', { cookie: bo });
    expect(getText(chosen.text)).toContain('Clear filter');
    expect(getText(dev.text)).toContain('Severe workflow findings');
    expect(getText(dev.text)).not.toMatch(/Critical or high \d|\d open\b/);
    await put(['pm']);
    const pm = await site.visit('/security?org=octo', { cookie: bo });
    expect([pm.status, getText(pm.text)]).toEqual([403, expect.stringContaining('not granted')]);
    expect(pm.text).not.toContain('href="/security');
  } finally {
    await site.stop();
  }
});
