import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { toDatabase } from '../../server/store/database.ts';
import { aCommit, anActor } from '../codehost-double/delivery-builders.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { expectProblem, reads, withQuery } from './endpoints.ts';
import { bearer } from './moving-world.ts';

const env = { RATE_LIMIT_SESSION_PER_MINUTE: '0' };
const day = 86_400_000;

/** Words that people wrote and secrets, which no table may hold. */
const canaries = {
  'title of a merged pull request': 'CanaryMerged',
  'title of a revert': 'CanaryRevert',
  'title of an open pull request': 'CanaryOpen',
  'title of an issue': 'CanaryIssue',
  'message of a commit': 'CanaryMessage',
  'rest of a message': 'CanaryBody',
  'email address': '@codehost.example',
  'personal token': 'token-ann',
};

/** Questions about one repository, by its name. */
const ofRepository = (repo: string): string[] => [
  ...Object.entries(reads)
    .filter(([, query]) => query.includes('repo=web'))
    .map(([path, query]) => withQuery(path, query.replace('repo=web', `repo=${repo}`))),
  ...['days=30', 'days=90'].flatMap((days) =>
    ['repo-contributors', 'team-workload-risk'].map((path) => `/api/codehost/${path}?owner=octo&repo=${repo}&${days}`),
  ),
  ...[
    'bus_factor',
    'outside_workday_pct',
    'median_days_to_close',
    'deploys_per_day',
    'abandon_rate',
    'composite_score',
  ].map((metric) => `/api/explain?metric=${metric}&owner=octo&repo=${repo}`),
];

/** Questions about more than one, which differ from caller to caller. */
const ofOrganization = [
  'org-overview?org=octo',
  'org-health-scorecard?org=octo',
  'org-repos?org=octo',
  'repo-attention?org=octo',
  'contributor-profile?owner=octo&login=ana',
  'contributor-profile?owner=octo&login=bob',
].map((path) => `/api/codehost/${path}`);

/** A question about what is synchronized, which needs a database. */
const ofTracked = '/api/codehost/org-contributors?org=octo';

function writeCanaries({ double, clock }: Service) {
  const now = clock.now();
  double.putPullRequest('octo/web', {
    number: 901,
    createdAt: now - 2 * day,
    mergedAt: now - day,
    title: 'CanaryMerged',
  });
  double.putPullRequest('octo/web', {
    number: 902,
    createdAt: now - 2 * day,
    mergedAt: now - day,
    title: 'Revert "CanaryRevert"',
  });
  double.putPullRequest('octo/web', { number: 903, createdAt: now - 2 * day, title: 'CanaryOpen' });
  double.putIssue('octo/web', { number: 904, createdAt: now - 40 * day, title: 'CanaryIssue' });
  double.addCommit('octo/web', aCommit(now - day, anActor('bob'), 'CanaryMessage\n\nCanaryBody'));
  double.addCommit('octo/web', aCommit(now - day, null, 'CanaryMessage too', { authorName: 'Somebody' }));
  double.putRun('octo/web', {
    id: 5900,
    createdAt: now - day,
    headCommit: { message: 'CanaryMessage\n\nCanaryBody', authorName: 'bob' },
  });
}

aDatabase((database) => {
  test('no table holds words that people wrote, an email address or a token, after everything was requested', async () => {
    const url = await database.address();
    const service = await startService({ ...env, DATABASE_URL: url });
    writeCanaries(service);
    const synced = await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
    expect(synced.status).toBe(200);
    for (let round = 0; round < 2; round++) {
      for (const path of [...ofRepository('web'), ...ofOrganization, ofTracked]) {
        const answer = await service.ask('GET', path, bearer('token-ann'));
        expect([path, answer.status]).toEqual([path, 200]);
      }
      service.clock.advance(7 * 3_600_000);
    }
    const shown = await service.ask('GET', '/api/codehost/repo-dora?owner=octo&repo=web', bearer('token-ann'));
    expect(shown.text).toContain('CanaryMerged');
    await service.close();

    const tables = await rowsOf(url);
    for (const table of [
      'pr_facts',
      'issue_facts',
      'branch_commits',
      'deployment_facts',
      'cached_answers',
      'workflow_runs',
      'sessions',
      'accounts',
    ])
      expect([table, tables.get(table)?.length ?? 0]).toEqual([table, expect.toSatisfy((rows: number) => rows > 0)]);
    for (const [what, canary] of Object.entries(canaries))
      for (const [table, rows] of tables)
        expect([what, table, rows.filter((row) => row.includes(canary)).slice(0, 1)]).toEqual([what, table, []]);
  });
});

/** Every row of every table as text. */
async function rowsOf(url: string): Promise<Map<string, string[]>> {
  const connection = await connect({ log: createLog('silent'), poolMax: 2, statementTimeoutMs: 60_000, url });
  const sql = toDatabase(connection.orm);
  const tables = await sql.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    [],
  );
  const all = new Map<string, string[]>();
  for (const { name } of tables) {
    const rows = await sql.query<{ row: string }>(`select to_jsonb(t)::text as row from "${name}" t`, []);
    all.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  await connection.close();
  return all;
}

describe.each([
  ['without a database', env],
  ['with a database', { ...env, DATABASE_URL: anyDatabase }],
])('%s', (_, settings) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(settings);
    const { double, clock } = service;
    const now = clock.now();
    double.putPullRequest('octo/secret', {
      number: 1,
      createdAt: now - 2 * day,
      mergedAt: now - day,
      author: anActor('ana'),
      title: 'Hidden lamp',
    });
    double.putIssue('octo/secret', { number: 2, title: 'Hidden issue' });
    double.addDeployments('octo/secret', 6, { from: now - 9 * day, to: now - day });
    double.addCommits('octo/secret', 9, { from: now - 9 * day, to: now - day });
    const workflowId = repositoryOf(double.world, 'octo/secret').workflows[0]?.id ?? 0;
    double.putRun('octo/secret', { id: 5011_1, workflowId, createdAt: now - day });
    for (const path of [...answerable('secret', workflowId), ...ofOrganization])
      expect([path, (await service.ask('GET', path, bearer('token-ann'))).status]).toEqual([path, 200]);
  });
  afterAll(() => service.close());

  const answerable = (repo: string, workflowId: number) =>
    ofRepository(repo).map((path) =>
      path.replace('workflow_id=7001', `workflow_id=${workflowId}`).replace('run_id=5011', 'run_id=50111'),
    );

  test.each([0, 30 * 60_000])(
    'what one person’s questions brought is not there for who may not see it, %d ms later',
    async (wait) => {
      service.clock.advance(wait);
      for (const path of answerable('secret', 10061))
        for (const request of [path, path.replace('octo', 'OCTO')])
          expectProblem(await service.ask('GET', request, bearer('token-bo')), 404, 'not_found');
    },
  );

  test('answers about more than one repository are made for the caller', async () => {
    for (const path of ofOrganization) {
      const answer = await service.ask('GET', path, bearer('token-bo'));
      expect([path, answer.status]).toEqual([path, 200]);
      expect([path, answer.text.match(/octo\/secret|"secret"|Hidden/)]).toEqual([path, null]);
    }
  });

  test('what is hidden is not shown during an outage either', async () => {
    service.double.fault({ path: /./, times: 500 }, { kind: 'status', status: 503 });
    for (const path of answerable('secret', 10061).slice(0, 6)) {
      const answer = await service.ask('GET', path, bearer('token-bo'));
      expect([path, answer.status >= 400]).toEqual([path, true]);
      expect(answer.text).not.toContain('Hidden');
    }
  });
});
