import { describe, expect, test } from 'vitest';
import { withoutOwnScripts } from '../support/form-page.ts';
import { getText, visitSite } from './visited-site.ts';

const visit = visitSite();

describe('the overview of an organization', () => {
  test('opens each of its four numbers', async () => {
    const { text } = await visit.read('/org/octo');
    const links = [...text.matchAll(/href="(\/explain\?[^"]+)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );
    const counted = ['9 visible', '2 repositories with a run', '21 loaded runs', '17 runs that passed or failed'];
    for (const [index, metric] of ['total_repos', 'active_repos', 'total_runs', 'pooled_success_rate'].entries()) {
      const href = links.find((one) => one.includes(`metric=${metric}&`)) ?? '';
      expect((await visit.read(href)).content, metric).toContain(counted[index]);
    }
  });

  test('says how the runs went, and of how many', async () => {
    const page = await visit.read('/org/octo');
    expect(page.status).toBe(200);
    for (const said of ['65 %', 'n = 17', 'All runs weighted equally', 'as of', '1 archived'])
      expect(page.content).toContain(said);
    expect(page.content).toContain('Mean of 2 repositories by their last ten results on the default branch: 62 %.');
    for (const name of ['web', 'api', 'no-actions']) expect(page.text).toContain(`href="/repos/octo/${name}"`);
    expect(page.text).toContain('href="/repositories?org=octo"');
    expect(withoutOwnScripts(page.text)).not.toMatch(/<script[^>]+src=/);
    expect(page.content).not.toContain('Incomplete');
  });

  test('sorts the repositories of its table by link', async () => {
    const { text } = await visit.read('/org/octo');
    const href = /href="([^"]*repositories=workflows-desc[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(href).toBe('?repositories=workflows-desc#repositories');
    const sorted = (await visit.read(`/org/octo${href.split('#')[0]}`)).text;
    const counts = [...sorted.matchAll(/data-label="Workflows">(?:<[^>]*>)*(\d+)/g)].map(([, value]) => Number(value));
    expect(counts.length).toBeGreaterThan(2);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    expect(sorted).toContain('id="repositories"');
  });

  test('opens its rate', async () => {
    const { text } = await visit.read('/org/octo');
    const href = /href="(\/explain\?metric=pooled_success_rate[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await visit.read(href)).content).toContain('web: CI #5011');
  });

  test('names what could not be read, and says which way the numbers err', async () => {
    const bo = await visit.site.signIn('token-bo');
    visit.site.double.fault({ path: '/repos/octo/api/actions/runs', times: 9 }, { kind: 'status', status: 502 });
    const page = await visit.read('/org/octo?limit=10', bo);
    expect(page.content).toContain('Runs of octo/api could not be loaded.');
    expect(page.content).toContain('at least');
    expect(page.content).not.toContain('secret');
  });

  test('has the same figures however many repositories its table lists', async () => {
    const read = async (more: string) => {
      visit.site.double.requests.length = 0;
      const { text } = await visit.read(`/org/many${more}`);
      const [cards = ''] = getText(text).match(/Refresh.*(?=Lowest success rates)/) ?? [];
      const lists = visit.site.double.requests.filter(({ operation }) =>
        operation?.startsWith('actions/list-workflow-runs'),
      );
      const rows = text.match(/<th scope="row"/g)?.length ?? 0;
      return { cards, lists: lists.length, rows };
    };
    const usual = await read('');
    expect(usual.cards).toMatch(/Repositories .*Active repositories .*Runs in 30 days .*Success rate/);
    expect([usual.lists, usual.rows]).toEqual([20, 20]);
    const few = await read('?limit=3');
    expect([few.cards, few.lists, few.rows]).toEqual([usual.cards, 0, 3]);
    const many = await read('?limit=50');
    // Those that the figures are of are not read again.
    expect([many.cards, many.lists, many.rows]).toEqual([usual.cards, 30, 50]);
    expect((await visit.read('/org/many?limit=0')).status).toBe(400);
  });

  test('says where only the latest runs of a repository count', async () => {
    const { double } = visit.site;
    const { now } = double.world;
    double.addRuns('octo/api', 150, { from: now - 20 * 86_400_000, to: now - 86_400_000, firstId: 900_001 });
    const { content } = await visit.read('/org/octo', await visit.site.signIn('token-ann-two'));
    expect(content).toContain('For 1 repository only the latest 100 runs count towards the success rate.');
  });

  test('of nobody is not there', async () => {
    expect((await visit.read('/org/nobody')).status).toBe(404);
    expect((await visit.read('/org/ann')).status).toBe(404);
  });

  test('is reached from the repositories of the organization', async () => {
    expect((await visit.read('/?org=octo')).text).toContain('href="/org/octo"');
    expect((await visit.site.visit('/demo')).text).toContain('href="/demo/org/lumen-harbor"');
  });

  test('exists in the demo', async () => {
    const { status, text } = await visit.site.visit('/demo/org/lumen-harbor');
    expect(status).toBe(200);
    expect(getText(text)).toContain('tidewater-web');
    expect(text).not.toContain('href="/repos/');
  });
});

