import { describe, expect, test } from 'vitest';
import { aWorkflow } from '../codehost-double/builders.ts';
import { besidesTokenCheck } from '../support/token-check.ts';
import { freshService, reads, withQuery } from './endpoints.ts';

const visit = freshService();
const hour = 3_600_000;
const day = 24 * hour;

/** What was requested from the platform for one answer, the sign-in excluded. */
async function cost(query: string) {
  const { double, ask, signIn } = visit.service;
  await signIn('token-ann');
  double.requests.length = 0;
  const answer = await ask('GET', query, { as: 'token-ann' });
  expect([query, answer.status]).toEqual([query, 200]);
  const sent = besidesTokenCheck(double.requests);
  expect(double.violations).toEqual([]);
  const graphql = sent.filter((one) => one.graphql !== null);
  return {
    requests: sent.length,
    graphql: { requests: graphql.length, quota: graphql.reduce((sum, one) => sum + one.cost, 0) },
    quota: sent.reduce((sum, one) => sum + one.cost, 0),
    unconditional: sent.filter((one) => !one.conditional && one.operation !== 'rate-limit/get').length,
    operations: sent.map((one) => one.operation),
  };
}

/** Most requests for a cold answer, by the table of budgets; one more where the repository itself is proved visible. */
const cold: Record<string, number> = {
  '/api/codehost/repos': 3,
  '/api/codehost/org-repos': 1,
  '/api/codehost/orgs': 1,
  // The state, the runs, and one page of workflows, which only REST counts.
  '/api/codehost/repo-summary': 1 + 1 + 1,
  '/api/codehost/repo-overview': 6 + 1,
  '/api/codehost/workflows': 1,
  '/api/codehost/runs': 1 + 1,
  '/api/codehost/workflow-health': 1 + 1,
  '/api/codehost/workflow-reliability': 1 + 1,
  '/api/codehost/run-details': 1,
  // The list, three times ten runs, and the proof.
  '/api/codehost/job-stats': 5,
  '/api/codehost/runner-stats': 31 + 1,
  // The organization, the person, their pull requests, their reviews, their commits.
  '/api/codehost/contributor-profile': 5,
  '/api/codehost/repo-contributors': 1 + 1 + 1,
  '/api/codehost/team-stats': 1 + 1,
  '/api/codehost/repo-dora': 9 + 1,
  '/api/codehost/deployments': 5 + 1,
  '/api/codehost/security-scan': 1 + 1,
  // As its metric's own answer.
  '/api/explain': 9 + 1,
  '/api/codehost/open-pr-health': 6 + 1,
  // The repository, the ended pull requests, the open ones, and the queue.
  '/api/codehost/merge-queue': 4,
  '/api/codehost/merge-queue/entries': 4,
  '/api/codehost/merge-queue/batches': 4,
  '/api/codehost/issues': 21 + 1,
  '/api/codehost/rate-limit': 1,
  '/api/codehost/security-alerts': 6 + 1,
  '/api/codehost/audit-log': 1,
  // The repository, the changes, and the newest runs.
  '/api/codehost/workflow-change-outcomes': 1 + 1 + 1,
  // The repository, the files and the workflows; deployments only once there is a history.
  '/api/advisor/recommendations': 1 + 1 + 1,
  '/api/codehost/bus-factor': 10 + 1,
  '/api/codehost/team-workload-risk': 21 + 1,
  // The list, the states of fifty repositories, and one list of runs for each.
  '/api/codehost/org-overview': 1 + 1 + 9,
  // The list, the alerts of each source of the whole organization, and the files of ten repositories at once.
  '/api/codehost/org-security': 1 + 3 + 1,
  // The list, the quota, and for each of six live repositories no more than for each of ten within 90.
  '/api/codehost/org-health-scorecard': 1 + 1 + 6 * 8,
  // The repository, the list, the one earlier attempt, and the jobs of each of twelve attempts that ended.
  '/api/codehost/workflow-cost': 1 + 1 + 1 + 12,
  // The bill and the plan.
  '/api/codehost/billing': 2,
  '/api/codehost/billing/cost-analysis': 2,
  // One page of head states and one list of runs for each repository shown, after the list itself.
  '/api/codehost/repo-attention': 1 + 1 + 9,
};

