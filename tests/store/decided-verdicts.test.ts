import { expect, test } from 'vitest';
import { beginVerdict } from '../../server/advisor/verdict/verdict.ts';
import type { StoredVerdict } from '../../server/store/advisor-verdicts.ts';
import type { Store } from '../../server/store/orm.ts';
import { aDatabase } from '../support/a-database.ts';
import { keepVerdict } from './stored-verdicts.ts';
import { day, noon, repository, track } from './world.ts';

const id = '0123456789abcdef';

aDatabase((given) => {
  /** Judges a change, then stores that the same recommendation was merged again. */
  async function mergeAgain(codehostId: number, savedPct: number, mergedDaysAgo = 40) {
    const store = await given.open();
    const repoId = await track(store, codehostId);
    await keepVerdict(store, repository(codehostId), { id, now: noon, savedPct, mergedDaysAgo });
    const [before] = await store.advisorVerdicts.list([codehostId]);
    if (!before?.verdict.baseline) throw new Error('There is no verdict.');
    const verdict = beginVerdict(noon, before.change.promised, before.verdict.baseline);
    const again = { ...before, operationId: null, commit: 'a'.repeat(40), verdict };
    await store.advisorVerdicts.begin(repoId, again, noon);
    return { store, before, begin: () => store.advisorVerdicts.begin(repoId, again, noon) };
  }

  const statesOf = (all: readonly StoredVerdict[]) =>
    all.map(({ change, verdict }) => [change.id, verdict.state, verdict.nextLook === null]);

  const dueLater = async (store: Store) => (await store.advisorVerdicts.due(noon + 20 * day)).length;

  test.each([
    ['kept', 1, 17],
    ['not_kept', 2, -30],
    ['no_effect', 3, 0],
  ] as const)(
    'what was %s stays on record when the same is merged again, and is not looked at',
    async (state, codehostId, savedPct) => {
      const { store, before, begin } = await mergeAgain(codehostId, savedPct);
      expect(before.verdict.state).toBe(state);
      const listed = await store.advisorVerdicts.list([codehostId]);
      expect(statesOf(listed)).toEqual([
        [id, 'waiting', false],
        [id, state, true],
      ]);
      expect(listed[1]?.verdict).toMatchObject({ looks: before.verdict.looks, startAt: before.verdict.startAt });
      expect(await dueLater(store)).toBe(0);
      // What was not decided is replaced.
      await begin();
      expect(await store.advisorVerdicts.list([codehostId])).toEqual(listed);
    },
  );

  test('what was not decided yet is replaced', async () => {
    const { store } = await mergeAgain(4, 17, 20);
    expect(statesOf(await store.advisorVerdicts.list([4]))).toEqual([[id, 'waiting', false]]);
  });
});
