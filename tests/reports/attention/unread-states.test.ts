import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Service, startService } from '../../support/service.ts';

const minute = 60_000;

let service: Service;
// Of its own for each test, so that no earlier copy stands in for what cannot be read.
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

interface Item {
  repository: { full_name: string };
  summary: { open_prs: number | null; workflow_files: number | null; head_status: string | null } | null;
  head_read: boolean;
  problem: { code: string; error: string } | null;
}

const ask = (query = 'per_page=25') =>
  service.ask('GET', `/api/codehost/repo-attention?org=octo&${query}`, { as: 'token-ann' });
const partialOf = ({ headers }: { headers: Headers }) => [headers.get('x-partial'), headers.get('x-partial-reason')];
const lastingly = { path: '/graphql', times: 1000 };

test('a faultless answer has every state and no reason', async () => {
  const answer = await ask();
  expect(partialOf(answer)).toEqual(['false', null]);
  expect(answer.body.heads_read).toBe(answer.body.total);
  expect((answer.body.items as Item[]).map(({ problem }) => problem)).toEqual(answer.body.items.map(() => null));
});

test.each([
  ['an error without a type', null],
  ['an error of a type that is not known', 'INTERNAL'],
  ['an exceeded limit', 'RESOURCE_LIMITS_EXCEEDED'],
])('one repository with %s leaves the others as they are and is named', async (_, type) => {
  service.double.fault(lastingly, { kind: 'lost_repository', repo: 'no-issues', type });
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(partialOf(answer)).toEqual([
    'true',
    expect.stringContaining('1 repository excluded: repository could not be read'),
  ]);
  expect(answer.body.heads_read).toBe(answer.body.total - 1);
  const lacking = (answer.body.items as Item[]).filter(({ problem }) => problem !== null);
  expect(lacking).toMatchObject([
    {
      repository: { full_name: 'octo/no-issues' },
      summary: { open_prs: null, workflow_files: null, head_status: null },
      head_read: false,
      problem: { code: 'upstream_unavailable' },
    },
  ]);
});

test('an unread state is a reason on every page of the list', async () => {
  service.double.fault(lastingly, { kind: 'lost_repository', repo: 'no-issues', type: null });
  const answer = await ask('per_page=1');
  expect(answer.body.items).toHaveLength(1);
  expect(partialOf(answer)[0]).toBe('true');
});

test('without any state the list is there all the same', async () => {
  service.double.fault(lastingly, { kind: 'failing_field', field: 'Repository.issues', type: 'INTERNAL' });
  const answer = await ask();
  expect([answer.status, answer.body.heads_read]).toEqual([200, 0]);
  expect(partialOf(answer)).toEqual(['true', expect.stringContaining(`${answer.body.total} repositories excluded`)]);
});

test('heads whose checks could not be read do not count as read', async () => {
  service.double.fault(lastingly, { kind: 'failing_field', field: 'Commit.statusCheckRollup', type: 'INTERNAL' });
  const { body, headers } = await ask();
  const unread = (body.items as Item[]).filter(({ problem }) => problem?.error.includes('statusCheckRollup'));
  expect(unread.length).toBeGreaterThan(1);
  expect(body.heads_read).toBe(body.total - unread.length);
  expect((body.items as Item[]).filter((one) => !one.head_read)).toEqual(unread);
  expect(headers.get('x-partial-reason')).toContain(`of ${unread.length} repositories could not be read`);
});

test('checks that the token may not read are said to be denied, not missing', async () => {
  service.double.fault(lastingly, { kind: 'failing_field', field: 'Commit.statusCheckRollup', type: 'FORBIDDEN' });
  const { body, headers } = await ask();
  const denied = (body.items as Item[]).flatMap(({ problem, head_read: isRead }) => (isRead ? [] : [problem]));
  expect(denied.length).toBeGreaterThan(1);
  for (const problem of denied)
    expect(problem).toEqual({
      code: 'upstream_forbidden',
      error: 'The token may not read checks (permissions Commit statuses and Checks).',
    });
  expect(headers.get('x-partial-reason')).toBe(
    `the token may not read checks (permissions Commit statuses and Checks) of ${denied.length} repositories`,
  );
});

test('an organization names the states that could not be read, and does not cache without them', async () => {
  const overview = () => service.ask('GET', '/api/codehost/org-overview?org=octo', { as: 'token-ann' });
  service.double.fault(lastingly, { kind: 'lost_repository', repo: 'web', type: null });
  const answer = await overview();
  expect(answer.body.partial).toBe(true);
  expect(partialOf(answer)).toEqual(['true', expect.stringContaining('1 repository excluded')]);
  service.double.reset();
  service.clock.advance(6 * minute);
  expect((await overview()).body.partial).toBe(false);
});

test('workflow files of the others are scanned where one repository is not answered', async () => {
  service.double.fault(lastingly, { kind: 'lost_repository', repo: 'web', type: null });
  const { status, body } = await service.ask('GET', '/api/codehost/org-security?org=octo', { as: 'token-ann' });
  expect(status).toBe(200);
  const statuses = (body.repos as { repo: string; workflows: { status: string } }[]).map(
    ({ repo, workflows }) => [repo, workflows.status] as const,
  );
  expect(statuses.length).toBeGreaterThan(1);
  expect(statuses.filter(([, status]) => status === 'error').map(([repo]) => repo)).toEqual(['web']);
});
