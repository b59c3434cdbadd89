import { describe, expect, it } from 'vitest';
import { anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { withDouble } from '../double.ts';
import { errorOf } from '../platform.ts';

const platform = withDouble();
const web = { owner: 'octo', repo: 'web' };
const old = { owner: 'octo', repo: 'old' };
const day = 86_400_000;
const quarter = namedNow - 90 * day;

describe('the window of pull requests', () => {
  it('counts what was created and merged, and lists what is open still, in one request', async () => {
    const { codehost } = platform.as();
    const window = await codehost.pullRequests.window(web, quarter);
    expect(window).toMatchObject({ opened: 7, merged: 4, partial: false, stale: false, asOf: namedNow });
    expect(window.stillOpen.map(({ number, author }) => [number, author?.login])).toEqual([
      [23, 'ana'],
      [22, 'cy'],
      [21, 'bob'],
    ]);
    expect(window.stillOpen[2]?.createdAt).toBe(namedNow - 6 * day);
    expect(platform.double.requests.map(({ operation }) => operation)).toEqual(['PullRequestWindow']);
  });

  it('begins where it was reported to', async () => {
    const window = await platform.as().codehost.pullRequests.window(web, namedNow - 3 * day);
    expect([window.opened, window.merged]).toEqual([4, 2]);
    expect(window.stillOpen.map(({ number }) => number)).toEqual([23, 22]);
  });

  it('knows bots and deleted accounts', async () => {
    const createdAt = namedNow - day;
    platform.double.putPullRequest('octo/old', { number: 1, createdAt, author: null });
    platform.double.putPullRequest('octo/old', { number: 2, createdAt, author: anActor('dependabot[bot]') });
    const { stillOpen } = await platform.as().codehost.pullRequests.window(old, quarter);
    expect(new Map(stillOpen.map(({ number, author }) => [number, author === null ? null : author.isBot]))).toEqual(
      new Map<number, boolean | null>([
        [1, null],
        [2, true],
      ]),
    );
  });

  it('takes one more request for each hundred that are open', async () => {
    for (let number = 1; number <= 210; number++)
      platform.double.putPullRequest('octo/old', { number, createdAt: namedNow - day - number * 60_000 });
    const window = await platform.as().codehost.pullRequests.window(old, quarter);
    expect([window.opened, window.stillOpen.length, window.partial]).toEqual([210, 210, false]);
    expect(platform.double.requests).toHaveLength(3);
  });

  it('is not requested twice within half an hour', async () => {
    const { codehost } = platform.as();
    await codehost.pullRequests.window(web, quarter);
    platform.advance(29 * 60_000);
    await codehost.pullRequests.window({ owner: 'Octo', repo: 'WEB' }, quarter + 29 * 60_000);
    expect(platform.double.requests).toHaveLength(1);
    platform.advance(60_000);
    await codehost.pullRequests.window(web, quarter + 30 * 60_000);
    expect(platform.double.requests).toHaveLength(2);
  });

  it('of a renamed repository is found under its former name, of an invisible one not', async () => {
    platform.double.putPullRequest('octo/renamed-now', { number: 5, createdAt: namedNow - day });
    const { codehost } = platform.as();
    expect(await codehost.pullRequests.window({ owner: 'octo', repo: 'before' }, quarter)).toMatchObject({ opened: 1 });
    const secret = platform.as('token-bo').codehost.pullRequests.window({ owner: 'octo', repo: 'secret' }, quarter);
    expect((await errorOf(secret)).code).toBe('not_found');
  });

  it('with a part that got no answer is requested again, not taken for zero', async () => {
    const fault = { kind: 'partial_graphql', field: 'opened', type: 'SERVICE_UNAVAILABLE' } as const;
    platform.double.fault({ path: '/graphql' }, fault);
    expect(await platform.as().codehost.pullRequests.window(web, quarter)).toMatchObject({ opened: 7, merged: 4 });
    platform.double.fault({ path: '/graphql', times: 20 }, fault);
    const never = platform.as('token-ann-fine').codehost.pullRequests.window(web, quarter);
    expect((await errorOf(never)).code).toBe('upstream_unavailable');
  });
});
