import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FactRepository } from '../../../server/facts/fact-repository.ts';
import { readScopeDeployments } from '../../../server/reports/scope-deployments/reading.ts';
import { visitService } from '../../api/endpoints.ts';
import { openDemo } from '../../support/demo-context.ts';

const visit = visitService({});

test('the repositories of a scope are read a few at once', async () => {
  const context = openDemo(visit.service);
  let [reading, most, all] = [0, 0, 0];
  const { facts } = context.services;
  const counting: FactRepository = {
    ...facts,
    async syncStates(repository) {
      all += 1;
      reading += 1;
      most = Math.max(most, reading);
      await sleep(20);
      reading -= 1;
      return facts.syncStates(repository);
    },
  };
  const services = { ...context.services, facts: counting };
  await readScopeDeployments(undefined, Object.assign(Object.create(context), { services }));
  expect(all).toBeGreaterThan(4);
  expect(most).toBe(4);
});
