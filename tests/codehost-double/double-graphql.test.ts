import { getOperationAST, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { costOf } from './graphql-price.ts';
import { visitDouble } from './visitor.ts';

const visit = visitDouble();
const { ask, clean } = visit;

test('GraphQL answers on the published schema and counts points', async () => {
  const { data, headers } = await ask(`query Probe {
    rateLimit { cost limit remaining used nodeCount resetAt }
    a: repository(owner: "octo", name: "web") {
      nameWithOwner visibility isArchived isFork isEmpty hasIssuesEnabled
      defaultBranchRef { name target { ... on Commit { statusCheckRollup { state } history(first: 2) { totalCount nodes { messageHeadline author { user { login } } } } } } }
      object(expression: "HEAD:.github/workflows") { ... on Tree { entries { name path type } } }
      issues(states: OPEN) { totalCount }
      pullRequests(states: [OPEN]) { totalCount }
    }
    b: repository(owner: "octo", name: "empty") { isEmpty defaultBranchRef { name } object(expression: "HEAD:x") { id } }
  }`);
  expect(data).toMatchObject({
    rateLimit: { cost: 1, remaining: 4999, used: 1, nodeCount: 2 },
    a: {
      visibility: 'PRIVATE',
      defaultBranchRef: { target: { statusCheckRollup: { state: 'SUCCESS' }, history: { totalCount: 74 } } },
      object: { entries: [{ name: 'ci.yml', type: 'blob' }, { name: 'deploy.yml' }] },
      issues: { totalCount: 7 },
      pullRequests: { totalCount: 3 },
    },
    b: { isEmpty: true, defaultBranchRef: null, object: null },
  });
  expect(JSON.stringify(data)).toContain('"login":"dependabot"');
  expect(headers.get('x-ratelimit-resource')).toBe('graphql');
  expect(visit.double.requests.at(-1)).toMatchObject({
    operation: 'Probe',
    cost: 1,
    resource: 'graphql',
    account: 'ann',
  });
  clean();
});

test.each([
  ['{viewer{shoeSize}}', undefined, 'Cannot query field "shoeSize"'],
  ['{viewer{login}', undefined, 'Syntax Error'],
  ['{organization(login:"octo"){repositories(first:101){nodes{name}}}}', 'EXCESSIVE_PAGINATION', '101 records'],
  ['{organization(login:"octo"){repositories{nodes{name}}}}', 'MISSING_PAGINATION_BOUNDARIES', '`first` or `last`'],
  [
    '{organization(login:"octo"){repositories(first:100){nodes{issues(first:100){nodes{comments(first:100){nodes{id}}}}}}}}',
    'MAX_NODE_LIMIT_EXCEEDED',
    '1010100 possible nodes',
  ],
])('the GraphQL query %s fails and is noted', async (query, type, message) => {
  const { status, data, errors } = await ask(query);
  expect([status, data]).toEqual([200, undefined]);
  expect(errors?.[0]).toMatchObject({ ...(type ? { type } : {}), message: expect.stringContaining(message) });
  expect(visit.double.violations).toHaveLength(1);
  expect(visit.double.spent('graphql')).toBe(0);
});

test('a GraphQL field the double does not serve is noted instead of being null', async () => {
  await ask('{repository(owner:"octo",name:"web"){diskUsage}}');
  expect(visit.double.violations).toEqual(['The double failed: The double does not serve Repository.diskUsage']);
});

test('GraphQL misses and limits come as errors with status 200', async () => {
  const one = 'repository(owner:"octo",name:"web"){name}';
  const missed = await ask(`{a:${one} b:repository(owner:"octo",name:"nothing"){name}}`);
  expect(missed.data).toEqual({ a: { name: 'web' }, b: null });
  expect(missed.errors).toMatchObject([{ type: 'NOT_FOUND', path: ['b'] }]);
  visit.double.budgets.setRemaining('ann', 'graphql', 0);
  const limited = await ask(`{${one}}`);
  expect([limited.status, limited.errors?.[0]?.type]).toEqual([200, 'RATE_LIMITED']);
  expect(limited.headers.get('x-ratelimit-remaining')).toBe('0');
  clean();
});

test('GraphQL answers can fail in part or as a whole', async () => {
  const query = '{a:repository(owner:"octo",name:"web"){name} b:repository(owner:"octo",name:"api"){name}}';
  visit.double.fault({ path: '/graphql' }, { kind: 'partial_graphql', field: 'b', type: 'RESOURCE_LIMITS_EXCEEDED' });
  const partial = await ask(query);
  expect(partial.data).toEqual({ a: { name: 'web' }, b: null });
  expect(partial.errors).toMatchObject([{ type: 'RESOURCE_LIMITS_EXCEEDED', path: ['b'] }]);
  visit.double.fault({ path: '/graphql' }, { kind: 'graphql_error', type: 'RATE_LIMITED' });
  expect((await ask(query)).errors).toMatchObject([{ type: 'RATE_LIMITED' }]);
  expect((await ask(query)).errors).toBeUndefined();
});

test('a GraphQL query costs a hundredth of the requests it stands for', () => {
  const document = parse(`query Probe($first: Int = 50) {
    viewer {
      repositories(first: $first) { nodes {
        pullRequests(first: 20) { nodes { comments(first: 10) { nodes { id } } } }
        issues(first: 20) { totalCount nodes { ...Discussed } }
      } }
      followers(last: 10) { nodes { login } }
    }
  }
  fragment Discussed on Issue { comments(first: 10) { nodes { id } } reactions { totalCount } }`);
  const operation = getOperationAST(document) as OperationDefinitionNode;
  // 1 + 50 + 50 x 20 + 50 + 50 x 20 + 1 requests.
  expect(costOf(document, operation, {})).toEqual({ nodes: 22_060, cost: 21, error: null });
  expect(costOf(document, operation, { first: 1 })).toMatchObject({ nodes: 451, cost: 1 });
});
