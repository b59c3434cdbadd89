import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateQueues } from '../../server/alerts/queue-rules.ts';
import { aDatabase } from '../support/a-database.ts';
import { type Service, startService } from '../support/service.ts';
import { addRule, repository, servicesOf } from './stage.ts';

aDatabase((given) => {
  let service: Service;
  let services: ReturnType<typeof servicesOf>;
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await given.migrated() });
    services = servicesOf(service.app);
  });
  afterAll(() => service?.close());

  /** What a round does while it has time for so many repositories. */
  async function round(after: number, times: number) {
    let left = times;
    const options = { after, codehost: null, mayContinue: () => left-- > 0 };
    const { evaluated, reached } = await evaluateQueues(services, options);
    return { evaluated, reached };
  }

  test('a round over merge queues goes on where the last one ended, and asks of what a rule watches alone', async () => {
    const ids: number[] = [];
    for (const number of [1, 2, 3, 4]) ids.push((await repository(services, number)).id);
    const [, , third = 0] = ids;
    expect(await round(0, 9)).toEqual({ evaluated: 0, reached: 0 });
    await addRule(services, { scope: 'repo:octo/repo-4', metric: 'failure_rate' });
    // Nothing of a queue is watched, so that not one repository is begun.
    expect(await round(0, 0)).toEqual({ evaluated: 0, reached: 0 });
    await addRule(services, { scope: 'repo:octo/repo-3', metric: 'merge_queue_length', threshold: 3 });
    expect(await round(0, 1)).toEqual({ evaluated: 1, reached: 0 });
    await addRule(services, { scope: 'org:octo', metric: 'merge_queue_growth', threshold: 3 });
    // The third repository has two rules.
    expect(await round(0, 3)).toEqual({ evaluated: 4, reached: third });
    expect(await round(third, 0)).toEqual({ evaluated: 0, reached: third });
    expect(await round(third, 1)).toEqual({ evaluated: 1, reached: ids[3] });
    expect(await round(third, 9)).toEqual({ evaluated: 5, reached: 0 });
  });
});
