import { describe, expect, it } from 'vitest';
import { clientOf, errorOf, platformOfEachTest, wireRepository, wireRun, wireWorkflow } from '../platform.ts';

const web = { owner: 'octo', repo: 'web' };
const platform = platformOfEachTest();

const answer = (body: unknown) => {
  platform.handler = (_seen, answerer) => answerer.json(200, body);
};
const client = () => clientOf(platform.url).codehost;

const wireCommit = {
  oid: 'c'.repeat(40),
  authoredDate: '2026-03-09T10:00:00Z',
  committedDate: '2026-03-09T10:00:00Z',
  additions: 1,
  deletions: 1,
  changedFilesIfAvailable: 1,
  parents: { totalCount: 1 },
  author: null,
};

describe('a number', () => {
  it.each([1.5, -1, 2 ** 53, 1e300, '9', null])('that counts a list and is %s takes no item away', async (odd) => {
    answer({ total_count: odd, workflows: [wireWorkflow()] });
    const { items, totalCount, partial } = await client().workflows.list(web);
    expect([items.length, totalCount, partial]).toEqual([1, null, false]);
  });

  it('that is the whole answer is not made up where it cannot be read', async () => {
    answer({ total_count: 2 ** 53, workflow_runs: [] });
    const { details } = await errorOf(client().runs.countSince(web, 0));
    expect(details).toMatchObject({ upstream_operation: 'count runs', upstream_fields: ['total_count'] });
  });

  it.each([2 ** 53, null])('of open issues that is %s is not reported as none', async (totalCount) => {
    const searches = [
      'openedInPeriod',
      'closedInPeriod',
      'closedNotPlanned',
      'closedAsDuplicate',
      'staleCount',
      'unlabelledCount',
      'unassignedCount',
    ];
    const ages = ['unansweredCount', 'ages0', 'ages1', 'ages2', 'ages3'];
    const repository = { name: 'web', owner: { login: 'octo' }, hasIssuesEnabled: true };
    const issues = { totalCount, nodes: [] };
    const counts = Object.fromEntries([...searches, ...ages].map((alias) => [alias, { issueCount: 1 }]));
    answer({ data: { repository: { ...repository, issues, ofState: { totalCount } }, ...counts } });
    const { details } = await errorOf(client().issues.counts(web, { since: 0, now: 1 }));
    expect(details).toMatchObject({
      upstream_operation: 'issue counts',
      upstream_fields: ['repository.ofState.totalCount'],
    });
  });

  it('of an author’s commits is not known where that of one repository is not', async () => {
    const ofRepository = (name: string, totalCount: number) => {
      const history = { totalCount, pageInfo: { hasNextPage: true, endCursor: 'a' }, nodes: [wireCommit] };
      return { name, owner: { login: 'octo' }, defaultBranchRef: { target: { history } } };
    };
    const names = [web, { owner: 'octo', repo: 'api' }];
    const read = async (odd: number) => {
      answer({ data: { r0: ofRepository('web', 300), r1: ofRepository('api', odd) } });
      return client().commits.historiesBy(names, 'U_1', 0);
    };
    expect(await read(200)).toMatchObject({ partial: true, totalCount: 500 });
    expect(await read(2 ** 53)).toMatchObject({ partial: true, totalCount: null });
  });

  it('of a pull request’s commits does not make what was read the whole', async () => {
    const commits = { totalCount: 2 ** 53, pageInfo: { hasNextPage: false, endCursor: null } };
    const p7 = { commits: { ...commits, nodes: [{ commit: wireCommit }] } };
    answer({ data: { repository: { name: 'web', owner: { login: 'octo' }, p7 } } });
    const reported = await client().pullRequests.readCommits(web, [7]);
    expect(reported.get(7)).toMatchObject({ commits: [{ sha: 'c'.repeat(40) }], truncated: true });
  });

  it.each([
    ['run_attempt', 2 ** 31],
    ['run_number', 2 ** 32],
    ['id', 1.5],
  ])('of a run that nothing can be counted or stored by leaves it out: %s %s', async (field, value) => {
    answer({ total_count: 2, workflow_runs: [wireRun(), wireRun({ id: 101, [field]: value })] });
    const { items, partialReason } = await client().runs.ofWorkflow(web, 5, 10);
    expect(items.map(({ id }) => id)).toEqual([100]);
    expect(partialReason).toContain(`${field} could not be read`);
  });
});

describe('a name that cannot be requested', () => {
  const odd = { name: 'a b', owner: { login: 'octo', type: 'User' } };

  it('is not taken for the new name of a repository', async () => {
    answer(wireRepository(odd));
    const codehost = client();
    expect(await codehost.repositories.get(web)).toMatchObject(web);
    expect(codehost.repositories.canonical(web)).toBeNull();
  });

  it('takes the commits of no other repository away', async () => {
    answer({ data: { r0: { ...web, name: 'web', owner: { login: 'octo' }, defaultBranchRef: null } } });
    const read = await client().commits.historiesBy([{ owner: 'octo', repo: 'a b' }, web], 'U_1', 0);
    expect(read).toMatchObject({ items: [], partial: true });
    expect(JSON.parse(platform.requests[0]?.body ?? '').variables).toMatchObject({ owner0: 'octo', name0: 'web' });
  });
});

describe('where a directory is looked for', () => {
  it('something of another kind is none', async () => {
    const elsewhere = { actionYml: {}, actionYaml: { oid: 'a' }, updatesYml: null, updatesYaml: null };
    answer({ data: { repository: { name: 'web', owner: { login: 'octo' }, workflows: {}, ...elsewhere } } });
    expect(await client().workflowFiles(web)).toMatchObject({
      files: [],
      partial: false,
      visibility: 'private',
      actionFile: 'action.yaml',
      updatesFile: null,
      rootFiles: null,
    });
  });
});

describe('a bill', () => {
  it('without a list is one of nothing', async () => {
    answer({});
    const usage = await client().billing.summary({ kind: 'org', login: 'octo' }, { year: 2026, month: 3 });
    expect(usage).toMatchObject({ items: [], partialReason: undefined });
  });
});
