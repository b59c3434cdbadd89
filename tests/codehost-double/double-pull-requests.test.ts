import { expect, test } from 'vitest';
import { anActor } from './delivery-builders.ts';
import { namedNow } from './named-world.ts';
import { type Any, visitDouble } from './visitor.ts';

const visit = visitDouble();
const { ask, read, clean } = visit;

const hour = 3_600_000;
const day = 24 * hour;
const said = (instant: number) => new Date(instant).toISOString();

/** What a client that reads whole pull requests asks. */
const everything = `
  number title url state isDraft createdAt updatedAt closedAt mergedAt baseRefName headRefName headRefOid
  additions deletions changedFiles mergeable reviewDecision
  author { __typename login avatarUrl } mergedBy { login }
  labels(first: 20) { nodes { name } }
  first: commits(first: 1) { totalCount nodes { commit { oid authoredDate committedDate pushedDate } } }
  last: commits(last: 1) { nodes { commit { oid committedDate } } }
  reviews(first: 50) { totalCount pageInfo { hasNextPage endCursor }
    nodes { id state submittedAt author { __typename login } commit { oid } comments { totalCount } } }
  reviewRequests(first: 10) { nodes { requestedReviewer { ... on User { login } ... on Team { slug } } } }
  timelineItems(last: 10, itemTypes: [READY_FOR_REVIEW_EVENT, CONVERT_TO_DRAFT_EVENT, REVIEW_REQUESTED_EVENT, HEAD_REF_FORCE_PUSHED_EVENT, PULL_REQUEST_COMMIT]) {
    filteredCount nodes { __typename
      ... on ReadyForReviewEvent { createdAt } ... on ConvertToDraftEvent { createdAt }
      ... on ReviewRequestedEvent { createdAt requestedReviewer { ... on User { login } ... on Team { slug } } }
      ... on HeadRefForcePushedEvent { createdAt } ... on PullRequestCommit { commit { oid committedDate } } } }`;

async function found(query: string, token?: string, fields = '... on PullRequest { number } ... on Issue { number }') {
  const quoted = JSON.stringify(query);
  const { data } = await ask(
    `{ search(type: ISSUE, first: 100, query: ${quoted}) { issueCount nodes { ${fields} } } }`,
    token,
  );
  const { issueCount, nodes } = (data as Any).search;
  return { issueCount, numbers: nodes.map((one: Any) => one.number) as number[] };
}

test('merged pull requests tell all that their metrics need', async () => {
  const { pullRequests } = await read(
    'octo/web',
    `pullRequests(first: 25, states: MERGED, orderBy: {field: CREATED_AT, direction: ASC}) { totalCount nodes { ${everything} } }`,
  );
  const [one, two, three, four] = pullRequests.nodes;
  expect(pullRequests.totalCount).toBe(4);
  expect(one).toMatchObject({
    number: 1,
    state: 'MERGED',
    author: { __typename: 'User', login: 'ana' },
    mergedBy: { login: 'cy' },
    labels: { nodes: [{ name: 'feature' }] },
    first: { totalCount: 2 },
    baseRefName: 'main',
    additions: 80,
  });
  expect(one.reviews.nodes.map((each: Any) => [each.author.login, each.state])).toEqual([
    ['bob', 'CHANGES_REQUESTED'],
    ['bob', 'APPROVED'],
  ]);
  expect(one.reviews.nodes.map((each: Any) => each.commit.oid)).toEqual([
    one.first.nodes[0].commit.oid,
    one.last.nodes[0].commit.oid,
  ]);
  expect(one.first.nodes[0].commit).toMatchObject({ authoredDate: '2026-11-11T07:00:00Z', pushedDate: null });
  expect([two.mergedBy.login, two.reviews.nodes[0].author.login]).toEqual(['ana-old', 'ana-old']);
  expect(three.author).toMatchObject({ __typename: 'Bot', login: 'dependabot' });
  expect(three.reviews.nodes[0].author).toEqual({ __typename: 'Bot', login: 'helper' });
  expect(four.author).toBeNull();
  const hours = pullRequests.nodes.map((each: Any) => (Date.parse(each.mergedAt) - Date.parse(each.createdAt)) / hour);
  expect(hours).toEqual([2, 4, 1, 10]);
  clean();
});

test('a review that was not sent shows to its author alone, without a time', async () => {
  const states = async (number: number, token: string) => {
    const { pullRequest } = await read('octo/web', `pullRequest(number: ${number}) { ${everything} }`, token);
    return pullRequest.reviews.nodes.map((each: Any) => [each.state, each.submittedAt === null]);
  };
  expect(await states(2, 'token-bo')).toEqual([['APPROVED', false]]);
  expect(await states(2, 'token-ann')).toEqual([
    ['APPROVED', false],
    ['PENDING', true],
  ]);
  expect(await states(1, 'token-bo')).toContainEqual(['PENDING', true]);
  clean();
});

