import { describe, expect, it } from 'vitest';
import { clientOf, errorOf, platformOfEachTest } from '../platform.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(404, {}));

const web = { owner: 'octo', repo: 'web' };

describe('states', () => {
  const wireState = (over: object = {}) => ({
    databaseId: 12,
    name: 'web',
    owner: { login: 'octo' },
    visibility: 'PRIVATE',
    isArchived: false,
    isFork: true,
    hasIssuesEnabled: true,
    issues: { totalCount: 4 },
    pullRequests: { totalCount: 2 },
    defaultBranchRef: { name: 'main', target: { statusCheckRollup: { state: 'EXPECTED' } } },
    workflows: {
      entries: [
        { name: 'ci.yml', type: 'blob' },
        { name: 'release.yaml', type: 'blob' },
        { name: 'README.md', type: 'blob' },
        { name: 'old.yml', type: 'tree' },
      ],
    },
    ...over,
  });
  const namesIn = (body: string) => {
    const { variables } = JSON.parse(body) as { variables: Record<string, string> };
    return Object.keys(variables)
      .filter((key) => key.startsWith('name'))
      .map((key) => [key.slice(4), variables[key]]);
  };
  const names = (count: number) => Array.from({ length: count }, (_, i) => ({ owner: 'octo', repo: `r${i}` }));
  const answerAll = (body: string) =>
    Object.fromEntries(namesIn(body).map(([index, name]) => [`r${index}`, wireState({ name })]));

  it('are facts', async () => {
    platform.handler = (_seen, answer) => answer.json(200, { data: { r0: wireState() } });
    expect(await clientOf(platform.url).codehost.repositories.states([web])).toMatchObject([
      {
        id: 12,
        owner: 'octo',
        repo: 'web',
        defaultBranch: 'main',
        headStatus: 'pending',
        visibility: 'private',
        archived: false,
        fork: true,
        openIssues: 4,
        openPullRequests: 2,
        workflowFiles: 2,
      },
    ]);
  });

  it('know the empty repository, the closed tracker, and the unreadable tree', async () => {
    const bare = { hasIssuesEnabled: false, defaultBranchRef: null, workflows: null };
    platform.handler = (_seen, answer) =>
      answer.json(200, {
        data: { r0: wireState(bare), r1: wireState({ name: 'b', workflows: null }) },
        errors: [{ type: 'FORBIDDEN', path: ['r1', 'workflows'], message: 'no' }],
      });
    const [empty, unreadable] = await clientOf(platform.url).codehost.repositories.states([
      web,
      { owner: 'octo', repo: 'b' },
    ]);
    expect(empty).toMatchObject({ defaultBranch: null, headStatus: null, openIssues: null, workflowFiles: 0 });
    expect(unreadable).toMatchObject({ headStatus: 'pending', workflowFiles: null });
  });

  it('know no number of workflow files where the directory could not be listed, and none where it is no directory', async () => {
    const states = { r0: wireState({ workflows: { entries: null } }), r1: wireState({ name: 'b', workflows: {} }) };
    platform.handler = (_seen, answer) => answer.json(200, { data: states });
    const read = await clientOf(platform.url).codehost.repositories.states([web, { owner: 'octo', repo: 'b' }]);
    expect(read.map((one) => one?.workflowFiles)).toEqual([null, 0]);
  });

  it('leave out what the token cannot see, and remember that for 5 minutes', async () => {
    platform.handler = (_seen, answer) =>
      answer.json(200, {
        data: { r0: null, r1: wireState({ name: 'b' }), r2: null },
        errors: [
          { type: 'NOT_FOUND', path: ['r0'], message: 'no' },
          { type: 'FORBIDDEN', path: ['r2'], message: 'no' },
        ],
      });
    const { codehost, clock, sent } = clientOf(platform.url);
    const request = [web, { owner: 'octo', repo: 'b' }, { owner: 'octo', repo: 'c' }];
    expect((await codehost.repositories.states(request)).map(({ repo }) => repo)).toEqual(['b']);
    clock.advance(299_999);
    expect((await codehost.repositories.states(request)).map(({ repo }) => repo)).toEqual(['b']);
    expect(sent).toHaveLength(1);
    clock.advance(1);
    await codehost.repositories.states(request);
    expect(sent).toHaveLength(2);
  });

  it('leave out what cannot be read, and only where no other is read say why', async () => {
    const states: Record<string, unknown> = { r0: null, r1: wireState({ databaseId: null }), r2: wireState() };
    const errors = [{ type: 'SOMETHING_NEW', path: ['r0'], message: 'no' }];
    platform.handler = (_seen, answer) => answer.json(200, { data: states, errors });
    const { codehost, clock, sent } = clientOf(platform.url);
    const request = names(3);
    expect((await codehost.repositories.states(request)).map(({ repo }) => repo)).toEqual(['r2']);
    // It may pass, so it is requested again.
    states.r0 = wireState();
    errors.length = 0;
    expect((await codehost.repositories.states(request)).map(({ repo }) => repo)).toEqual(['r0', 'r2']);
    expect(sent).toHaveLength(2);
    clock.advance(300_001);
    states.r0 = null;
    expect((await codehost.repositories.states(request)).map(({ repo, stale }) => [repo, stale])).toEqual([
      ['r0', true],
      ['r2', false],
    ]);
    const response = await errorOf(clientOf(platform.url).codehost.repositories.states([web]));
    expect(response.details).toMatchObject({
      upstream_operation: 'repository states',
      upstream_fields: ['repository'],
    });
  });

  it('that were read before the platform gave up stay', async () => {
    platform.handler = (seen, answer) => {
      const data: Record<string, unknown> = answerAll(seen.body);
      if (platform.requests.length > 1) return answer.json(502, {});
      const errors = [{ type: 'RESOURCE_LIMITS_EXCEEDED', path: ['r3'], message: 'too much' }];
      return answer.json(200, { data: { ...data, r3: null }, errors });
    };
    const states = await clientOf(platform.url).codehost.repositories.states(names(4));
    expect(states.map(({ repo }) => repo)).toEqual(['r0', 'r1', 'r2']);
  });

  it('take one request for 50 repositories, three for 120, and none for what is known', async () => {
    platform.handler = (seen, answer) => answer.json(200, { data: answerAll(seen.body) });
    const { codehost, sent } = clientOf(platform.url);
    await codehost.repositories.states(names(50));
    expect(sent).toHaveLength(1);
    expect(await codehost.repositories.states(names(120))).toHaveLength(120);
    expect(sent).toHaveLength(3);
    expect(namesIn(platform.requests[2]?.body ?? '')).toHaveLength(20);
    expect(sent[0]).toMatchObject({ operation: 'repository states', method: 'POST', status: 200 });
  });

  it('of a renamed repository keep the asked name and tell the new one', async () => {
    platform.handler = (_seen, answer) => answer.json(200, { data: { r0: wireState({ name: 'site' }) } });
    const { codehost } = clientOf(platform.url);
    expect((await codehost.repositories.states([web]))[0]?.repo).toBe('web');
    expect(codehost.repositories.canonical(web)).toEqual({ owner: 'octo', repo: 'site' });
  });

  it('ask again in halves when the question is too heavy', async () => {
    platform.handler = (seen, answer) =>
      namesIn(seen.body).length > 13 ? answer.json(502, {}) : answer.json(200, { data: answerAll(seen.body) });
    const { codehost, sent } = clientOf(platform.url);
    expect(await codehost.repositories.states(names(50))).toHaveLength(50);
    expect(sent.filter(({ status }) => status === 502)).toHaveLength(3);
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(4);
  });

  it('read again only what a resource limit left open', async () => {
    platform.handler = (seen, answer) => {
      const data: Record<string, unknown> = answerAll(seen.body);
      if (platform.requests.length > 1) return answer.json(200, { data });
      const open = ['r2', 'r3'];
      for (const alias of open) data[alias] = null;
      const errors = open.map((alias) => ({ type: 'RESOURCE_LIMITS_EXCEEDED', path: [alias], message: 'too much' }));
      return answer.json(200, { data, errors });
    };
    const { codehost } = clientOf(platform.url);
    expect(await codehost.repositories.states(names(4))).toHaveLength(4);
    expect(platform.requests.slice(1).map(({ body }) => namesIn(body).map(([, name]) => name))).toEqual([
      ['r2'],
      ['r3'],
    ]);
  });

  it('give up after two halvings', async () => {
    platform.handler = (_seen, answer) => answer.json(504, {});
    const { codehost, sent } = clientOf(platform.url);
    expect((await errorOf(codehost.repositories.states(names(50)))).code).toBe('upstream_unavailable');
    expect(sent).toHaveLength(4);
    expect((await errorOf(codehost.repositories.states([web]))).code).toBe('upstream_unavailable');
    expect(sent).toHaveLength(7);
  });

  const generic = 'Something went wrong while executing your query. Please include `AB:1` when reporting this issue.';

  it.each([
    ['an error without a type', { message: generic }],
    ['an exceeded limit', { type: 'RESOURCE_LIMITS_EXCEEDED', message: 'Resource limits for this query exceeded.' }],
  ])('of all others are read where one is given up on with %s', async (_, error) => {
    platform.handler = (seen, answer) => {
      const data: Record<string, unknown> = answerAll(seen.body);
      const lost = namesIn(seen.body).find(([, name]) => name === 'r3')?.[0];
      if (lost === undefined) return answer.json(200, { data });
      answer.json(200, { data: { ...data, [`r${lost}`]: null }, errors: [{ ...error, path: [`r${lost}`] }] });
    };
    const { codehost, sent } = clientOf(platform.url);
    const states = await codehost.repositories.states(names(9));
    expect(states.map(({ repo }) => repo)).toEqual(['r0', 'r1', 'r2', 'r4', 'r5', 'r6', 'r7', 'r8']);
    expect(sent.length).toBeLessThanOrEqual(4);
  });

  it.each([0, 4, 8])('of most others are read where every request with repository %i fails', async (lost) => {
    platform.handler = (seen, answer) =>
      namesIn(seen.body).some(([, name]) => name === `r${lost}`)
        ? answer.json(502, {})
        : answer.json(200, { data: answerAll(seen.body) });
    const { codehost, sent } = clientOf(platform.url);
    const states = await codehost.repositories.states(names(9));
    expect(states.length).toBeGreaterThanOrEqual(6);
    expect(states.map(({ repo }) => repo)).not.toContain(`r${lost}`);
    expect(sent.length).toBeLessThanOrEqual(5);
  });

  it('name the request behind a failure', async () => {
    const error = { message: generic, path: ['r0'] };
    platform.handler = (_seen, answer) => answer.json(200, { data: { r0: null }, errors: [error] });
    const problem = await errorOf(clientOf(platform.url).codehost.repositories.states([web]));
    expect(problem.cause).toMatchObject({ operation: 'repository states', status: 200 });
    platform.handler = (_seen, answer) => answer.json(502, {});
    const refused = await errorOf(clientOf(platform.url).codehost.repositories.states(names(9)));
    expect(refused.cause).toMatchObject({ operation: 'repository states', method: 'POST', status: 502 });
  });

  it('go to their own address when REST has another', async () => {
    platform.handler = (seen, answer) =>
      seen.url === '/own/graphql' ? answer.json(200, { data: { r0: wireState() } }) : answer.json(404, {});
    const options = { graphqlUrl: `${platform.url}/own/graphql` };
    const { codehost } = clientOf(`${platform.url}/api/v3`, options);
    expect(await codehost.repositories.states([web])).toHaveLength(1);
    await errorOf(codehost.viewer());
    expect(platform.requests.map(({ url }) => url)).toEqual(['/own/graphql', '/api/v3/user']);
  });
});
