import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type FactBatch, type FactKind, type FactOf, getVersion } from '../../server/facts/fact-repository.ts';
import { factKeys } from '../../server/metrics/kernel/delivery-facts.ts';
import type { Store } from '../../server/store/orm.ts';
import { keepsTheContract } from '../facts/fact-repository-contract.ts';
import { anyFact, expected, kinds, sorted, syncStateOf } from '../facts/made-facts.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { day, noon, repository } from './world.ts';

const pullRequests = (count: number) =>
  fc.sample(anyFact.pull_requests, { numRuns: count, seed: 3 }).map((one, i) => ({ ...one, number: i + 1 }));

const stored = <Kind extends FactKind>(kind: Kind, items: FactOf[Kind][], differing = {}, replaces = true) =>
  ({ syncState: syncStateOf(kind, differing), items, replaces }) as FactBatch;

/** 100 copies of few facts of each kind. */
const manyCopies = () =>
  Object.fromEntries(
    kinds.map((kind) => [
      kind,
      asPlatformSays(kind, fc.sample<FactOf[FactKind]>(anyFact[kind] as never, { numRuns: 100, seed: 5 }) as never[]),
    ]),
  ) as unknown as { [Kind in FactKind]: FactOf[Kind][] };

/** When something was made or ended does not change, and copies of one version are equal. */
function asPlatformSays<Kind extends FactKind>(kind: Kind, facts: readonly FactOf[Kind][]): FactOf[Kind][] {
  const fixed = ['state', 'createdAt', 'closedAt', 'mergedAt', 'committedAt', 'publishedAt'];
  return facts.map((fact) => {
    const same = facts.filter((one) => factKeys[kind](one) === factKeys[kind](fact));
    const copy = same.find((one) => getVersion[kind](one) === getVersion[kind](fact)) as FactOf[Kind];
    const made = Object.entries(same[0] as FactOf[Kind]).filter(([field]) => fixed.includes(field));
    return { ...copy, ...Object.fromEntries(made) };
  });
}

/** When facts of the earlier years that `made-facts` makes have outlived their use. */
const purgedAt = Date.UTC(2022, 0, 1);
const always = { runDays: 400, mayContinue: () => true };

