import { expect, it } from 'vitest';
import { namedNow } from '../../codehost-double/named-world.ts';
import { withDouble } from '../double.ts';

const platform = withDouble();
const web = { owner: 'octo', repo: 'web' };
const minute = 60_000;
const hour = 60 * minute;
const quarter = namedNow - 90 * 24 * hour;

const queued = () =>
  platform.double.putPullRequest('octo/web', {
    number: 90,
    createdAt: namedNow - 9 * hour,
    mergedAt: namedNow - hour,
    queueEvents: [
      { kind: 'added', at: namedNow - 3 * hour, isByBot: false, reason: null, headSha: null },
      { kind: 'removed', at: namedNow - 2 * hour, isByBot: false, reason: 'failed_checks', headSha: 'c'.repeat(40) },
      { kind: 'added', at: namedNow - hour - 20 * minute, isByBot: true, reason: null, headSha: null },
      { kind: 'removed', at: namedNow - hour, isByBot: false, reason: 'merged', headSha: null },
    ],
  });

const read = async () => {
  const { items } = await platform.as().codehost.pullRequests.merged(web, quarter, namedNow);
  return items.find(({ number }) => number === 90);
};

it('what queues did comes with the pull request, without a request more', async () => {
  queued();
  const found = await read();
  expect(found?.mergeQueue).toMatchObject({
    mergeSha: expect.stringMatching(/^[0-9a-f]{40}$/),
    events: [
      { kind: 'added', at: namedNow - 3 * hour, isByBot: false },
      { kind: 'removed', at: namedNow - 2 * hour, reason: 'failed_checks', headSha: 'c'.repeat(40) },
      { kind: 'added', at: namedNow - hour - 20 * minute, isByBot: true },
      { kind: 'removed', at: namedNow - hour, reason: 'merged', headSha: null },
    ],
  });
  expect(platform.double.requests).toHaveLength(1);
});

it('a host without merge queues is asked once more without them, and of then on so', async () => {
  queued();
  const message = "Field 'queueItems' has an invalid value ([ADDED_TO_MERGE_QUEUE_EVENT]).";
  platform.double.fault({ path: '/graphql' }, { kind: 'graphql_error', type: 'INVALID', message });
  const { codehost } = platform.as();
  const { items } = await codehost.pullRequests.merged(web, quarter, namedNow);
  expect(items.find(({ number }) => number === 90)).toMatchObject({ state: 'merged', mergeQueue: null });
  expect(platform.double.requests).toHaveLength(2);
  expect((await codehost.pullRequests.open(web)).items[0]).toMatchObject({ mergeQueue: null });
  expect(platform.double.requests).toHaveLength(3);
});

it('an error that only names a merge queue is no missing field', async () => {
  const message = 'Something went wrong while the merge queue was read.';
  platform.double.fault({ path: '/graphql', times: 9 }, { kind: 'graphql_error', type: 'FORBIDDEN', message });
  await expect(platform.as().codehost.pullRequests.merged(web, quarter, namedNow)).rejects.toMatchObject({
    code: 'upstream_forbidden',
  });
  expect(platform.double.requests).toHaveLength(1);
});

it('another error of the platform is asked no more than before', async () => {
  platform.double.fault({ path: '/graphql', times: 9 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
  await expect(platform.as().codehost.pullRequests.merged(web, quarter, namedNow)).rejects.toMatchObject({
    code: 'upstream_forbidden',
  });
  expect(platform.double.requests).toHaveLength(1);
});
