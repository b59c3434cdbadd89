import { expect, test } from 'vitest';
import type { FactRepository } from '../../server/facts/fact-repository.ts';
import { readFacts } from '../../server/facts/facts.ts';
import { memoryFactRepository } from '../../server/facts/memory-fact-repository.ts';
import { withDouble } from '../codehost/double.ts';
import { errorOf } from '../codehost/platform.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { day, hour, minute } from '../store/world.ts';

const platform = withDouble();
const request = { since: namedNow - 90 * day, maxAgeMs: 5 * minute };

/** Reads pull requests with a client of its own, as another person does. */
async function reader(factRepository: FactRepository, token: string) {
  const { codehost, clock } = platform.as(token);
  const repository = await codehost.repositories.get({ owner: 'octo', repo: 'web' });
  return () => readFacts({ codehost, factRepository, clock }, repository, 'pull_requests', request);
}

test('facts older than a day stand in for nothing', async () => {
  const read = await reader(memoryFactRepository(), 'token-ann');
  await read();
  platform.advance(day);
  platform.double.fault({ path: '/graphql', times: 60 }, { kind: 'primary_limit' });
  expect(await read()).toMatchObject({ stale: true, asOf: namedNow });
  platform.advance(1);
  expect((await errorOf(read())).code).toBe('upstream_rate_limited');
});

test('what another person is rejected at the same time is no error to this one', async () => {
  const cache = memoryFactRepository();
  const [ann, bo] = [await reader(cache, 'token-ann'), await reader(cache, 'token-bo')];
  await ann();
  platform.advance(hour);
  platform.double.revokeToken('token-ann');
  const [refused, answered] = await Promise.all([errorOf(ann()), bo()]);
  expect([refused.code, answered.stale, answered.asOf]).toEqual(['unauthenticated', false, namedNow + hour]);
});
