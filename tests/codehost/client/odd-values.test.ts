import { describe, expect, it } from 'vitest';
import { clientOf, errorOf, platformOfEachTest, wireRepository, wireRun, wireWorkflow } from '../platform.ts';

const web = { owner: 'octo', repo: 'web' };
const at = '2026-03-09T10:00:00Z';
const platform = platformOfEachTest();

const answer = (body: unknown) => {
  platform.handler = (_seen, answerer) => answerer.json(200, body);
};
const client = () => clientOf(platform.url).codehost;

describe('an item of a REST list', () => {
  it('with an unknown word, or without what is only shown, is stored', async () => {
    const missing = { html_url: undefined, badge_url: null };
    answer({ total_count: 1, workflows: [wireWorkflow({ state: 'paused', ...missing })] });
    const { items, partial, partialReason } = await client().workflows.list(web);
    expect(items).toMatchObject([{ state: 'paused', htmlUrl: '', badgeUrl: '' }]);
    expect([partial, partialReason]).toEqual([false, undefined]);
  });

  it('without what it is known by is excluded and counted, and the others stay', async () => {
    const workflows = [wireWorkflow(), wireWorkflow({ id: null }), wireWorkflow({ id: 7, created_at: 'soon' }), null];
    answer({ total_count: 4, workflows });
    const { items, partial, partialReason } = await client().workflows.list(web);
    expect(items.map(({ id }) => id)).toEqual([5]);
    expect([partial, partialReason]).toEqual([
      true,
      '3 workflows excluded: id, created_at, the whole item could not be read',
    ]);
  });

  it.each([
    ['secret', false, 'public'],
    ['secret', true, 'private'],
    [7, undefined, 'private'],
  ])('whose visibility is %s counts by the mark `private`: %s', async (visibility, isPrivate, expected) => {
    answer([wireRepository({ visibility, private: isPrivate, stargazers_count: null, language: 7 })]);
    const { items, partial } = await client().repositories.mine();
    expect(items.map((one) => one.visibility)).toEqual([expected]);
    expect(partial).toBe(false);
  });

  it('about a run keeps what is known where an account, a commit or a pull request is odd', async () => {
    const odd = { actor: { login: null }, triggering_actor: {}, head_commit: {}, pull_requests: [{ number: 4 }, null] };
    const shown = { html_url: null, jobs_url: 7, conclusion: 'exploded', event: 'a_new_one' };
    answer({ total_count: 2, workflow_runs: [wireRun({ ...odd, ...shown }), wireRun({ id: 'x' })] });
    const listing = await client().runs.ofWorkflow(web, 5, 10);
    const nobody = { actor: null, triggeringActor: null, headCommit: null, pullRequests: [] };
    expect(listing.items).toMatchObject([{ id: 100, ...nobody, conclusion: null, event: 'a_new_one', htmlUrl: '' }]);
    expect(listing).toMatchObject({
      partial: true,
      partialReason: expect.stringContaining('1 run of a workflow excluded: id'),
    });
  });

  it('about a bill is excluded from the sums, which then say so', async () => {
    const item = {
      product: 'Actions',
      sku: 'Actions Linux',
      unitType: 'minutes',
      pricePerUnit: 0.008,
      grossQuantity: 10,
      netQuantity: 10,
      grossAmount: 0.08,
      discountAmount: 0,
      netAmount: 0.08,
    };
    answer({ usageItems: [item, { ...item, grossAmount: null }] });
    const usage = await client().billing.summary({ kind: 'org', login: 'octo' }, { year: 2026, month: 3 });
    expect(usage.items).toHaveLength(1);
    expect(usage.partialReason).toBe('1 billing usage summary excluded: grossAmount could not be read');
  });
});

describe('a security alert', () => {
  const alert = (over: Record<string, unknown>) => ({
    number: 1,
    html_url: 'https://example.test/1',
    created_at: at,
    updated_at: at,
    rule: { id: 'js/xss', severity: 'high' },
    tool: { name: 'CodeQL' },
    ...over,
  });

  it('that is closed has ended, and one of an unknown state is excluded and counted', async () => {
    const ended = [
      alert({ state: 'closed', fixed_at: at }),
      alert({ number: 2, state: 'closed', dismissed_at: at }),
      alert({ number: 3, state: 'haunted' }),
    ];
    platform.handler = ({ url }, answerer) => {
      const isOpen = url.includes('state=open');
      answerer.json(200, url.includes('code-scanning') ? (isOpen ? [alert({ number: 4, state: 'open' })] : ended) : []);
    };
    const { code_scanning: read } = await client().securityAlerts(web, 0);
    expect(read.open.map(({ number }) => number)).toEqual([4]);
    expect(read.ended?.map(({ number, state }) => [number, state])).toEqual([
      [1, 'fixed'],
      [2, 'dismissed'],
    ]);
    expect(read).toMatchObject({
      truncated: false,
      endedTruncated: true,
      message: expect.stringMatching(/^1 code scanning alert excluded: state could not/),
    });
  });
});

