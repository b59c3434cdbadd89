import { expect, test } from 'vitest';
import { freshService } from './endpoints.ts';

const visit = freshService();
const hour = 3_600_000;

test('a bot among deployers is told by its account, whose name GraphQL gives without a suffix', async () => {
  const { double, clock, ask } = visit.service;
  const account = (login: string, isBot: boolean) => ({ login, avatarUrl: '', isBot });
  for (const [index, creator] of [account('ship-it[bot]', true), account('ann', false), null].entries()) {
    const createdAt = clock.now() - (3 - index) * hour;
    const statuses = [{ state: 'success' as const, at: createdAt + 60_000 }];
    double.putDeployment('octo/secret', { id: index + 1, createdAt, statuses, creator });
  }
  const { body } = await ask('GET', '/api/codehost/deployments?owner=octo&repo=secret', { as: 'token-ann' });
  const creators = body.recent.map((one: { creator: string | null; creator_is_bot: boolean | null }) => [
    one.creator,
    one.creator_is_bot,
  ]);
  expect(creators).toEqual([
    [null, null],
    ['ann', false],
    ['ship-it', true],
  ]);
});
