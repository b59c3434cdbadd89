import { describe, expect, it } from 'vitest';
import { clientOf, errorOf, platformOfEachTest } from '../platform.ts';
import { person, searchAnswer, variablesOf, wirePullRequest } from './wire-delivery.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(404, {}));

const web = { owner: 'octo', repo: 'web' };
const day = 86_400_000;
const now = Date.parse('2026-03-10T12:00:00Z');
const inRepository = (inside: object) => ({
  data: { repository: { name: 'web', owner: { login: 'octo' }, ...inside } },
});

describe('a pull request', () => {
  const read = async (over: object, options = {}) => {
    platform.handler = (_seen, answer) =>
      answer.json(200, searchAnswer([wirePullRequest({ ...over })], { issueCount: 1 }));
    return (await clientOf(platform.url, options).codehost.pullRequests.merged(web, now - 30 * day, now)).items[0];
  };
  const review = (over: object) => ({
    id: 'R1',
    state: 'APPROVED',
    submittedAt: '2026-03-02T10:00:00Z',
    author: person('bo'),
    commit: { oid: 'b'.repeat(40) },
    comments: { totalCount: 2 },
    ...over,
  });

  it('is a fact', async () => {
    expect(await read({ reviews: { totalCount: 1, nodes: [review({})] } })).toEqual({
      number: 7,
      title: 'Fix it',
      isRevert: false,
      author: { login: 'mona', avatarUrl: 'https://example.test/mona.png', isBot: false },
      state: 'merged',
      isDraft: false,
      createdAt: Date.parse('2025-12-01T10:00:00Z'),
      updatedAt: Date.parse('2026-03-08T10:00:00Z'),
      closedAt: Date.parse('2026-03-05T10:00:00Z'),
      mergedAt: Date.parse('2026-03-05T10:00:00Z'),
      mergedBy: { login: 'web-flow', avatarUrl: 'https://example.test/web-flow.png', isBot: true },
      baseBranch: 'main',
      headBranch: 'fix',
      headSha: 'a'.repeat(40),
      labels: ['bug'],
      additions: 10,
      deletions: 2,
      changedFiles: 3,
      commitCount: 2,
      firstCommitAt: Date.parse('2026-03-01T08:00:00Z'),
      reviews: [
        {
          id: 'R1',
          reviewer: { login: 'bo', avatarUrl: 'https://example.test/bo.png', isBot: false },
          state: 'approved',
          submittedAt: Date.parse('2026-03-02T10:00:00Z'),
          commitSha: 'b'.repeat(40),
          comments: 2,
        },
      ],
      reviewsTruncated: false,
      clock: [],
      mergeQueue: null,
      htmlUrl: 'https://example.test/pull/7',
    });
  });

  it('knows deleted accounts, bots and bots of this service', async () => {
    const gone = await read({ author: null, mergedBy: person('ghost'), headRefOid: '0'.repeat(40) });
    expect([gone?.author, gone?.mergedBy, gone?.headSha]).toEqual([null, null, null]);
    const bots = await read(
      { author: person('renovate', 'Bot'), mergedBy: person('our-robot') },
      { botLogins: ['Our-Robot'] },
    );
    expect([bots?.author?.isBot, bots?.mergedBy?.isBot]).toEqual([true, true]);
  });

  it('keeps dismissed reviews as such, drops those not sent, and reports when there are more', async () => {
    const nodes = [
      review({ id: 'R1', state: 'DISMISSED', author: null }),
      review({ id: 'R2', state: 'PENDING', submittedAt: null }),
      review({ id: 'R3', state: 'CHANGES_REQUESTED', commit: null }),
    ];
    const fact = await read({ reviews: { totalCount: 51, nodes } });
    expect(
      fact?.reviews?.map(({ id, state, reviewer, commitSha }) => [id, state, reviewer?.login, commitSha?.length]),
    ).toEqual([
      ['R1', 'dismissed', undefined, 40],
      ['R3', 'changes_requested', 'bo', undefined],
    ]);
    expect(fact?.reviewsTruncated).toBe(true);
  });

  it('takes reviews that could not be read for unknown, and none for none', async () => {
    const [untold, none] = [await read({ reviews: null }), await read({ reviews: { totalCount: 0, nodes: [] } })];
    expect([untold?.reviews, untold?.reviewsTruncated]).toEqual([null, true]);
    expect([none?.reviews, none?.reviewsTruncated]).toEqual([[], false]);
  });

  it('has a review clock', async () => {
    const at = (hour: number) => `2026-03-01T${String(hour).padStart(2, '0')}:00:00Z`;
    const nodes = [
      { __typename: 'ConvertToDraftEvent', createdAt: at(1) },
      { __typename: 'ReadyForReviewEvent', createdAt: at(2) },
      { __typename: 'ReviewRequestedEvent', createdAt: at(3), requestedReviewer: { login: 'bo' } },
      { __typename: 'ReviewRequestedEvent', createdAt: at(4), requestedReviewer: {} },
      { __typename: 'ReviewRequestedEvent', createdAt: at(5), requestedReviewer: null },
      { __typename: 'HeadRefForcePushedEvent', createdAt: at(6) },
      { __typename: 'SomethingNew', createdAt: at(7) },
    ];
    const timelineItems = { pageInfo: { hasPreviousPage: false }, nodes };
    expect((await read({ timelineItems }))?.clock?.map(({ kind, login }) => [kind, login])).toEqual([
      ['converted_to_draft', null],
      ['ready_for_review', null],
      ['review_requested', 'bo'],
      ['review_requested', null],
      ['review_requested', null],
      ['pushed', null],
    ]);
  });

  it('that is open reports its teams where the token may read them', async () => {
    const open = (slug?: string) => ({
      ...wirePullRequest({ state: 'OPEN', mergedAt: null, closedAt: null }),
      mergeable: 'UNKNOWN',
      reviewDecision: null,
      lastCommit: { nodes: [] },
      reviewRequests: { nodes: [{ requestedReviewer: { __typename: 'Team', ...(slug ? { slug } : {}) } }, null] },
    });
    const page = (one: object) => inRepository({ pullRequests: { totalCount: 1, nodes: [one] } });
    platform.handler = ({ body }, answer) =>
      variablesOf(body).teams
        ? answer.json(200, { errors: [{ type: 'INSUFFICIENT_SCOPES', message: "The 'slug' field requires read:org" }] })
        : answer.json(200, page(open()));
    const narrow = (await clientOf(platform.url).codehost.pullRequests.open(web)).items[0];
    expect([narrow?.requestedTeams, narrow?.mergeable, narrow?.reviewDecision, narrow?.lastPushAt]).toEqual([
      ['team'],
      'unknown',
      null,
      null,
    ]);
    expect(platform.requests).toHaveLength(2);
    const unreadable = { ...open(), reviewRequests: { nodes: [{ requestedReviewer: null }] } };
    const path = ['repository', 'pullRequests', 'nodes', 0, 'reviewRequests', 'nodes', 0, 'requestedReviewer'];
    platform.handler = (_seen, answer) =>
      answer.json(200, { ...page(unreadable), errors: [{ type: 'FORBIDDEN', path, message: 'no' }] });
    const forbidden = await clientOf(platform.url).codehost.pullRequests.open(web);
    expect([forbidden.items[0]?.requestedTeams, forbidden.partial]).toEqual([['team'], false]);
    platform.handler = (_seen, answer) => answer.json(200, page(open('keepers')));
    expect((await clientOf(platform.url).codehost.pullRequests.open(web)).items[0]?.requestedTeams).toEqual([
      'keepers',
    ]);
  });
});

