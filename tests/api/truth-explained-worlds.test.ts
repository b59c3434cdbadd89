import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { type Service, startService } from '../support/service.ts';
import { expectTrue } from './explained-number.ts';
import { bearer, happening, hour, minute, movingRepository } from './moving-world.ts';
import { shownOf } from './shown-numbers.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
});
afterAll(() => service.close());

const ask = (path: string) => service.ask('GET', path, bearer('token-ann'));

test('every opened number is made of what it counts, whatever happens', async () => {
  let number = 5000;
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 60 }), fc.constantFrom(0, 20, 60), async (all, pullRequests) => {
      service.double.budgets.clear();
      const { happen } = movingRepository(service, ++number, pullRequests);
      for (const one of all) {
        service.clock.advance(20 * minute);
        happen(one, service.clock.now());
      }
      service.clock.advance(7 * hour);
      const repo = `moving-${number}`;
      for (const [metric, shown] of shownOf(repo))
        if (!/^(person_|pr_merge|after_hours|pooled|composite|active_repos|total_re|total_runs)/.test(metric))
          await expectTrue(metric, shown, ask);
      const [dora, frequency] = [
        (await ask(`/api/codehost/repo-dora?owner=octo&repo=${repo}`)).body,
        (metric: string) => ask(`/api/explain?metric=${metric}&owner=octo&repo=${repo}`),
      ];
      const basis = dora.basis.deployment_frequency === 'releases' ? 'deployment_frequency' : 'merge_frequency';
      const { per_day, total } = dora.deployment_frequency;
      expect((await frequency(basis)).body).toMatchObject({ value: per_day, sample: total });
    }),
    { numRuns: rounds('WORLDS', 2, 8) },
  );
});