describe('an item of a GraphQL list', () => {
  const pullRequest = (over: Record<string, unknown> = {}) => ({
    number: 1,
    title: 'One',
    state: 'OPEN',
    isDraft: false,
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    mergedAt: null,
    url: 'https://example.test/1',
    baseRefName: 'main',
    headRefName: 'x',
    headRefOid: null,
    additions: 1,
    deletions: 1,
    changedFiles: 1,
    author: null,
    mergedBy: null,
    labels: { nodes: [] },
    commits: { totalCount: 0, nodes: [] },
    reviews: { totalCount: 0, nodes: [] },
    timelineItems: { pageInfo: { hasPreviousPage: false }, nodes: [] },
    mergeable: 'A_NEW_WORD',
    reviewDecision: 'A_NEW_WORD',
    reviewRequests: null,
    lastCommit: { nodes: [] },
    ...over,
  });
  const openOnes = async (...nodes: unknown[]) => {
    const list = { totalCount: nodes.length, pageInfo: { hasNextPage: false, endCursor: null }, nodes };
    answer({ data: { repository: { name: 'web', owner: { login: 'octo' }, pullRequests: list } } });
    return client().pullRequests.open(web);
  };

  it('that cannot be read is excluded and counted, and the others stay', async () => {
    const read = await openOnes(pullRequest(), pullRequest({ number: 2, createdAt: null }), null);
    expect(read.items.map(({ number }) => number)).toEqual([1]);
    const partialReason = '1 open pull request excluded: createdAt could not be read';
    expect(read).toMatchObject({ partial: true, capped: false, partialReason });
  });

  it('keeps what is known where an account is odd', async () => {
    const odd = { labels: { nodes: [{ name: 'bug' }] }, author: { login: null }, url: null, title: 7 };
    const read = await openOnes(pullRequest(odd));
    const [one] = read.items;
    expect(one).toMatchObject({ labels: ['bug'], author: null, htmlUrl: '', title: null, mergeable: 'unknown' });
    expect([one?.reviews, read.partial]).toEqual([[], false]);
  });

  it.each([[null], [{ nodes: [{ name: null }, { name: 'bug' }] }]])(
    'of which the labels are %j has unknown labels, and says so',
    async (labels) => {
      const read = await openOnes(pullRequest({ labels }));
      expect(read.items).toMatchObject([{ number: 1, labels: null }]);
      expect(read.partialReason).toBe('labels of 1 open pull request could not be read');
    },
  );

  const review = { id: 'R', state: 'APPROVED', submittedAt: at, author: null };
  it.each([
    [null],
    [{ ...review, state: null }],
    [{ ...review, submittedAt: null }],
    [{ ...review, submittedAt: 'soon' }],
    [{ ...review, comments: { totalCount: -1 } }],
  ])('of which one review is %j has unknown reviews, and says so', async (odd) => {
    const read = await openOnes(pullRequest({ reviews: { totalCount: 2, nodes: [review, odd] } }));
    expect(read.items).toMatchObject([{ number: 1, reviews: null, reviewsTruncated: true }]);
    expect([read.partial, read.partialReason]).toEqual([true, 'reviews of 1 open pull request could not be read']);
  });
});

describe('a deployment', () => {
  const deployment = (databaseId: number, statuses: unknown) => ({
    databaseId,
    environment: 'production',
    originalEnvironment: null,
    createdAt: at,
    commitOid: 'a',
    ref: null,
    creator: null,
    statuses,
  });
  const success = { state: 'SUCCESS', createdAt: at, environmentUrl: null, logUrl: null };

  it('without readable statuses says that they are not known, and the list that it is partial', async () => {
    const nodes = [
      deployment(1, { nodes: [success] }),
      deployment(2, null),
      deployment(3, { nodes: [success, { ...success, createdAt: null }] }),
      deployment(4, { nodes: [success, null] }),
    ];
    const deployments = { totalCount: 4, pageInfo: { hasNextPage: false, endCursor: null }, nodes };
    answer({ data: { repository: { name: 'web', owner: { login: 'octo' }, deployments } } });
    const read = await client().deployments.since(web, 0);
    expect(read.items.map(({ id, statuses }) => [id, statuses?.length])).toEqual([
      [1, 1],
      [2, undefined],
      [3, undefined],
      [4, undefined],
    ]);
    const partialReason = 'statuses of 3 in "deployments" could not be read';
    expect(read).toMatchObject({ partial: true, capped: false, partialReason });
  });
});

describe('who signs in', () => {
  it('needs no picture, no name and no address', async () => {
    answer({ id: 7, login: 'mona', name: 7 });
    expect(await client().viewer()).toMatchObject({ id: 7, login: 'mona', name: null, avatarUrl: '', email: null });
  });

  it('is no member in a state that is not known', async () => {
    answer({ state: 'suspended', role: 'admin' });
    expect(await client().organizations.isMember('octo')).toBe(false);
  });
});

describe('an answer that cannot be read', () => {
  it('says which field of which request', async () => {
    answer({ total_count: 1, workflows: null });
    const rest = await errorOf(client().workflows.list(web));
    expect(rest.message).toBe('The GitHub response to "list workflows" could not be parsed: workflows.');
    const named = { upstream_operation: 'list workflows', upstream_fields: ['workflows'] };
    expect(rest.details).toEqual({ upstream_status: 200, ...named });
    answer({ data: { repository: { name: 'web', owner: { login: 'octo' }, pullRequests: 7 } } });
    const graphql = await errorOf(client().pullRequests.open(web));
    expect(graphql.details).toMatchObject({
      upstream_operation: 'open pull requests',
      upstream_fields: ['repository.pullRequests'],
    });
    answer({ data: { repository: null } });
    const without = await errorOf(client().pullRequests.open(web));
    expect(without.details).toMatchObject({
      upstream_operation: 'open pull requests',
      upstream_fields: ['repository'],
    });
  });
});