test('open pull requests tell whom they wait for, and pages go both ways', async () => {
  const { pullRequests } = await read(
    'octo/web',
    `pullRequests(first: 2, states: OPEN) { pageInfo { hasNextPage endCursor } nodes { ${everything} } }`,
  );
  const [waiting, back] = pullRequests.nodes;
  expect(pullRequests.pageInfo.hasNextPage).toBe(true);
  expect(waiting).toMatchObject({ number: 21, reviewDecision: 'REVIEW_REQUIRED', mergeable: 'MERGEABLE' });
  expect(waiting.reviewRequests.nodes).toEqual([
    { requestedReviewer: { login: 'bo' } },
    { requestedReviewer: { slug: 'keepers' } },
  ]);
  expect(waiting.timelineItems.nodes.map((one: Any) => one.__typename)).toEqual([
    'PullRequestCommit',
    'ReviewRequestedEvent',
    'ReviewRequestedEvent',
  ]);
  expect(back).toMatchObject({ number: 22, reviewDecision: 'CHANGES_REQUESTED', mergeable: 'CONFLICTING' });
  const after = `after: "${pullRequests.pageInfo.endCursor}"`;
  const rest = await read('octo/web', `pullRequests(first: 2, states: OPEN, ${after}) { nodes { number } }`);
  expect(rest.pullRequests.nodes).toEqual([{ number: 23 }]);
  const before = await read(
    'octo/web',
    `pullRequests(last: 1, before: "${pullRequests.pageInfo.endCursor}", states: OPEN) { nodes { number } }`,
  );
  expect(before.pullRequests.nodes).toEqual([{ number: 21 }]);
  const api = await read('octo/api', `pullRequests(first: 50, states: OPEN) { totalCount nodes { ${everything} } }`);
  expect(api.pullRequests.nodes.map((one: Any) => [one.number, one.isDraft])).toEqual([
    [36, false],
    [31, true],
    [32, true],
    [33, false],
    [34, false],
    [35, false],
  ]);
  clean();
});

test('a very long pull request keeps its first commit and pages its reviews', async () => {
  const { pullRequest } = await read('octo/api', `pullRequest(number: 47) { ${everything} }`);
  expect(pullRequest.first.totalCount).toBe(260);
  expect(pullRequest.first.nodes[0].commit.oid).not.toBe(pullRequest.headRefOid);
  expect(pullRequest.last.nodes[0].commit.oid).toBe(pullRequest.headRefOid);
  expect(pullRequest.reviews).toMatchObject({ totalCount: 55, pageInfo: { hasNextPage: true } });
  clean();
});

test.each([
  ['repo:octo/web is:pr is:merged sort:created-asc', [1, 2, 3, 4]],
  [`repo:octo/web is:pr merged:${said(namedNow - 4 * day)}..${said(namedNow)}`, [4, 3, 2]],
  [`repo:octo/web is:pr merged:>=${said(namedNow - 3 * day)}`, [4, 3]],
  ['repo:octo/web is:pr is:open', [23, 22, 21]],
  ['repo:octo/api is:pr is:closed is:unmerged', [46, 45]],
  ['repo:octo/api is:pr is:merged base:release/1', [48]],
  ['user:octo is:pr author:ana is:open', [23]],
  ['org:octo type:pr reviewed-by:cy -author:cy', [4]],
  ['repo:octo/web is:pr author:app/dependabot', [3]],
  ['repo:octo/api is:pr label:incident', [44]],
  ['repo:octo/api is:pr draft:true', [32, 31]],
  ['repo:octo/web is:issue is:open sort:created-asc', [57, 56, 55, 53, 54, 52, 51]],
  ['repo:octo/web is:issue is:open no:label', [52, 55]],
  ['repo:octo/web is:issue is:open no:assignee', [52, 54, 55, 57]],
  [`repo:octo/web is:issue is:open comments:0 created:<${said(namedNow - 14 * day)}`, [54, 55, 57]],
  [`repo:octo/web is:issue is:open updated:<${said(namedNow - 30 * day)}`, [55, 56, 57]],
  ['repo:octo/web is:issue is:closed reason:"not planned"', [62]],
  [`repo:octo/web is:issue closed:>=${said(namedNow - 30 * day)}`, [61, 63, 62]],
  [`repo:octo/web is:issue is:open created:${said(namedNow - 30 * day)}..${said(namedNow - 7 * day)}`, [53, 54]],
  ['repo:octo/web is:issue label:bug assignee:bo', [53]],
  ['repo:octo/nothing is:pr', []],
  ['repo:octo/before is:pr', []],
])('the search %s finds', async (query, numbers) => {
  const answer = await found(query);
  const sorted = (list: number[]) => (query.includes('is:issue') && !query.includes('sort:') ? list.sort() : list);
  expect(sorted(answer.numbers)).toEqual(sorted(numbers));
  expect(answer.issueCount).toBe(numbers.length);
  clean();
});

