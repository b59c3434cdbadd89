import { expect, test } from 'vitest';
import { memoryFactRepository } from '../../../server/facts/memory-fact-repository.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { readStoredDelivery } from '../../../server/reports/delivery/stored.ts';
import { toRepository } from '../../../server/reports/repositories/known.ts';
import { syncStateOf } from '../../facts/made-facts.ts';
import { aPullRequest } from '../../metrics/delivery-builders.ts';
import { day, hour } from '../../metrics/worlds.ts';

const now = Date.UTC(2026, 2, 6, 10);

/** What is stored of merges so many days before now, of a repository that is so many days old. */
async function readFrequency(daysAgo: readonly number[], age: number | null, through = now) {
  const factRepository = memoryFactRepository();
  const repository = toRepository({
    id: 1,
    codehostId: 1,
    owner: 'octo',
    repo: 'web',
    private: false,
    defaultBranch: 'main',
    archived: false,
    codehostCreatedAt: age === null ? null : now - age * day,
    tracked: true,
    unreachableSince: null,
    lastErrorCode: null,
  });
  const items = daysAgo.map((ago, index) =>
    aPullRequest({ number: index + 1, createdAt: now - ago * day - hour, mergedAt: now - ago * day }),
  );
  const state = { floor: now - 100 * day, through, capped: false };
  const syncState = { ...syncStateOf('pull_requests'), ...state };
  await factRepository.store(repository, [{ syncState, items, replaces: true }]);
  const calendar = createCalendar('UTC');
  const stored = await readStoredDelivery({ factRepository, repository, people: createPeople(), calendar, now });
  return stored?.delivery.estimate.deploymentFrequency;
}

const twenty = Array.from({ length: 20 }, (_, index) => index + 0.5);

test('a young repository is measured by its age, as on its page', async () => {
  expect(await readFrequency(twenty, 20)).toMatchObject({ total: 20, periodDays: 20, perDay: 1 });
});

test('what was read yesterday counts 90 days from then, and not one less', async () => {
  const [yesterday, first] = [now - 20 * hour, 90.5];
  expect(await readFrequency([...twenty, first], null, yesterday)).toMatchObject({ total: 20, periodDays: 90 });
  expect(await readFrequency([2, first], 400, yesterday)).toMatchObject({ total: 2, perDay: 0.02 });
});
