import { expect, test } from 'vitest';
import type { FactBatch } from '../../server/facts/fact-repository.ts';
import { syncStateOf } from '../facts/made-facts.ts';
import { eachDatabase } from '../support/database.ts';
import { mergedPullRequest } from './merged-pull-requests.ts';
import { day, noon, repository, track } from './world.ts';

eachDatabase((given) => {
  const window = { from: noon - 30 * day, to: noon };
  const reading = { floor: noon - 90 * day, through: noon };

  test.each([
    [false, { from: reading.floor, to: noon }, [7]],
    [true, { from: noon, to: noon }, []],
  ])(
    'merges count from the floor of a reading on, unless its limit stopped it: %s',
    async (capped, stored, numbers) => {
      const store = await given.open();
      const id = await track(store, 1);
      const syncState = syncStateOf('pull_requests', { ...reading, capped });
      const items = [mergedPullRequest({ number: 7, mergedAt: noon - day })];
      await store.facts.store(repository(1), [{ syncState, items, replaces: true } as FactBatch]);
      const found = await store.mergedPullRequests([id], window);
      expect(found.stored.get(id)).toEqual(stored);
      expect(found.pullRequests.map(({ number }) => number)).toEqual(numbers);
    },
  );
});