describe('an issue', () => {
  it('closed as a duplicate was not planned', async () => {
    const issue = {
      number: 3,
      title: 'Twice',
      createdAt: '2026-03-01T00:00:00Z',
      updatedAt: '2026-03-02T00:00:00Z',
      closedAt: '2026-03-02T00:00:00Z',
      stateReason: 'DUPLICATE',
      url: 'https://example.test/3',
      author: null,
      labels: { nodes: [] },
      assignees: { nodes: [] },
      comments: { totalCount: 0 },
      timelineItems: { nodes: [{ actor: person('tidy', 'Bot') }] },
    };
    const older = { ...issue, number: 4, closedAt: '2026-01-01T00:00:00Z', stateReason: null };
    platform.handler = (_seen, answer) =>
      answer.json(
        200,
        inRepository({ hasIssuesEnabled: true, issues: { nodes: [issue, older] }, ofState: { totalCount: 9 } }),
      );
    const { items, allTime, totalCount } = await clientOf(platform.url).codehost.issues.closed(web, now - 30 * day);
    expect(items.map(({ number, closeReason, closedByBot }) => [number, closeReason, closedByBot])).toEqual([
      [3, 'not_planned', true],
    ]);
    expect([allTime, totalCount]).toEqual([9, 1]);
  });
});