describe('the health of an organization', () => {
  test('shows both parts of each score, and who has none', async () => {
    const page = await visit.readFinished('/org/octo/health');
    expect(page.status).toBe(200);
    for (const said of ['40 at risk', 'medium (50)', 'by frequency, time to restore; estimated'])
      expect(page.content).toContain(said);
    for (const said of ['1 person (25)', '60 % delivery', '80 % of commits', 'Archived old', 'Forks fork'])
      expect(page.content).toContain(said);
    expect(withoutOwnScripts(page.text)).not.toMatch(/<script[^>]+src=/);
    expect(page.text).not.toContain('location.reload()');
    expect(page.content).toMatch(/At risk 1 below 50 Watch/);
    const few = await visit.readFinished('/org/octo/health?limit=2');
    expect(few.content).toContain('below 50, of the 2 pushed to last');
  });

  test('is filtered by band and sorted by link', async () => {
    const atRisk = await visit.readFinished('/org/octo/health?band=at_risk');
    expect(atRisk.text).toContain('>api</a></th>');
    expect(atRisk.text).not.toContain('>web</a></th>');
    expect((await visit.readFinished('/org/octo/health?band=healthy')).content).toContain(
      'No repositories in this band.',
    );
    const byName = (await visit.readFinished('/org/octo/health?sort=name&dir=desc')).text;
    const names = [...byName.matchAll(/>([a-z-]+)<\/a><\/th>/g)].map(([, name]) => name);
    expect(names).toEqual([...names].sort().reverse());
    expect(names).toHaveLength(6);
  });

  test('looks again by itself only while the first scores are being computed', async () => {
    visit.site.double.fault({ path: '/graphql', times: 2, after: 20 }, { kind: 'latency', ms: 5000 });
    const page = await visit.read('/org/many/health?limit=20');
    expect(page.text).toContain('location.reload()');
    expect(page.links).toContain('/org/many/health?limit=20');
    expect(page.content).toMatch(/Computing scores: \d+ of 20 repositories left\. Next: [a-z]+-\d+\./);
    expect(page.content).toMatch(/\d+ of 20 so far/);
    const done = await visit.readFinished('/org/many/health?limit=20');
    expect(done.text).not.toContain('location.reload()');
  });

  test('says when the quota is left to people', async () => {
    const bo = await visit.site.signIn('token-bo');
    visit.site.double.budgets.setRemaining('bo', 'graphql', 900);
    const page = await visit.read('/org/octo/health', bo);
    expect(page.content).toContain('Paused to save API quota');
    expect(page.text).not.toContain('location.reload()');
  });

  test('exists in the demo', async () => {
    const { status, text } = await visit.site.visit('/demo/org/lumen-harbor/health');
    expect(status).toBe(200);
    expect(getText(text)).toContain('Median score');
    expect(text).not.toContain('"/api/codehost');
  });
});