eachDatabase((given) => {
  let opened: ReturnType<typeof given.openForAll> | undefined;
  keepsTheContract(async () => {
    opened ??= given.openForAll();
    return (await opened).facts;
  });

  test('many facts are stored in several statements, and all or none of a reading', async () => {
    const { facts } = await given.open();
    const many = pullRequests(2500).map((one) => ({ ...one, state: 'merged' as const, mergedAt: noon }));
    await facts.store(repository(1), [stored('pull_requests', many)]);
    const read = await facts.facts(repository(1), 'pull_requests', 0);
    expect(sorted('pull_requests', read)).toEqual(sorted('pull_requests', many));
    const broken = { ...many[0], number: 3000, state: null } as unknown as FactOf['pull_requests'];
    const changed = many.map((one) => ({ ...one, updatedAt: one.updatedAt + 1, additions: 77 }));
    const reading = [stored('commits', []), stored('pull_requests', [...changed, broken])];
    await expect(facts.store(repository(1), reading)).rejects.toThrow(/state/);
    expect(await facts.syncStates(repository(1))).toHaveLength(1);
    expect(sorted('pull_requests', await facts.facts(repository(1), 'pull_requests', 0))).toEqual(
      sorted('pull_requests', many),
    );
  });

  test('what is known of merge queues is not lost to a copy of the same version that lacks it', async () => {
    const { facts } = await given.open();
    const mergeQueue = { events: [], mergeSha: 'a'.repeat(40), parentSha: null };
    const [one] = pullRequests(1).map((any) => ({ ...any, state: 'merged' as const, mergedAt: noon, mergeQueue }));
    if (!one) throw new Error('There is no pull request.');
    const store = (fact: FactOf['pull_requests']) => facts.store(repository(1), [stored('pull_requests', [fact])]);
    const known = async () => (await facts.facts(repository(1), 'pull_requests', 0))[0]?.mergeQueue;
    await store(one);
    await store({ ...one, mergeQueue: null });
    expect(await known()).toEqual(mergeQueue);
    await store({ ...one, updatedAt: one.updatedAt + 1000, mergeQueue: null });
    expect(await known()).toBeNull();
  });

  test('no title is stored, and what a database cannot hold does not stop the rest', async () => {
    const { store, database } = await given.openRaw();
    const [one] = pullRequests(1) as [FactOf['pull_requests']];
    const odd = {
      ...one,
      title: 'a secret plan',
      headBranch: 'nul\0 half \ud83d \\u0000',
      state: 'merged' as const,
      mergedAt: noon,
    };
    await store.facts.store(repository(1), [stored('pull_requests', [odd])]);
    expect(await store.facts.facts(repository(1), 'pull_requests', 0)).toEqual([
      { ...odd, title: null, headBranch: 'nul\ufffd half \ufffd \\u0000' },
    ]);
    const [row] = await database.query<{ row: string }>('select row_to_json(f)::text as row from pr_facts f');
    expect(row?.row).not.toContain('secret');
  });

  test('what is brought again as it is there writes nothing', async () => {
    const { store, database } = await given.openRaw();
    const versions = () => database.query('select xmin::text, ctid::text from pr_facts order by number');
    await store.facts.store(repository(1), [stored('pull_requests', pullRequests(20))]);
    const before = await versions();
    await store.facts.store(repository(1), [stored('pull_requests', pullRequests(20), {}, false)]);
    expect(await versions()).toEqual(before);
  });

  describe('the repository of the facts', () => {
    test('becomes known without being tracked, and stays tracked when it is', async () => {
      const { facts, repositories } = await given.open();
      await facts.store(repository(1), [stored('commits', [])]);
      expect(await repositories.find(repository(1))).toMatchObject({ codehostId: 1, tracked: false });
      const id = await repositories.track(repository(1), 'ann', noon);
      await facts.store({ ...repository(1), private: true }, [stored('commits', [])]);
      expect(await repositories.find(repository(1))).toMatchObject({ id, tracked: true, private: true });
    });

    test('renamed keeps its facts, and takes its name from another', async () => {
      const { facts, repositories } = await given.open();
      const [commit] = fc.sample(anyFact.commits, 1) as [FactOf['commits']];
      await repositories.track(repository(2, 'next'), 'ann', noon);
      await facts.store(repository(1, 'old'), [stored('commits', [commit])]);
      await facts.store(repository(1, 'next'), [stored('issues', [])]);
      expect(await facts.facts(repository(1, 'next'), 'commits', 0)).toEqual([commit]);
      expect(await repositories.find({ id: 1 })).toMatchObject({ repo: 'next', tracked: false });
      expect(await repositories.find({ id: 2 })).toMatchObject({ tracked: false });
      expect(await facts.syncStates(repository(2, 'next'))).toEqual([]);
    });
  });

  test('several writers and the purge at once leave the newest of what is still stored', async () => {
    const stores = await severalStores();
    const reported = manyCopies();
    const [first] = stores as [Store];
    for (const id of [1, 2])
      await first.facts.store(
        repository(id),
        kinds.map((kind) => stored(kind, [])),
      );
    const write = async (store: Store, id: number, writer: number) => {
      for (let step = 0; step < 20; step++) {
        // Each brings everything, from another place on and the kinds in another order.
        const order = kinds.map((_, i) => kinds[(i + step + writer) % kinds.length] as FactKind);
        const from = ((step + writer * 7) % 20) * 5;
        await store.facts.store(
          repository(id),
          order.map((kind) => stored(kind, reported[kind].slice(from, from + 5) as never[], {}, false)),
        );
      }
    };
    const writers = stores.flatMap((store, writer) => [1, 2].map((id) => write(store, id, writer)));
    await Promise.all([...writers, ...stores.map((store) => store.purge(purgedAt, always))]);
    for (const id of [1, 2]) {
      const states = await first.facts.syncStates(repository(id));
      expect(states).toHaveLength(kinds.length);
      for (const { kind, floor } of states) {
        const found = sorted(kind, await first.facts.facts(repository(id), kind, 0));
        expect(found).toEqual(expected(kind, reported[kind] as never[], floor));
        expect(found.length).toBeGreaterThan(0);
      }
    }
  });

  /** Stores that share a database, as several processes do; the embedded one has one process. */
  async function severalStores(): Promise<Store[]> {
    if (given.name === 'embedded') {
      const store = await given.open();
      return [store, store, store];
    }
    const url = await given.address();
    const others = await Promise.all([1, 2, 3].map(() => openTestStore(url, { poolMax: 3 })));
    afterAll(() => Promise.all(others.map((store) => store.close())));
    return others;
  }

  describe('retention', () => {
    test('facts go some days after they last mattered, and no more than the rest is claimed', async () => {
      const { facts, purge } = await given.open();
      const now = noon;
      const today = Math.floor(now / day) * day;
      const [pull] = pullRequests(1) as [FactOf['pull_requests']];
      const [commit] = fc.sample(anyFact.commits, 1) as [FactOf['commits']];
      const [issue] = fc.sample(anyFact.issues, 1) as [FactOf['issues']];
      const [deployment] = fc.sample(anyFact.deployments, 1) as [FactOf['deployments']];
      const [release] = fc.sample(anyFact.releases, 1) as [FactOf['releases']];
      const closed = (number: number, at: number) =>
        ({ ...pull, number, state: 'closed', mergedAt: null, closedAt: at }) as const;
      const entire = { floor: today - 3000 * day, total: 5 };
      await facts.store(repository(1), [
        stored('pull_requests', [closed(1, today - 400 * day - 1), closed(2, today - 400 * day)], entire),
        stored(
          'commits',
          [120 * day + 1, 120 * day].map((age) => ({ ...commit, sha: `${age}`, committedAt: today - age })),
          entire,
        ),
        stored(
          'issues',
          [today - 400 * day - 1, today - 400 * day, null].map((closedAt, i) => ({
            ...issue,
            number: i + 1,
            closedAt,
          })),
          entire,
        ),
        stored(
          'deployments',
          [400 * day + 1, 400 * day].map((age) => ({ ...deployment, id: age, createdAt: today - age })),
          entire,
        ),
        stored(
          'releases',
          [1826 * day + 1, 1826 * day].map((age) => ({ ...release, tag: `${age}`, publishedAt: today - age })),
          entire,
        ),
      ]);
      await facts.store(repository(2), [stored('commits', [], { floor: today - 30 * day, total: 5 })]);
      const { rows, complete } = await purge(now, always);
      expect({ rows, complete }).toEqual({
        rows: { pr_facts: 1, branch_commits: 1, issue_facts: 1, deployment_facts: 1, release_facts: 1 },
        complete: true,
      });
      const left = async (kind: FactKind) =>
        (await facts.facts(repository(1), kind, 0)).map((fact) => factKeys[kind](fact as never));
      expect(await left('pull_requests')).toEqual([2]);
      expect(await left('commits')).toEqual([`${120 * day}`]);
      expect((await left('issues')).toSorted()).toEqual([2, 3]);
      expect(await left('deployments')).toEqual([400 * day]);
      expect(await left('releases')).toEqual([`${1826 * day}`]);
      const states = await facts.syncStates(repository(1));
      expect(
        Object.fromEntries(states.map(({ kind, floor, total }) => [kind, [(today - floor) / day, total]])),
      ).toEqual({
        pull_requests: [400, 5],
        issues: [400, 5],
        deployments: [400, 5],
        releases: [1826, 5],
        commits: [120, 5],
      });
      expect(await facts.syncStates(repository(2))).toMatchObject([{ floor: today - 30 * day, total: 5 }]);
      expect((await purge(now + 1000, always)).rows).toEqual({});
    });
  });
});
