import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  eventTime,
  type FactBatch,
  type FactKind,
  type FactOf,
  type FactRepository,
  isSince,
} from '../../server/facts/fact-repository.ts';
import { factKeys } from '../../server/metrics/kernel/delivery-facts.ts';
import { deliveries, repository } from '../store/world.ts';
import { anyFact, copies, expected, first, kinds, sorted, syncStateOf } from './made-facts.ts';

const batchOf = <Kind extends FactKind>(kind: Kind, items: FactOf[Kind][], replaces: boolean, through?: number) =>
  ({ syncState: syncStateOf(kind, through === undefined ? {} : { through }), items, replaces }) as FactBatch;

/** What every repository of facts keeps to. */
export function keepsTheContract(open: () => Promise<FactRepository>): void {
  let last = 1000;
  const fresh = () => repository(++last);
  const read = async <Kind extends FactKind>(
    factRepository: FactRepository,
    given: ReturnType<typeof fresh>,
    kind: Kind,
    since = 0,
  ) => sorted(kind, await factRepository.facts(given, kind, since));

  describe('the repository', () => {
    test('has nothing of a repository that was never stored', async () => {
      const [factRepository, unknown] = [await open(), fresh()];
      expect(await factRepository.syncStates(unknown)).toEqual([]);
      for (const kind of kinds) expect(await factRepository.facts(unknown, kind, 0)).toEqual([]);
    });

    test('answers a sync state as it was stored', async () => {
      const [factRepository, given] = [await open(), fresh()];
      const states = [
        syncStateOf('pull_requests', { floor: first + 1, through: first + 123_456_789, capped: true }),
        syncStateOf('issues', { total: 2 ** 32 - 2, openCount: 0 }),
        syncStateOf('deployments', { total: 0, newestAt: first + 7 }),
        syncStateOf('commits', { head: 'f'.repeat(40) }),
      ];
      await factRepository.store(
        given,
        states.map((one) => ({ syncState: one, items: [], replaces: true }) as FactBatch),
      );
      expect((await factRepository.syncStates(given)).toSorted((a, b) => (a.kind < b.kind ? 1 : -1))).toEqual(states);
    });

    test('what is known of merge queues outlives a copy of the same version that lacks it', async () => {
      const [factRepository, given] = [await open(), fresh()];
      const mergeQueue = { events: [], mergeSha: 'a'.repeat(40), parentSha: null };
      const [sample] = fc.sample(anyFact.pull_requests, { numRuns: 1, seed: 7 });
      if (!sample) throw new Error('no pull request was made');
      const made: FactOf['pull_requests'] = { ...sample, state: 'merged', mergedAt: first + 1, mergeQueue };
      const storedAfter = async (next: FactOf['pull_requests']) => {
        await factRepository.store(given, [batchOf('pull_requests', [next], false)]);
        return (await factRepository.facts(given, 'pull_requests', 0)).map((one) => one.mergeQueue);
      };
      await factRepository.store(given, [batchOf('pull_requests', [made], true)]);
      expect(await storedAfter({ ...made, mergeQueue: null })).toEqual([mergeQueue]);
      expect(await storedAfter({ ...made, updatedAt: made.updatedAt + 1, mergeQueue: null })).toEqual([null]);
    });

    for (const kind of kinds) describe(kind, () => aboutOneKind(kind));
  });

  function aboutOneKind<Kind extends FactKind>(kind: Kind) {
    test('a fact read back equals the fact stored, inside its window', async () => {
      const factRepository = await open();
      await fc.assert(
        fc.asyncProperty(fc.array(anyFact[kind], { maxLength: 8 }), async (facts) => {
          const given = fresh();
          await factRepository.store(given, [batchOf(kind, facts, true)]);
          expect(await read(factRepository, given, kind)).toEqual(expected(kind, facts, 0));
          const [edge] = facts.map((fact) => eventTime[kind](fact)).filter((at) => Number.isFinite(at));
          for (const since of edge ? [edge, edge + 1] : [])
            expect(await read(factRepository, given, kind, since)).toEqual(expected(kind, facts, since));
        }),
        { numRuns: 40 },
      );
    });

    if (kind === 'pull_requests')
      test('of two copies of one version what is known of merge queues stays', async () => {
        const factRepository = await open();
        const given = fresh();
        const [drawn] = fc.sample(anyFact.pull_requests, 1);
        if (!drawn) throw new Error('Nothing was drawn.');
        const isKnown = { ...drawn, mergeQueue: { events: [], mergeSha: null, parentSha: null } };
        await factRepository.store(given, [batchOf('pull_requests', [isKnown, { ...drawn, mergeQueue: null }], true)]);
        expect(await read(factRepository, given, 'pull_requests')).toEqual(expected('pull_requests', [isKnown], 0));
      });

    test('any order and any split of readings give the same facts', async () => {
      const factRepository = await open();
      const reported = copies[kind].chain((facts) => fc.tuple(fc.constant(facts), deliveries(facts)));
      await fc.assert(
        fc.asyncProperty(reported, async ([facts, calls]) => {
          const given = fresh();
          await factRepository.store(given, [batchOf(kind, [], true)]);
          for (const items of calls) await factRepository.store(given, [batchOf(kind, items as FactOf[Kind][], false)]);
          expect(await read(factRepository, given, kind)).toEqual(expected(kind, facts, 0));
        }),
        { numRuns: 25 },
      );
    });

    test('a whole reading removes what it lacks, but puts no older copy over a newer one', async () => {
      const factRepository = await open();
      await fc.assert(
        fc.asyncProperty(copies[kind], copies[kind], async (before, now) => {
          const given = fresh();
          await factRepository.store(given, [batchOf(kind, before, true)]);
          await factRepository.store(given, [batchOf(kind, now, true)]);
          const there = new Set(now.map((fact) => factKeys[kind](fact)));
          const stored = before.filter((fact) => there.has(factKeys[kind](fact)));
          expect(await read(factRepository, given, kind)).toEqual(expected(kind, [...stored, ...now], 0));
        }),
        { numRuns: 25 },
      );
    });

    test('kinds and repositories do not touch each other', async () => {
      const [factRepository, one, other] = [await open(), fresh(), fresh()];
      const facts = fc.sample(anyFact[kind], { numRuns: 5, seed: 7 });
      await factRepository.store(one, [batchOf(kind, facts, true)]);
      await factRepository.store(other, [batchOf(kind, [], true)]);
      for (const each of kinds)
        if (each !== kind)
          await factRepository.store(one, [{ syncState: syncStateOf(each), items: [], replaces: true } as FactBatch]);
      expect(await read(factRepository, one, kind)).toEqual(expected(kind, facts, 0));
      expect(await factRepository.facts(other, kind, 0)).toEqual([]);
      expect(await factRepository.syncStates(one)).toHaveLength(kinds.length);
    });

    test('changes of what is not stored are not stored either', async () => {
      const [factRepository, given] = [await open(), fresh()];
      await factRepository.store(given, [batchOf(kind, fc.sample(anyFact[kind], { numRuns: 5, seed: 7 }), false)]);
      expect(await factRepository.syncStates(given)).toEqual([]);
      expect(await factRepository.facts(given, kind, 0)).toEqual([]);
    });

    test('changes move only how far was read, and never back', async () => {
      const [factRepository, given] = [await open(), fresh()];
      const reported = { total: 3, openCount: 2, newestAt: 9, head: 'a' };
      const complete = syncStateOf(kind, { floor: first + 5, through: first + 50, capped: true, ...reported });
      const keep = (differing: object, replaces = false) =>
        factRepository.store(given, [{ syncState: { ...complete, ...differing }, items: [], replaces } as FactBatch]);
      await keep({}, true);
      const later = { through: first + 60, total: 4, openCount: 1, newestAt: 10, head: 'b' };
      await keep(later);
      await keep({ through: first + 55, total: 5, newestAt: null, capped: false });
      expect(await factRepository.syncStates(given)).toEqual([{ ...complete, ...later }]);
      // Another reading moved the floor meanwhile.
      await keep({ through: first + 70, floor: first, total: 99, head: 'c' });
      const last = { ...complete, through: first + 70, total: 99, newestAt: 10, head: 'c' };
      expect(await factRepository.syncStates(given)).toEqual([last]);
      await keep({ floor: first, through: first + 40, capped: false, total: null, newestAt: null }, true);
      expect(await factRepository.syncStates(given)).toEqual([
        { ...complete, floor: first, through: first + 40, capped: false, total: null, newestAt: null },
      ]);
    });

    test('changes that were read before what is stored add nothing', async () => {
      const [factRepository, given] = [await open(), fresh()];
      const facts = fc.sample(anyFact[kind], { numRuns: 5, seed: 7 });
      await factRepository.store(given, [batchOf(kind, [], true, first + 50)]);
      await factRepository.store(given, [batchOf(kind, facts, false, first + 49)]);
      expect([
        await factRepository.facts(given, kind, 0),
        (await factRepository.syncStates(given))[0]?.through,
      ]).toEqual([[], first + 50]);
      await factRepository.store(given, [batchOf(kind, facts, false, first + 50)]);
      expect(await read(factRepository, given, kind)).toEqual(expected(kind, facts, 0));
    });

    test('what matters before the floor is not stored', async () => {
      const [factRepository, given] = [await open(), fresh()];
      const facts = fc.sample(anyFact[kind], { numRuns: 40, seed: 11 });
      const floor = first + 4 * 365 * 86_400_000;
      await factRepository.store(given, [
        { syncState: syncStateOf(kind, { floor }), items: facts, replaces: true } as FactBatch,
      ]);
      const all = expected(kind, facts, 0);
      const stored = all.filter((fact) => isSince(kind, fact, floor));
      expect(stored.length).toBeGreaterThan(0);
      expect(stored.length).toBeLessThan(all.length);
      expect(await read(factRepository, given, kind)).toEqual(stored);
    });
  }
}