test('a search shows nothing of what the token may not see', async () => {
  visit.double.putPullRequest('octo/secret', { number: 1 });
  visit.double.putIssue('sealed/ledger', { number: 1 });
  expect((await found('repo:octo/secret is:pr', 'token-bo')).issueCount).toBe(0);
  expect((await found('org:octo is:pr is:open', 'token-ann-fine')).issueCount).toBe(9);
  expect((await found('org:sealed is:issue', 'token-ann-two')).issueCount).toBe(0);
  expect((await found('org:sealed is:issue')).issueCount).toBe(1);
  clean();
});

test.each([
  ['repo:octo/web is:pr mergd:>2026-01-01', 'search qualifier "mergd"'],
  ['repo:octo/web is:pr lamps', 'search word lamps'],
  ['repo:octo/web is:open', 'is:issue or is:pr'],
  ['repo:octo/web is:pr merged:yesterday', 'no range of times'],
  ['repo:octo/web is:pr is:broken', '"is:broken"'],
  ['repo:octo/web is:pr sort:merged-desc', 'sort:merged-desc'],
])('the search %s is noted as a violation', async (query, reason) => {
  await ask(`{ search(type: ISSUE, first: 1, query: ${JSON.stringify(query)}) { issueCount } }`);
  expect(visit.double.violations).toEqual([expect.stringContaining(reason)]);
});

test('a search gives 1,000 results at most while its count reports all', async () => {
  visit.double.addPullRequests('octo/no-issues', 1100, { from: namedNow - 50 * day, to: namedNow });
  let [after, read, issueCount, more] = ['', 0, 0, true];
  while (more) {
    const { data } =
      await ask(`{ search(type: ISSUE, first: 100, query: "repo:octo/no-issues is:pr is:merged"${after}) {
      issueCount pageInfo { hasNextPage endCursor } nodes { ... on PullRequest { number } } } }`);
    const page = (data as Any).search;
    after = `, after: "${page.pageInfo.endCursor}"`;
    more = page.pageInfo.hasNextPage;
    read += page.nodes.length;
    issueCount = page.issueCount;
  }
  expect([read, issueCount]).toEqual([1000, 1100]);
  clean();
});

test('many counts come with one request', async () => {
  const span = `${said(namedNow - 7 * day)}..${said(namedNow)}`;
  const { data, headers } = await ask(`{
    a: search(type: ISSUE, first: 0, query: "repo:octo/web is:pr is:merged base:main merged:${span}") { issueCount }
    b: search(type: ISSUE, first: 0, query: "repo:octo/api is:pr is:merged base:main merged:${span}") { issueCount }
    rateLimit { cost nodeCount } }`);
  expect(data).toMatchObject({ a: { issueCount: 4 }, b: { issueCount: 0 }, rateLimit: { cost: 1 } });
  expect(headers.get('x-ratelimit-used')).toBe('1');
  clean();
});

test('pull requests can be reviewed, pushed to and merged while the double runs', async () => {
  const at = (minutes: number) => namedNow - 60_000 * (60 - minutes);
  visit.double.addReview('octo/web', 21, { reviewer: anActor('bo'), state: 'changes_requested', submittedAt: at(0) });
  visit.double.pushTo('octo/web', 21, at(10));
  visit.double.addReview('octo/web', 21, { reviewer: anActor('bo'), state: 'approved', submittedAt: at(20) });
  const merged = visit.double.mergePullRequest('octo/web', 21, { by: anActor('bo'), at: at(30) });
  const { pullRequest } = await read('octo/web', `pullRequest(number: 21) { ${everything} mergeCommit { oid } }`);
  expect(pullRequest).toMatchObject({
    state: 'MERGED',
    reviewDecision: 'APPROVED',
    mergedBy: { login: 'bo' },
    first: { totalCount: 2 },
    mergeCommit: { oid: merged.mergeSha },
    reviews: { totalCount: 2 },
  });
  expect((await found('repo:octo/web is:pr is:open')).numbers).toEqual([23, 22]);
  visit.double.reset();
  expect((await found('repo:octo/web is:pr is:open')).numbers).toEqual([23, 22, 21]);
});
