import { expect, test } from 'vitest';
import { aPullRequest } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { withDouble } from '../double.ts';

const world = withDouble();

/** So many pull requests of octo/web, the first of them merged and the second closed. */
function addPullRequests(count: number) {
  const web = repositoryOf(world.double.world, 'octo/web');
  web.pullRequests = Array.from({ length: count }, (_unused, index) =>
    aPullRequest(namedNow, {
      number: index + 1,
      ...(index === 0 && { mergedAt: namedNow - 1000, mergeSha: 'a'.repeat(40) }),
      ...(index === 1 && { closedAt: namedNow - 2000 }),
    }),
  );
  return web.pullRequests.map(({ number }) => ({ owner: 'octo', repo: 'web', repositoryId: web.facts.id, number }));
}

test('fifty pull requests are one request, and each has its own state', async () => {
  const addresses = addPullRequests(60);
  const { codehost, sent } = world.as();
  const states = await codehost.pullRequestStates(addresses.slice(0, 50));
  expect(sent).toHaveLength(1);
  expect(states.slice(0, 3)).toEqual([
    { state: 'merged', mergedAt: expect.any(Number), mergeCommit: 'a'.repeat(40) },
    { state: 'closed', mergedAt: null, mergeCommit: null },
    { state: 'open', mergedAt: null, mergeCommit: null },
  ]);
  expect(await codehost.pullRequestStates(addresses)).toHaveLength(60);
  expect(sent).toHaveLength(3);
});

test('what the token may not see, what is not there and what has another id is unknown', async () => {
  const [first = { owner: '', repo: '', repositoryId: 0, number: 0 }] = addPullRequests(1);
  const { codehost } = world.as();
  const states = await codehost.pullRequestStates([
    { ...first, repo: 'nowhere' },
    { ...first, number: 99 },
    { ...first, repositoryId: 1 },
    first,
  ]);
  expect(states).toEqual([null, null, null, expect.objectContaining({ state: 'merged' })]);
});

test('no request is sent for none', async () => {
  const { codehost, sent } = world.as();
  expect(await codehost.pullRequestStates([])).toEqual([]);
  expect(sent).toEqual([]);
});
