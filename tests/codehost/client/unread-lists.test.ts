import { describe, expect, it } from 'vitest';
import { userId } from '../../codehost-double/graphql-view.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { withDouble } from '../double.ts';
import { clientOf, errorOf, platformOfEachTest } from '../platform.ts';

const double = withDouble();
const platform = platformOfEachTest();
const web = { owner: 'octo', repo: 'web' };
const since = namedNow - 90 * 86_400_000;

type Reads = ReturnType<typeof double.as>['codehost'];

/** Every list that is read over GraphQL, with a field without which the platform gives null for the whole item. */
const lists: [operation: string, field: string, name: string, read: (codehost: Reads) => Promise<object>][] = [
  ['open issues', 'Issue.assignees', 'assignees', ({ issues }) => issues.open(web)],
  ['closed issues', 'Issue.comments', 'comments', ({ issues }) => issues.closed(web, since)],
  ['open pull requests', 'PullRequest.additions', 'additions', ({ pullRequests }) => pullRequests.open(web)],
  ['closed pull requests', 'PullRequest.additions', 'additions', ({ pullRequests }) => pullRequests.closed(web, since)],
  ['closed pull requests', 'PullRequest.additions', 'additions', ({ pullRequests }) => pullRequests.lastClosed(web, 9)],
  [
    'merged pull requests',
    'PullRequest.mergedAt',
    'mergedAt',
    ({ pullRequests }) => pullRequests.merged(web, since, namedNow),
  ],
  [
    'authored pull requests',
    'PullRequest.repository',
    'repository',
    ({ pullRequests }) => pullRequests.authoredBy('octo', 'ana', since),
  ],
  [
    'reviewed pull requests',
    'PullRequest.changedFiles',
    'changedFiles',
    ({ pullRequests }) => pullRequests.reviewedBy('octo', 'bob', since),
  ],
  ['pull requests of a window', 'PullRequest.number', 'number', ({ pullRequests }) => pullRequests.window(web, since)],
  ['commits', 'Commit.parents', 'parents', ({ commits }) => commits.history(web, since, 100)],
  ['commits', 'Commit.history', 'defaultBranchRef.target.history', ({ commits }) => commits.history(web, since, 100)],
  ['commits', 'Commit.committedDate', 'committedDate', ({ commits }) => commits.directories(web, since, 100)],
  [
    'commits of an author',
    'Commit.additions',
    'additions',
    ({ commits }) => commits.historiesBy([web], userId('ana'), since),
  ],
  ['deployments', 'Deployment.creator', 'creator', ({ deployments }) => deployments.since(web, since)],
  ['releases', 'Release.tagName', 'tagName', ({ releases }) => releases.since(web, since)],
  ['workflow changes', 'Commit.url', 'url', (codehost) => codehost.workflowChanges(web, 10)],
];

describe('a list with items of which none could be read is no empty list', () => {
  it.each([
    ...lists.map((one) => [...one, 'FORBIDDEN', 'upstream_forbidden'] as const),
    ...lists.map((one) => [...one, 'INTERNAL', 'upstream_unavailable'] as const),
  ])('%s without %s', async (operation, field, name, read, type, code) => {
    double.double.fault({ path: '/graphql', times: 100 }, { kind: 'failing_field', field, type });
    const problem = await errorOf(read(double.as().codehost));
    expect(problem.code).toBe(code);
    expect(problem.details).toEqual({ upstream_status: 200, upstream_operation: operation, upstream_fields: [name] });
  });
});

describe('a list of pull requests', () => {
  const path = ['repository', 'pullRequests', 'nodes'];
  const readOpen = (nodes: unknown[], errors: object[]) => {
    const list = { totalCount: nodes.length, pageInfo: { hasNextPage: false, endCursor: null }, nodes };
    const repository = { name: 'web', owner: { login: 'octo' }, pullRequests: list };
    platform.handler = (_seen, answerer) =>
      answerer.json(200, { data: { rateLimit: null, repository }, ...(errors.length > 0 && { errors }) });
    return clientOf(platform.url).codehost.pullRequests.open(web);
  };
  const hidden = (place: number, type: string) => ({ type, path: [...path, place], message: 'Hidden.' });

  it('is unavailable where not all items are denied', async () => {
    const problem = await errorOf(readOpen([null, null], [hidden(0, 'FORBIDDEN'), hidden(1, 'SOMETHING_NEW')]));
    expect([problem.code, problem.details?.upstream_fields]).toEqual(['upstream_unavailable', ['the whole item']]);
  });

  it('wants single sign-on where the platform says so', async () => {
    const saml = { ...hidden(0, 'FORBIDDEN'), extensions: { saml_failure: true } };
    expect((await errorOf(readOpen([null], [saml]))).code).toBe('sso_required');
  });

  it('is unavailable where each item has an odd value', async () => {
    const problem = await errorOf(readOpen([{ number: 'one' }], []));
    expect(problem.code).toBe('upstream_unavailable');
    expect(problem.details?.upstream_fields).toContain('number');
  });

  it('without items is empty and complete, though its price could not be read', async () => {
    const price = { type: 'FORBIDDEN', path: ['rateLimit'], message: 'Hidden.' };
    expect(await readOpen([], [price])).toMatchObject({ items: [], partial: false, partialReason: undefined });
  });
});
