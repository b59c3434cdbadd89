import { expect, test } from 'vitest';
import { readFacts } from '../../server/facts/facts.ts';
import { memoryFactRepository } from '../../server/facts/memory-fact-repository.ts';
import { withDouble } from '../codehost/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { day, hour, minute } from '../store/world.ts';

const platform = withDouble();

test('a deployment that waited for days is seen to succeed within the hour, and does not cost pages each time', async () => {
  const { double } = platform;
  double.addDeployments('octo/secret', 400, { from: namedNow - 5 * day, to: namedNow - hour });
  double.putDeployment('octo/secret', { id: 90_001, createdAt: namedNow - 6 * day });
  const { codehost, clock } = platform.as('token-ann');
  const repository = await codehost.repositories.get({ owner: 'octo', repo: 'secret' });
  const source = { codehost, factRepository: memoryFactRepository(), clock };
  const read = async () => {
    const before = double.requests.length;
    const { items } = await readFacts(source, repository, 'deployments', {
      since: namedNow - 60 * day,
      maxAgeMs: 5 * minute,
    });
    return { requests: double.requests.length - before, statuses: items.find(({ id }) => id === 90_001)?.statuses };
  };
  expect((await read()).statuses).toEqual([]);
  double.addDeploymentStatus('octo/secret', 90_001, 'success', namedNow + minute);
  platform.advance(30 * minute);
  expect((await read()).requests).toBeLessThanOrEqual(2);
  platform.advance(30 * minute);
  expect((await read()).statuses).toMatchObject([{ state: 'success' }]);
});