/** Most GraphQL requests two hours later, by the same table: GraphQL knows no validators. None where nothing is said. */
const steady: Record<string, number> = {
  '/api/codehost/repo-summary': 1,
  '/api/codehost/repo-attention': 1,
  '/api/codehost/repo-dora': 1,
  '/api/codehost/deployments': 1,
  '/api/codehost/security-scan': 1,
  '/api/explain': 1,
  '/api/codehost/repo-contributors': 2,
  '/api/codehost/contributor-profile': 4,
  '/api/codehost/team-workload-risk': 2,
  '/api/codehost/open-pr-health': 2,
  '/api/codehost/merge-queue': 3,
  '/api/codehost/merge-queue/entries': 3,
  '/api/codehost/merge-queue/batches': 3,
  '/api/codehost/issues': 1,
  '/api/codehost/audit-log': 1,
  '/api/codehost/workflow-change-outcomes': 1,
  '/api/advisor/recommendations': 1,
  '/api/codehost/org-overview': 1,
  '/api/codehost/org-health-scorecard': 5,
  '/api/codehost/org-security': 1,
};

describe('what an answer costs on the platform', () => {
  test('every reading operation has a budget', () => {
    expect(Object.keys(cold).sort()).toEqual(Object.keys(reads).sort());
  });

  test.each(Object.entries(reads))('%s keeps its budget when nothing is known', async (path, query) => {
    const first = await cost(withQuery(path, query));
    expect(first.requests).toBeLessThanOrEqual(cold[path] ?? 0);
    expect(first.requests).toBeGreaterThan(0);
  });

  /** How many runs of the last 30 days each of 20 workflows has, and how many older ones. */
  const quiet: [recent: number, older: number][] = [
    [0, 0],
    [0, 3],
    [3, 30],
    [12, 12],
    [19, 0],
    [25, 25],
  ];

  test.each(quiet)('repo-overview: 20 workflows with %d recent and %d older runs each', async (recent, older) => {
    const { double, clock } = visit.service;
    const ids = Array.from({ length: 20 }, (_, n) => 50_001 + n);
    const createdAt = clock.now() - 300 * day;
    const workflows = ids.map((id) => aWorkflow('octo', 'quiet', { id, createdAt, name: `Flow ${id}` }));
    double.addRepository({ name: 'octo/quiet', facts: { id: 90_003 }, workflows });
    let id = 1_000_000;
    for (const workflowId of ids) {
      for (let n = 0; n < older; n++) double.putRun('octo/quiet', { id: id++, workflowId, createdAt: daysAgo(32 + n) });
      for (let n = 0; n < recent; n++) double.putRun('octo/quiet', { id: id++, workflowId, createdAt: daysAgo(n) });
    }
    const query = '/api/codehost/repo-overview?owner=octo&repo=quiet';
    const { requests } = await cost(query);
    expect(requests).toBeLessThanOrEqual(6 + 1);
    expect((await cost(query)).requests).toBe(0);
    visit.service.clock.advance(2 * hour);
    expect(await cost(query)).toMatchObject({ quota: 0, unconditional: 0 });
  });

  const daysAgo = (days: number) => visit.service.clock.now() - days * day - hour;

  test.each(Object.entries(reads))('%s costs nothing when requested again at once', async (path, query) => {
    await cost(withQuery(path, query));
    expect((await cost(withQuery(path, query))).requests).toBe(0);
  });

  test.each(Object.entries(reads))('%s spends no quota when nothing changed for two hours', async (path, query) => {
    await cost(withQuery(path, query));
    visit.service.clock.advance(2 * hour);
    const later = await cost(withQuery(path, query));
    const { requests, quota } = later.graphql;
    expect(requests).toBeLessThanOrEqual(steady[path] ?? 0);
    expect([later.quota - quota, later.unconditional - requests]).toEqual([0, 0]);
  });

  test('ten people-sized questions at the same time are one on the platform', async () => {
    const { double, ask, signIn } = visit.service;
    await signIn('token-ann');
    double.requests.length = 0;
    const query = withQuery('/api/codehost/workflows', 'owner=octo&repo=web');
    const spelled = [query, '/api/codehost/workflows?repo=WEB&owner=Octo'];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => ask('GET', spelled[n % 2] ?? '', { as: 'token-ann' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(double.requests).toHaveLength(1);
  });

  test('what one caller read is not given to another', async () => {
    await cost('/api/codehost/workflows?owner=octo&repo=secret');
    const bo = await visit.service.ask('GET', '/api/codehost/workflows?owner=octo&repo=secret', { as: 'token-bo' });
    expect([bo.status, bo.body.code]).toEqual([404, 'not_found']);
    const narrowed = { as: 'token-ann-fine' };
    const fine = await visit.service.ask('GET', '/api/codehost/workflows?owner=octo&repo=secret', narrowed);
    expect(fine.status).toBe(404);
  });

  test('pages beyond the first are requested, and only as many as there are', async () => {
    const { operations, requests } = await cost('/api/codehost/org-repos?org=many');
    expect([requests, new Set(operations)]).toEqual([3, new Set(['repos/list-for-org'])]);
  });

  test('an issue is filed with one request, and without any when it is wished for again', async () => {
    const { double, ask, signIn } = visit.service;
    await signIn('token-ann');
    double.requests.length = 0;
    const issue = { as: 'token-ann', body: { owner: 'octo', repo: 'web', title: 'Slow' } };
    const file = () => ask('POST', '/api/codehost/create-issue', issue);
    expect((await file()).status).toBe(201);
    expect(double.requests.map(({ operation }) => operation)).toEqual(['issues/create']);
    expect((await file()).status).toBe(200);
    expect(double.requests).toHaveLength(1);
  });

  test('a rejected question costs nothing', async () => {
    const { double, ask, signIn } = visit.service;
    await signIn('token-ann');
    double.requests.length = 0;
    await ask('GET', '/api/codehost/runs?owner=octo&repo=web', { as: 'token-ann' });
    await ask('GET', '/api/codehost/runs?owner=octo&repo=web&workflow_id=7001');
    await ask('POST', '/api/codehost/repos', { as: 'token-ann' });
    expect(double.requests).toEqual([]);
  });

  test('the public answers ask the platform nothing', async () => {
    for (const path of [
      '/api/health',
      '/api/ready',
      '/api/openapi.json',
      '/api/demo?resource=runs',
      '/api/settings/team',
    ])
      await visit.service.ask('GET', path);
    expect(visit.service.double.requests).toEqual([]);
  });
});

describe('how long an answer is taken as it is', () => {
  /** Milliseconds for which a copy serves; a moment later the platform is queried again. */
  const lives: [string, string, number][] = [
    ['/api/codehost/repos', '', 60_000],
    ['/api/codehost/org-repos', 'org=octo', 300_000],
    ['/api/codehost/orgs', '', 120_000],
    ['/api/codehost/workflows', 'owner=octo&repo=web', 300_000],
    ['/api/codehost/runs', 'owner=octo&repo=api&workflow_id=7101', 120_000],
    ['/api/codehost/runs', 'owner=octo&repo=web&workflow_id=7001', 30_000],
    ['/api/codehost/rate-limit', '', 30_000],
  ];

  test.each(lives)('%s %s: %d ms', async (path, query, life) => {
    await cost(withQuery(path, query));
    visit.service.clock.advance(life - 1);
    expect((await cost(withQuery(path, query))).requests).toBe(0);
    visit.service.clock.advance(1);
    expect((await cost(withQuery(path, query))).requests).toBeGreaterThan(0);
  });

  test('run-details: ten seconds while the run is under way', async () => {
    const query = 'owner=octo&repo=web&run_id=5012';
    await cost(withQuery('/api/codehost/run-details', query));
    visit.service.clock.advance(9_999);
    expect((await cost(withQuery('/api/codehost/run-details', query))).requests).toBe(0);
    visit.service.clock.advance(1);
    expect((await cost(withQuery('/api/codehost/run-details', query))).requests).toBe(1);
  });

  test('run-details: for good when an attempt has ended', async () => {
    const query = withQuery('/api/codehost/run-details', 'owner=octo&repo=web&run_id=5009&attempt=1');
    await cost(query);
    visit.service.clock.advance(24 * hour);
    expect((await cost(query)).requests).toBe(0);
  });
});
