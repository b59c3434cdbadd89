import { describe, expect, it } from 'vitest';
import type { FactKind } from '../../../server/facts/fact-repository.ts';
import { variablesOf, wirePullRequest } from '../delivery/wire-delivery.ts';
import { clientOf, errorOf, platformOfEachTest } from '../platform.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(404, {}));

const web = { owner: 'octo', repo: 'web' };
const now = Date.parse('2026-03-10T12:00:00Z');
const days = (count: number) => now - count * 86_400_000;
const wanted = (...kinds: FactKind[]) =>
  Object.fromEntries(kinds.map((kind) => [kind, { since: days(3), head: 'c0ffee' }]));

const page = (nodes: (object | null)[], next: string | null = null) => ({
  totalCount: nodes.length,
  pageInfo: { hasNextPage: next !== null, endCursor: next },
  nodes,
});
const repository = { name: 'web', owner: { login: 'octo' }, hasIssuesEnabled: true };
const pulls = (...given: Parameters<typeof page>) => ({ pull_requests: { pullRequests: page(...given) } });
const nothing = { releases: { releases: page([]) } };
const answerOf = (parts: object, errors: { type: string; path: (string | number)[] }[] = []) => ({
  data: { repository, ...parts },
  ...(errors.length > 0 ? { errors: errors.map((error) => ({ ...error, message: 'no' })) } : {}),
});
const answering = (body: object, status = 200) => {
  platform.handler = (_seen, answer) => answer.json(status, body);
};
const read = (...kinds: FactKind[]) => clientOf(platform.url).codehost.changes(web, wanted(...kinds));
/** Page sizes of each request, in the order of the query. */
const sizes = () =>
  platform.requests.map(({ body }) =>
    [...body.matchAll(/DESC }, first: (\d+|\$first)/g)].map(([, size]) =>
      size === '$first' ? variablesOf(body).first : Number(size),
    ),
  );

describe('an answer that is too heavy', () => {
  it.each([502, 504])('is requested in half the size after a %i', async (status) => {
    platform.handler = (_seen, answer) => {
      if (platform.requests.length < 3) return answer.json(status, {});
      answer.json(200, answerOf({ ...pulls([wirePullRequest()]), ...nothing }));
    };
    const changes = await read('pull_requests', 'releases');
    expect([changes.pull_requests?.items.length, changes.pull_requests?.reached]).toEqual([1, true]);
    expect(sizes()).toEqual([
      [25, 30],
      [12, 15],
      [6, 7],
    ]);
  });

  it('refuses after three attempts', async () => {
    answering({}, 502);
    expect((await errorOf(read('pull_requests'))).code).toBe('upstream_unavailable');
    expect(sizes()).toEqual([[25], [12], [6]]);
  });

  it('is requested again when a part of it is missing, and not all there when it never comes', async () => {
    const errors = [{ type: 'RESOURCE_LIMITS_EXCEEDED', path: ['pull_requests', 'pullRequests', 'nodes', 1] }];
    answering(answerOf({ ...pulls([wirePullRequest(), null]), ...nothing }, errors));
    const changes = await read('pull_requests', 'releases');
    expect(sizes()).toHaveLength(3);
    expect(changes.pull_requests).toMatchObject({ items: [{ number: 7 }], reached: false });
    expect(changes.releases?.reached).toBe(true);
    answering(answerOf({ pull_requests: null, ...nothing }, [{ type: 'INTERNAL', path: ['pull_requests'] }]));
    expect((await read('pull_requests', 'releases')).pull_requests).toMatchObject({ items: [], reached: false });
  });

  it.each([{}, { path: [] }])('has gaps of every kind with an error that has no place: %j', async (place) => {
    const errors = [{ type: 'INTERNAL', message: 'Something went wrong', ...place }];
    answering({ ...answerOf({ ...pulls([wirePullRequest()]), ...nothing }), errors });
    const changes = await read('pull_requests', 'releases');
    expect(changes).toMatchObject({ pull_requests: { items: [{ number: 7 }], reached: false } });
    expect(changes.releases?.reached).toBe(false);
    answering({ ...answerOf(nothing), errors: [{ ...errors[0], path: ['rateLimit'] }] });
    expect((await read('releases')).releases?.reached).toBe(true);
  });

  it('goes on in smaller pages where only a further page is', async () => {
    platform.handler = ({ body }, answer) => {
      const { first, after } = variablesOf(body);
      if (after === 'c1' && Number(first) > 25) return answer.json(502, {});
      const number = after ? 8 : 7;
      answer.json(200, answerOf(pulls([wirePullRequest({ number })], after ? null : 'c1')));
    };
    const changes = await read('pull_requests');
    expect(changes.pull_requests).toMatchObject({ items: [{ number: 7 }, { number: 8 }], reached: true });
    expect(sizes()).toEqual([[25], [50], [25]]);
  });
});