describe('a deployment', () => {
  it('keeps the order of statuses of one second, and leaves out states it does not know', async () => {
    const status = (state: string, minute: number) => ({
      state,
      createdAt: `2026-03-09T10:0${minute}:00Z`,
      environmentUrl: '',
      logUrl: null,
    });
    const wire = {
      databaseId: 5,
      environment: null,
      originalEnvironment: 'live',
      createdAt: '2026-03-09T10:00:00Z',
      commitOid: 'c'.repeat(40),
      ref: null,
      creator: person('ghost'),
      statuses: {
        nodes: [status('INACTIVE', 2), status('SUCCESS', 1), status('IN_PROGRESS', 1), status('ODD', 0)],
      },
    };
    platform.handler = (_seen, answer) =>
      answer.json(200, inRepository({ deployments: { totalCount: 1, nodes: [wire] } }));
    const [fact] = (await clientOf(platform.url).codehost.deployments.since(web, now - 30 * day)).items;
    expect(fact).toMatchObject({ id: 5, environment: 'live', ref: null, creator: null, url: null });
    expect(fact?.statuses?.map(({ state }) => state)).toEqual(['in_progress', 'success', 'inactive']);
  });

  it('reports which environments are production, at the price of a conditional request', async () => {
    platform.handler = ({ url, headers }, answer) => {
      expect(url).toBe('/repos/octo/web/deployments?per_page=100');
      if (headers['if-none-match']) return answer.json(304, undefined);
      const one = (environment: string, production_environment?: boolean) => ({ environment, production_environment });
      answer.json(200, [one('live', true), one('live', true), one('preview', false), one('old')], { etag: '"x"' });
    };
    const { codehost, clock, sent } = clientOf(platform.url);
    expect(await codehost.deployments.productionEnvironments(web)).toEqual(['live']);
    clock.advance(600_000);
    expect(await codehost.deployments.productionEnvironments(web)).toEqual(['live']);
    expect(sent.map(({ status }) => status)).toEqual([200, 304]);
  });
});

describe('contributions of a bot', () => {
  it('are none, under the account REST knows', async () => {
    platform.handler = ({ url }, answer) =>
      url === '/users/dependabot%5Bbot%5D'
        ? answer.json(200, {
            node_id: 'B_1',
            login: 'dependabot[bot]',
            name: null,
            avatar_url: 'https://example.test/d.png',
            bio: null,
            company: null,
            location: null,
            html_url: 'https://example.test/apps/dependabot',
          })
        : answer.json(404, {});
    const { codehost } = clientOf(platform.url);
    const found = await codehost.people.contributions('dependabot[bot]', null, now);
    expect(found).toMatchObject({ account: { id: 'B_1', isBot: true }, days: [], repositories: [] });
    expect((await errorOf(codehost.people.contributions('other[bot]', null, now))).code).toBe('not_found');
  });
});
