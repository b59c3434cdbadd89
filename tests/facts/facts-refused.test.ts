import { expect, test } from 'vitest';
import type { FactRepository } from '../../server/facts/fact-repository.ts';
import { factsOf } from '../../server/facts/facts.ts';
import { memoryFactRepository } from '../../server/facts/memory-fact-repository.ts';
import { namedNow } from '../codehost/named-world.ts';
import { withDouble } from '../codehost-client/double.ts';
import { refusalOf } from '../codehost-client/platform.ts';
import { day, hour, minute } from '../store/world.ts';

const platform = withDouble();
const asked = { since: namedNow - 90 * day, maxAgeMs: 5 * minute };

/** Reads pull requests with a client of its own, as another person does. */
async function reader(factRepository: FactRepository, token: string) {
  const { codehost, clock } = platform.as(token);
  const repository = await codehost.repositories.get({ owner: 'octo', repo: 'web' });
  return () => factsOf({ codehost, factRepository, clock }, repository, 'pull_requests', asked);
}

test('facts older than a day stand in for nothing', async () => {
  const read = await reader(memoryFactRepository(), 'token-ann');
  await read();
  platform.advance(day);
  platform.double.fault({ path: '/graphql', times: 60 }, { kind: 'primary_limit' });
  expect(await read()).toMatchObject({ stale: true, asOf: namedNow });
  platform.advance(1);
  expect((await refusalOf(read())).code).toBe('upstream_rate_limited');
});

test('what another person is refused at the same time is no refusal to this one', async () => {
  const shelf = memoryFactRepository();
  const [ann, bo] = [await reader(shelf, 'token-ann'), await reader(shelf, 'token-bo')];
  await ann();
  platform.advance(hour);
  platform.double.revokeToken('token-ann');
  const [refused, told] = await Promise.all([refusalOf(ann()), bo()]);
  expect([refused.code, told.stale, told.asOf]).toEqual(['unauthenticated', false, namedNow + hour]);
});