describe('a comparison that cannot be made', () => {
  const compared = (compare: object | null) => {
    const history = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
    return answerOf({ commits: { defaultBranchRef: { target: { oid: 'beef', history }, compare } } });
  };

  it.each([
    ['without a word', []],
    ['as not found', [{ type: 'NOT_FOUND', path: ['commits', 'defaultBranchRef', 'compare'], message: 'no' }]],
    ['as a failure', [{ type: 'INTERNAL', path: ['commits', 'defaultBranchRef', 'compare'], message: 'no' }]],
  ])('%s reports no number of commits, and takes nothing else along', async (_, errors) => {
    answering({ ...compared(null), ...(errors.length > 0 ? { errors } : {}) });
    expect((await read('commits')).commits).toMatchObject({ items: [], head: 'beef', added: null, reached: true });
    expect(platform.requests.map(({ body }) => variablesOf(body))).toMatchObject([
      { storedHead: 'c0ffee', hasHead: true },
    ]);
  });

  it('is distinguished from one that distinguishes what came, and from one that lost commits', async () => {
    answering(compared({ aheadBy: 0, behindBy: 7 }));
    expect((await read('commits')).commits?.added).toBe(7);
    answering(compared({ aheadBy: 1, behindBy: 7 }));
    expect((await read('commits')).commits?.added).toBeNull();
  });
});

describe('what the token may not read', () => {
  const forbidden = (...path: (string | number)[]) => [{ type: 'FORBIDDEN', path }];

  it.each([
    [{ deployments: null }, forbidden('deployments', 'deployments')],
    [{ deployments: { deployments: null } }, forbidden('deployments', 'deployments')],
  ])('is absent, and the rest is there: %j', async (rejected, errors) => {
    answering(answerOf({ ...rejected, ...nothing }, errors));
    const changes = await read('deployments', 'releases');
    expect([Object.keys(changes), changes.releases?.reached]).toEqual([['releases'], true]);
    expect(await read('deployments')).toEqual({});
  });

  it('a branch that is rejected is not an empty repository', async () => {
    answering(answerOf({ commits: { defaultBranchRef: null } }, forbidden('commits', 'defaultBranchRef')));
    expect(await read('commits')).toEqual({});
    const cut = [{ type: 'RESOURCE_LIMITS_EXCEEDED', path: ['commits', 'defaultBranchRef'] }];
    answering(answerOf({ commits: { defaultBranchRef: null } }, cut));
    expect((await read('commits')).commits).toMatchObject({ items: [], head: null, reached: false });
    answering(answerOf({ commits: { defaultBranchRef: null } }));
    expect((await read('commits')).commits).toMatchObject({ items: [], head: null, reached: true });
  });

  it('leaves a gap where it is one of many, except for a requested team', async () => {
    const path = ['pull_requests', 'pullRequests', 'nodes', 1];
    answering(answerOf(pulls([wirePullRequest(), null]), forbidden(...path)));
    expect((await read('pull_requests')).pull_requests?.reached).toBe(false);
    const ofTeam = [...path, 'timelineItems', 'nodes', 0, 'requestedReviewer'];
    answering(answerOf(pulls([wirePullRequest()]), forbidden(...ofTeam)));
    expect((await read('pull_requests')).pull_requests?.reached).toBe(true);
  });
});

describe('an error', () => {
  it('of the repository, or of a further page, is one of all', async () => {
    const gone = [{ type: 'NOT_FOUND', path: ['repository'] }];
    answering({ data: { repository: null, ...pulls([]) }, errors: gone });
    expect((await errorOf(read('pull_requests'))).code).toBe('not_found');
    const limited = { data: null, errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] };
    platform.handler = ({ body }, answer) =>
      answer.json(
        200,
        variablesOf(body).after ? limited : answerOf({ ...pulls([wirePullRequest()], 'c1'), ...nothing }),
      );
    expect((await errorOf(read('pull_requests', 'releases'))).code).toBe('upstream_rate_limited');
  });

  it('is not bridged by an older answer', async () => {
    const { codehost, clock } = clientOf(platform.url);
    answering(answerOf(nothing));
    expect((await codehost.changes(web, wanted('releases'))).releases?.reached).toBe(true);
    clock.advance(1000);
    answering({ data: null, errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] });
    expect((await errorOf(codehost.changes(web, wanted('releases')))).code).toBe('upstream_rate_limited');
  });
});

it('is as of the moment it was requested', async () => {
  const { codehost, clock } = clientOf(platform.url);
  const request = clock.now();
  platform.handler = (_seen, answer) => {
    clock.advance(5000);
    answer.json(200, answerOf(pulls([wirePullRequest()], platform.requests.length < 3 ? 'c1' : null)));
  };
  const changes = await codehost.changes(web, wanted('pull_requests'));
  expect([changes.pull_requests?.asOf, clock.now() - request]).toEqual([request, 15_000]);
});
