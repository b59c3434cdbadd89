import { expect, test } from 'vitest';
import { freshService } from '../../api/endpoints.ts';

const visit = freshService();
const hour = 3_600_000;

test('a bot among deployers is reported by its account, whose name GraphQL gives without a suffix', async () => {
  const { double, clock, ask } = visit.service;
  const account = (login: string, isBot: boolean) => ({ login, avatarUrl: '', isBot });
  for (const [index, creator] of [account('ship-it[bot]', true), account('ann', false), null].entries()) {
    const createdAt = clock.now() - (3 - index) * hour;
    const statuses = [{ state: 'success' as const, at: createdAt + 60_000 }];
    double.putDeployment('octo/secret', { id: index + 1, createdAt, statuses, creator });
  }
  const { body } = await ask('GET', '/api/codehost/deployments?owner=octo&repo=secret', { as: 'token-ann' });
  const creators = body.recent.map(
    (one: { creator: string | null; creator_is_bot: boolean | null; creator_unread: boolean }) => [
      one.creator,
      one.creator_is_bot,
      one.creator_unread,
    ],
  );
  expect(creators).toEqual([
    [null, null, false],
    ['ann', false, false],
    ['ship-it', true, false],
  ]);
});

test('a creator who could not be read is no deleted account', async () => {
  const { double, clock, ask, signIn } = visit.service;
  const createdAt = clock.now() - hour;
  const statuses = [{ state: 'success' as const, at: createdAt + 60_000 }];
  double.putDeployment('octo/secret', { id: 1, createdAt, statuses, creator: null });
  await signIn('token-ann');
  const fault = { kind: 'nested_graphql', field: 'creator', type: 'FORBIDDEN' } as const;
  double.fault({ path: '/graphql', times: 99 }, fault);
  const secret = 'owner=octo&repo=secret';
  const { body, headers } = await ask('GET', `/api/codehost/deployments?${secret}`, { as: 'token-ann' });
  expect(body.recent).toMatchObject([{ creator: null, creator_is_bot: null, creator_unread: true }]);
  expect(headers.get('x-partial-reason')).toMatch(/\bcreator of \d+ [a-z ]+ could not be read/);
  const evidence = `/api/explain?metric=total_deployments&${secret}`;
  const [item] = (await ask('GET', evidence, { as: 'token-ann' })).body.counted;
  expect(item.note).toBe('succeeded, its creator could not be read');
});
