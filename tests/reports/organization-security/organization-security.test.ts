import { beforeEach, describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import type { DoubleRepository } from '../../codehost-double/world.ts';
import { buildFleet, dropManagers, recount, theAdvisory } from './security-world.ts';

const visit = freshService();

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
type Answer = any;

const ask = (query: string, as = 'token-ann') =>
  visit.service.ask('GET', `/api/codehost/org-security?${query}`, { as });
const read = async (query: string, as = 'token-ann'): Promise<Answer> => {
  const { status, body } = await ask(query, as);
  expect([query, status]).toEqual([query, 200]);
  expect(visit.service.double.violations).toEqual([]);
  return body;
};
const now = () => visit.service.clock.now();
const names = ({ repos }: Answer): string[] => repos.map(({ repo }: { repo: string }) => repo);
const fleet = (severity?: string, rule?: string, age?: number) =>
  recount(visit.service.double, 'many', 'token-ann', now(), {
    ...(severity && { severity }),
    ...(rule && { rule }),
    ...(age && { age }),
  });

describe('the repositories of an organization', () => {
  beforeEach(() => buildFleet(visit.service.double));

  test('have the alerts of the world, counted once more from it', async () => {
    const { summary, repos, total_repos, read_repos } = await read('org=many');
    const world = fleet();
    expect([total_repos, read_repos, repos.length]).toEqual([16, 16, 16]);
    expect(summary).toMatchObject({
      open: world.counts,
      severe_count: world.counts.critical + world.counts.high,
      affected_repos: world.affected,
      oldest_open_days: world.oldest,
      // Three of the fleet have no alert, so that nothing tells whether their sources are on.
      known_repos: 13,
      at_least: true,
    });
    for (const { repo, open } of repos) {
      const counts = Object.values(world.repositories[repo] ?? {});
      expect([repo, open]).toEqual([repo, counts.some(Boolean) ? world.repositories[repo] : null]);
    }
  });

  test('count for their numbers only where a source is known to be on, and are named where not', async () => {
    const unknown = ['fleet-05', 'fleet-10', 'fleet-15'];
    const { repos } = await read('org=many');
    for (const row of repos.filter(({ repo }: Answer) => unknown.includes(repo)))
      expect(row).toMatchObject({ open: null, open_count: null, oldest_open_days: null, alerts: [], partial: false });
    const path = '/api/explain?metric=org_open_security_alerts&org=many';
    const { body } = await visit.service.ask('GET', path, { as: 'token-ann' });
    expect(body.coverage).toMatchObject({ complete: false, expected: 16, read: 13, reasons: ['none_listed'] });
    const excluded = body.repositories.filter(({ included }: Answer) => !included);
    expect(excluded).toEqual(unknown.map((repo) => ({ repo: `many/${repo}`, included: false, reason: 'none_listed' })));
  });

  test('are unknown as a whole where no list has an alert', async () => {
    for (const one of visit.service.double.world.repositories)
      for (const source of Object.values(one.security)) source.alerts.length = 0;
    expect((await read('org=many')).summary).toMatchObject({
      open: null,
      open_count: null,
      severe_count: null,
      affected_repos: null,
      known_repos: 0,
    });
  });

  test.each([
    ['severity=critical', 'critical'],
    ['severity=low', 'low'],
    ['age=30', undefined, undefined, 30],
    ['age=90&severity=high', 'high', undefined, 90],
    ['rule=dependabot', undefined, 'dependabot'],
    ['rule=secret_scanning', undefined, 'secret_scanning'],
    [`rule=${theAdvisory}`, undefined, theAdvisory],
    ['rule=code_scanning:subject-1', undefined, 'code_scanning:subject-1'],
    ['rule=nothing-of-the-kind', undefined, 'nothing-of-the-kind'],
  ])('with %s are those of the world that have it', async (query, severity?: string, rule?: string, age?: number) => {
    const body = await read(`org=many&${query}`);
    const world = fleet(severity, rule, age);
    const expected = Object.entries(world.repositories).filter(([, counts]) => Object.values(counts).some(Boolean));
    const found = body.repos.filter(({ open_count }: Answer) => open_count > 0);
    expect(names({ repos: found }).toSorted()).toEqual(expected.map(([repo]) => repo).toSorted());
    for (const { repo, open } of found) expect([repo, open]).toEqual([repo, world.repositories[repo]]);
    expect(body.summary.open).toEqual(world.counts);
    expect(body.summary.oldest_open_days).toBe(world.oldest);
  });

  test('come with the worst first, and for an advisory with those open for longest', async () => {
    const severities = (await read('org=many')).repos.map(({ open }: Answer) =>
      Object.values(open ?? [0, 0, 0, 0]).join(),
    );
    expect(severities).toEqual(severities.toSorted().reverse());
    const { repos } = await read(`org=many&rule=${theAdvisory.toLowerCase()}`);
    expect(repos.map(({ repo, oldest_open_days }: Answer) => [repo, oldest_open_days])).toEqual([
      ['fleet-12', 12],
      ['fleet-07', 7],
      ['fleet-02', 2],
    ]);
  });

  test('have the findings of their workflow files, and a rule chooses by them', async () => {
    const { summary, repos } = await read('org=many');
    const risky = repos.filter(({ workflows }: Answer) => workflows.findings.high > 0);
    expect(names({ repos: risky }).toSorted()).toEqual(['fleet-01', 'fleet-05', 'fleet-09', 'fleet-13']);
    const single = await visit.service.ask('GET', '/api/codehost/security-scan?owner=many&repo=fleet-01', {
      as: 'token-ann',
    });
    const { critical_count: critical, high_count: high, medium_count: medium, info_count: info } = single.body;
    expect(risky[0].workflows).toMatchObject({ status: 'ok', findings: { critical, high, medium, info } });
    expect(summary.severe_findings).toBe(4 * (critical + high));
    const chosen = await read('org=many&rule=SEC-006');
    expect(names(chosen).toSorted()).toEqual(names({ repos: risky }).toSorted());
    expect(chosen.repos[0].workflows.findings).toEqual({ critical: 0, high: 1, medium: 0, info: 0 });
    expect(names(await read('org=many&rule=workflows')).toSorted()).toEqual(names({ repos: risky }).toSorted());
  });

  test('have only the findings that no comment suppresses', async () => {
    const file = 'on: push\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n      - uses: a/b@main';
    const put = (name: string, text: string) =>
      visit.service.double.putWorkflowFile(`many/${name}`, '.github/workflows/ci.yml', text);
    put('fleet-02', file);
    put('fleet-03', `${file} # scan: ignore SEC-006 our own`);
    const { repos, summary } = await read('org=many');
    const find = (name: string) => repos.find(({ repo }: Answer) => repo === name).workflows.findings;
    expect(find('fleet-02')).toMatchObject({ high: 1 });
    expect(find('fleet-03')).toEqual({ ...find('fleet-02'), high: 0 });
    const infos = repos.map(({ workflows }: Answer) => workflows.findings.info);
    expect(summary.findings.info).toBe(infos.reduce((sum: number, one: number) => sum + one, 0));
  });

  test('are counted for each further choice as that choice then shows', async () => {
    const { facets } = await read('org=many&age=30');
    for (const { value, repos } of facets.severity)
      expect([value, repos]).toEqual([value, names(await read(`org=many&age=30&severity=${value}`)).length]);
    for (const { value, repos } of facets.source)
      expect([value, repos]).toEqual([value, names(await read(`org=many&age=30&rule=${value}`)).length]);
    const all = await read('org=many');
    for (const { value, repos, oldest_open_days } of all.facets.rule) {
      const chosen = await read(`org=many&rule=${encodeURIComponent(value)}`);
      expect([value, repos, oldest_open_days]).toEqual([value, chosen.repos.length, chosen.summary.oldest_open_days]);
    }
    expect(all.facets.rule).toContainEqual({
      value: theAdvisory,
      source: 'dependabot',
      title: 'Anchor chain can be cut',
      subject: 'anchor-chain',
      severity: 'critical',
      repos: 3,
      oldest_open_days: 12,
    });
  });

  test('come in pages, the worst of all on the first, and every one on one of them', async () => {
    const pages = [
      await read('org=many&limit=6'),
      await read('org=many&limit=6&page=2'),
      await read('org=many&limit=6&page=3'),
    ];
    expect(pages.map(({ page, pages: last, repos }) => [page, last, repos.length])).toEqual([
      [1, 3, 6],
      [2, 3, 6],
      [3, 3, 4],
    ]);
    expect(pages.flatMap(names)).toEqual(names(await read('org=many')));
    // The lists tell of all repositories, whatever the page.
    expect(pages.map(({ summary }) => summary.open)).toEqual(Array(3).fill(fleet().counts));
    expect((await read('org=many&limit=6&page=9')).page).toBe(3);
    const { headers, body } = await ask('org=many&limit=500');
    expect([headers.get('x-effective-limit'), body.limit]).toEqual(['50', 50]);
  });

  test('of an advisory are all on the first page, however many repositories there are', async () => {
    const { repos, listed_repos, total_repos, pages } = await read(`org=many&limit=3&rule=${theAdvisory}`);
    expect([repos.length, listed_repos, total_repos, pages]).toEqual([3, 3, 16, 1]);
  });

  test('name their worst alerts that match, with the version that fixes each', async () => {
    const { double } = visit.service;
    const old = { source: 'dependabot' as const, subject: 'anchor-chain', advisory: theAdvisory };
    const at = now() - 40 * 86_400_000;
    double.putAlert('many/fleet-07', { ...old, number: 71, createdAt: at, patchedVersion: '1.9.4', path: 'a/lock' });
    double.putAlert('many/fleet-02', { ...old, number: 71, createdAt: at, fixAvailable: false, severity: 'critical' });
    const { repos } = await read(`org=many&rule=${theAdvisory}`);
    const named = repos.map(({ repo, alerts }: Answer) => [
      repo,
      ...alerts.map((one: Answer) => [one.number, one.severity, one.patched_version, one.fix_available].join(' ')),
    ]);
    expect(named).toEqual([
      ['fleet-02', '71 critical  false', '70 critical 2.0.0 true'],
      ['fleet-07', '70 critical 2.0.0 true', '71 high 1.9.4 true'],
      ['fleet-12', '70 critical 2.0.0 true'],
    ]);
    for (const { repo, open_count, alerts } of (await read('org=many')).repos)
      expect([repo, alerts.length]).toEqual([repo, Math.min(3, open_count)]);
  });

  test('are listed for a rule that is not among the worst fifty', async () => {
    const { double } = visit.service;
    const known = { source: 'code_scanning' as const, createdAt: now(), severity: 'low' as const, securityLevel: null };
    for (let number = 1; number <= 60; number++)
      double.putAlert('many/fleet-10', { ...known, number, severityWord: 'note', subject: `rule-${number}` });
    const { facets } = await read('org=many&rule=code_scanning:RULE-60');
    const rules = facets.rule.map(({ value }: Answer) => value);
    expect([rules.length, rules.at(-1)]).toEqual([51, 'code_scanning:rule-60']);
    expect((await read('org=many')).facets.rule).toHaveLength(50);
  });

  test('are a table', async () => {
    const { text } = await ask('org=many&format=csv');
    const [head = '', ...rows] = text.trim().split('\r\n');
    expect(head.replace('\uFEFF', '')).toMatch(
      /^repo,critical,high,medium,low,open_count,oldest_open_days,dependabot,/,
    );
    expect(rows).toHaveLength(16);
    const rules = (await ask('org=many&table=rules&format=csv')).text.trim().split('\r\n');
    expect(rules[0]?.replace('\uFEFF', '')).toBe('value,source,title,subject,severity,repos,oldest_open_days');
    const known = (await read('org=many')).facets.rule;
    expect(known.length).toBeGreaterThan(0);
    expect(rules.slice(1).map((row) => row.split(',')[0])).toEqual(known.map(({ value }: Answer) => value));
    const none = (await ask('org=many&table=rules&rule=GHSA-none&severity=low&age=90&format=csv')).text;
    expect(none).toContain('value,source,title');
  });
});

test('archived repositories are left out, and counted', async () => {
  const body = await read('org=octo');
  const archived = visit.service.double.world.repositories.filter(
    ({ facts }: DoubleRepository) => facts.owner === 'octo' && facts.archived,
  );
  expect(archived).toHaveLength(1);
  expect([body.archived_repos, names(body).includes('old')]).toEqual([1, false]);
});

test('who sees fewer repositories is answered for these alone', async () => {
  dropManagers(visit.service.double);
  const bo = await read('org=octo', 'token-bo');
  expect(names(bo)).not.toContain('secret');
  expect(bo.total_repos).toBe(recount(visit.service.double, 'octo', 'token-bo', now()).total);
  const narrowed = await read('org=octo', 'token-ann-fine');
  const publicOnes = visit.service.double.world.repositories.filter(
    ({ facts }) => facts.owner === 'octo' && !facts.archived && ['octo/web', 'octo/api'].includes(`octo/${facts.repo}`),
  );
  expect(names(narrowed).toSorted()).toEqual(publicOnes.map(({ facts }) => facts.repo).toSorted());
});

test('an alert of a repository that the caller cannot see is in no number', async () => {
  const { double } = visit.service;
  double.addAlerts('octo/secret', 'dependabot', 3, now());
  const bo = double.world.accounts.find(({ login }) => login === 'bo');
  if (bo) bo.securityManagerOf = ['octo'];
  const { summary, repos } = await read('org=octo', 'token-bo');
  expect(summary.open).toEqual(recount(double, 'octo', 'token-bo', now()).counts);
  expect(JSON.stringify(repos)).not.toContain('secret"');
});

test('what is asked wrongly, or is no organization, is refused', async () => {
  expectFields(await ask(''), ['org', 'missing']);
  expectFields(await ask('org=octo&severity=info'), ['severity', 'invalid']);
  expectFields(await ask('org=octo&age=60'), ['age', 'invalid']);
  expectFields(await ask('org=octo&limit=0'), ['limit', 'invalid']);
  expectProblem(await ask('org=ann'), 404, 'not_found');
  expectProblem(await ask('org=sealed', 'token-ann-two'), 403, 'sso_required');
  expectProblem(await visit.service.ask('GET', '/api/codehost/org-security?org=octo'), 401, 'unauthenticated');
});
