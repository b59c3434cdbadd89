import { expect, test } from 'vitest';
import { makeWorld } from '../../server/demo/world.ts';
import { namedNow } from './named-world.ts';
import { addSample } from './sample.ts';
import { type Any, rows, visitDouble } from './visitor.ts';

const visit = visitDouble();
const { get, read, clean } = visit;

const day = 86_400_000;
const said = (instant: number) => new Date(instant).toISOString();

const deploymentFields = `totalCount nodes { databaseId environment createdAt commitOid state ref { name } creator { login }
  latestStatus { state } statuses(first: 10) { nodes { state createdAt environmentUrl logUrl } } }`;

test('deployments carry all their statuses, newest first', async () => {
  const { deployments } = await read(
    'octo/web',
    `deployments(first: 100, orderBy: {field: CREATED_AT, direction: DESC}) { ${deploymentFields} }`,
  );
  expect(deployments.totalCount).toBe(5);
  const reported = deployments.nodes.map((one: Any) => one.statuses.nodes.map((each: Any) => each.state).join(' '));
  expect(reported).toEqual([
    'IN_PROGRESS',
    'SUCCESS IN_PROGRESS',
    'ERROR IN_PROGRESS',
    'FAILURE IN_PROGRESS',
    'INACTIVE SUCCESS IN_PROGRESS',
  ]);
  expect(deployments.nodes.map((one: Any) => one.state)).toEqual([
    'IN_PROGRESS',
    'ACTIVE',
    'ERROR',
    'FAILURE',
    'INACTIVE',
  ]);
  visit.double.addDeploymentStatus('octo/web', 8005, 'success', namedNow);
  const after = await read('octo/web', `deployments(last: 2) { ${deploymentFields} }`);
  expect(after.deployments.nodes.map((one: Any) => one.latestStatus.state)).toEqual(['INACTIVE', 'SUCCESS']);
  const ghosts = await read('octo/api', `deployments(first: 1) { ${deploymentFields} }`);
  expect(ghosts.deployments.nodes[0].creator.login).toBe('ghost');
  clean();
});

test('the same deployments come over REST, which alone marks production', async () => {
  const { body } = await get('/repos/octo/web/deployments');
  expect(rows(body).map((one) => [one.id, one.production_environment])).toEqual([
    [8005, true],
    [8004, true],
    [8003, true],
    [8002, true],
    [8001, true],
  ]);
  const statuses = rows((await get('/repos/octo/web/deployments/8001/statuses')).body);
  expect(statuses.map((one) => one.state)).toEqual(['inactive', 'success', 'in_progress']);
  const { body: found } = await get('/repos/octo/fork/environments');
  expect((found.environments as Any).map((one: Any) => one.name)).toEqual(['Production — app', 'domain-staging']);
  expect(rows((await get('/repos/octo/fork/deployments?environment=domain-staging')).body)).toHaveLength(1);
  expect(rows((await get('/repos/octo/old/deployments?per_page=100')).body)).toHaveLength(36);
  expect((await get('/repos/octo/web/deployments/1/statuses')).status).toBe(404);
  clean();
});

test('releases come with trials and drafts', async () => {
  const { releases } = await read(
    'octo/web',
    'releases(first: 10) { totalCount nodes { tagName isDraft isPrerelease publishedAt url } }',
  );
  expect(releases.nodes.map((one: Any) => one.tagName)).toEqual([
    'v2.0.0',
    'v1.2.0-rc.1',
    'v1.1.0',
    'v1.0.0',
    'v0.9.0',
  ]);
  expect(releases.nodes[0]).toMatchObject({ isDraft: true, publishedAt: null });
  const { body } = await get('/repos/octo/web/releases');
  expect(rows(body).map((one) => [one.tag_name, one.draft, one.prerelease])).toEqual([
    ['v2.0.0', true, false],
    ['v1.2.0-rc.1', false, true],
    ...['v1.1.0', 'v1.0.0', 'v0.9.0'].map((tag) => [tag, false, false]),
  ]);
  clean();
});

test('issues tell how and by whom they were closed', async () => {
  const { issues } = await read(
    'octo/web',
    `issues(first: 50, states: CLOSED, orderBy: {field: UPDATED_AT, direction: DESC}, filterBy: {since: "${said(namedNow - 30 * day)}"}) {
      totalCount nodes { number title state stateReason createdAt updatedAt closedAt url author { login }
        labels(first: 10) { nodes { name color } } assignees(first: 10) { nodes { login } } comments { totalCount }
        timelineItems(last: 1, itemTypes: CLOSED_EVENT) { nodes { ... on ClosedEvent { actor { __typename login } } } } } }`,
  );
  const swept = { number: 62, stateReason: 'NOT_PLANNED', comments: { totalCount: 0 } };
  expect(issues.nodes).toMatchObject([swept, { number: 61, stateReason: 'COMPLETED' }, { number: 63 }]);
  expect(issues.nodes[0].timelineItems.nodes).toEqual([{ actor: { __typename: 'Bot', login: 'tidy' } }]);
  const open = await read(
    'octo/web',
    'issues(first: 1, states: OPEN) { totalCount nodes { number author { login } } }',
  );
  expect(open.issues).toEqual({ totalCount: 7, nodes: [{ number: 57, author: null }] });
  visit.double.closeIssue('octo/web', 57, { at: namedNow, reason: 'not_planned' });
  expect((await read('octo/web', 'issues(states: OPEN) { totalCount }')).issues.totalCount).toBe(6);
  visit.double.putIssue('octo/no-issues', { number: 1 });
  const off = await read('octo/no-issues', 'hasIssuesEnabled issues(first: 1) { totalCount nodes { number } }');
  expect(off).toEqual({ hasIssuesEnabled: false, issues: { totalCount: 0, nodes: [] } });
  clean();
});

test('volume comes in numbers as requested, and goes with a reset', async () => {
  const window = { from: namedNow - 80 * day, to: namedNow };
  visit.double.addCommits('octo/old', 2100, window);
  visit.double.addDeployments('octo/old', 600, window);
  visit.double.addIssues('octo/old', 1200, window);
  const counts = `deployments { totalCount } issues { totalCount } defaultBranchRef { target { ... on Commit { history { totalCount } } } }`;
  expect(await read('octo/old', counts)).toMatchObject({
    deployments: { totalCount: 636 },
    issues: { totalCount: 1200 },
    defaultBranchRef: { target: { history: { totalCount: 2101 } } },
  });
  visit.double.addDeploymentStatus('octo/web', 8005, 'success', namedNow);
  visit.double.reset();
  expect(await read('octo/old', counts)).toMatchObject({ deployments: { totalCount: 36 }, issues: { totalCount: 0 } });
  const web = await read('octo/web', 'deployments(last: 1) { nodes { latestStatus { state } } }');
  expect(web.deployments.nodes[0].latestStatus.state).toBe('IN_PROGRESS');
});

test('a generated repository serves all it has', async () => {
  const [sample] = makeWorld({ seed: 'volume', now: namedNow }).repositories;
  if (!sample) throw new Error('There is no sample');
  addSample(visit.double.world, 'bulk/site', sample);
  const answer = await read(
    'bulk/site',
    `pullRequests(first: 50, states: MERGED, orderBy: {field: UPDATED_AT, direction: DESC}) { totalCount nodes {
       number mergedAt mergedBy { login } commits(first: 1) { totalCount nodes { commit { authoredDate } } }
       reviews(first: 20) { nodes { state submittedAt author { login __typename } commit { oid } } }
       timelineItems(first: 10, itemTypes: [READY_FOR_REVIEW_EVENT, HEAD_REF_FORCE_PUSHED_EVENT]) { nodes { __typename } } } }
     deployments(first: 100) { totalCount nodes { commitOid statuses(first: 5) { nodes { state } } } }
     issues(first: 100) { totalCount nodes { number labels(first: 5) { nodes { name color } } } }
     releases(first: 20) { totalCount } defaultBranchRef { target { ... on Commit { history(first: 100) { totalCount nodes { author { date } } } } } }`,
  );
  expect(answer).toMatchObject({
    pullRequests: { totalCount: sample.pullRequests.filter((one) => one.state === 'merged').length },
    deployments: { totalCount: sample.deployments.length },
    issues: { totalCount: sample.issues.length },
    releases: { totalCount: sample.releases.length },
    defaultBranchRef: { target: { history: { totalCount: sample.commits.length } } },
  });
  expect(rows((await get('/repos/bulk/site/commits?per_page=100')).body)).toHaveLength(100);
  clean();
});
