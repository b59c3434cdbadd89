import { expect, test } from 'vitest';
import type { FactBatch, FactKind, FactRepository } from '../../server/facts/fact-repository.ts';
import { withDouble } from '../codehost/double.ts';
import { aCommit, anActor } from '../codehost-double/delivery-builders.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { day, hour, minute } from '../store/world.ts';
import { keys, known, onEachRepository, readingsOf } from './readings.ts';

const platform = withDouble();
const { reader, counting, freshlyRead } = readingsOf(platform);
const web = { owner: 'octo', repo: 'web' };
const now = () => namedNow + 30 * minute;

/** The world of the test, with what people did half an hour after the first reading. */
const world = (name = 'octo/web') => repositoryOf(platform.double.world, name);
const commit = (at: number, message: string) => aCommit(at, anActor('ann'), message);

/**
 * Reads a kind, lets something happen, and reads it twice more, each time an hour later by another process: what is
 * reported then, and what each reading cost beside the proof that the repository may be seen.
 */
async function afterwards<Kind extends FactKind>(
  factRepository: FactRepository,
  kind: Kind,
  happen: () => unknown,
  name = web,
) {
  const before = await (await reader(factRepository, name)).read(kind);
  await happen();
  const costs: number[] = [];
  let facts = before;
  for (let readings = 0; readings < 2; readings++) {
    platform.advance(hour);
    const { read } = await reader(factRepository, name);
    const [cost, answer] = await counting(() => read(kind));
    costs.push(cost);
    facts = answer;
    expect(known(kind, facts.items)).toEqual(await freshlyRead(kind, name));
  }
  return { before, facts, costs };
}

/** One request finds it, one reads the kind again whole, and the next reading has one again. */
const completeOnce = [2, 1];
const never = [1, 1];

function forgetsWhatVanished(open: () => Promise<FactRepository>) {
  test('rewritten history is read again whole, once', async () => {
    const gone = world()
      .commits.slice(-3, -1)
      .map(({ sha }) => sha);
    const { before, facts, costs } = await afterwards(await open(), 'commits', () => {
      for (const _ of gone) platform.double.dropCommit('octo/web', world().commits.at(-2)?.sha ?? '');
    });
    expect(keys('commits', before)).toEqual(expect.arrayContaining(gone));
    expect(facts.items.length).toBe(before.items.length - 2);
    expect(costs).toEqual(completeOnce);
  });

  test('so is history that lost as many commits as it got, of old dates', async () => {
    const { double } = platform;
    const { before, facts, costs } = await afterwards(await open(), 'commits', () => {
      double.addCommit('octo/web', commit(namedNow - 40 * day, 'Merged late'));
      double.dropCommit('octo/web', world().commits[5]?.sha ?? '');
    });
    expect(facts.items.length).toBe(before.items.length);
    expect(costs).toEqual(completeOnce);
  });

  test('a branch that was set back to an older commit lost what came after it', async () => {
    const factRepository = await open();
    const newest = commit(now(), 'Too much');
    await (await reader(factRepository)).read('commits');
    platform.double.addCommit('octo/web', newest);
    platform.advance(hour);
    const { facts, costs } = await afterwards(factRepository, 'commits', () => world().commits.pop());
    expect(keys('commits', facts)).not.toContain(newest.sha);
    expect(costs).toEqual(completeOnce);
  });

  test('commits on top cost nothing more, under whatever name the default branch goes', async () => {
    const { before, facts, costs } = await afterwards(await open(), 'commits', () => {
      platform.double.addCommit('octo/web', commit(now(), 'On top'));
      world().facts.defaultBranch = 'trunk';
    });
    expect([facts.items.length - before.items.length, costs]).toEqual([1, never]);
  });

  test('a merge of a branch of the last two weeks costs one request more, not a whole reading', async () => {
    platform.double.addCommits('octo/api', 350, { from: namedNow - 80 * day, to: namedNow - 20 * day });
    const happen = () => {
      platform.double.addCommit('octo/api', commit(namedNow - 9 * day, 'Of the branch'));
      platform.double.addCommit('octo/api', commit(namedNow - 3 * day, 'Of the branch as well'));
      platform.double.addCommit('octo/api', commit(now(), 'Merge it'));
    };
    const { before, facts, costs } = await afterwards(await open(), 'commits', happen, { owner: 'octo', repo: 'api' });
    expect([facts.items.length - before.items.length, costs]).toEqual([3, [2, 1]]);
  });

  test('a merge of commits older than any that are stored costs one whole reading after that', async () => {
    const { before, facts, costs } = await afterwards(await open(), 'commits', () => {
      platform.double.addCommit('octo/web', commit(namedNow - 300 * day, 'Of a branch from last year'));
      platform.double.addCommit('octo/web', commit(now(), 'Merge it at last'));
    });
    expect([facts.items.length - before.items.length, costs]).toEqual([1, [3, 1]]);
  });

  test('history whose old end the platform no longer has is read again whole', async () => {
    const factRepository = await open();
    const { read, repository } = await reader(factRepository);
    await read('commits');
    const [before] = await factRepository.syncStates(repository);
    expect(before?.head).toBe(world().commits.toSorted((a, b) => b.committedAt - a.committedAt)[0]?.sha);
    const lost = { syncState: { ...before, head: 'f'.repeat(40) }, items: [], replaces: false } as unknown as FactBatch;
    expect((await afterwards(factRepository, 'commits', () => factRepository.store(repository, [lost]))).costs).toEqual(
      completeOnce,
    );
  });

  test('an empty repository costs one request until it has a history, however old', async () => {
    const factRepository = await open();
    const empty = { owner: 'octo', repo: 'empty' };
    expect((await afterwards(factRepository, 'commits', () => {}, empty)).costs).toEqual(never);
    const { facts, costs } = await afterwards(
      factRepository,
      'commits',
      () => {
        platform.double.addCommit('octo/empty', commit(namedNow - 300 * day, 'Imported'));
        platform.double.addCommit('octo/empty', commit(namedNow - 30 * day, 'Imported too'));
        world('octo/empty').empty = false;
      },
      empty,
    );
    expect([facts.items.length, costs]).toEqual([1, completeOnce]);
  });

  test('a deleted release is no longer counted', async () => {
    const { before, facts, costs } = await afterwards(await open(), 'releases', () => world().releases.splice(1, 1));
    expect([keys('releases', before).length - keys('releases', facts).length, costs]).toEqual([1, completeOnce]);
  });

  test('neither when a draft or another release came meanwhile', async () => {
    const factRepository = await open();
    const { double } = platform;
    const drafted = await afterwards(factRepository, 'releases', () => {
      world().releases.splice(1, 1);
      double.putRelease('octo/web', { id: 310, createdAt: now(), isDraft: true });
    });
    expect([keys('releases', drafted.facts), drafted.costs]).toEqual([['v1.2.0-rc.1', 'v1.1.0'], completeOnce]);
    const replaced = await afterwards(factRepository, 'releases', () => {
      world().releases.splice(1, 1);
      double.putRelease('octo/web', { id: 311, createdAt: namedNow + 3 * hour });
    });
    expect([keys('releases', replaced.facts), replaced.costs]).toEqual([['v311', 'v1.2.0-rc.1'], completeOnce]);
  });

  test('drafts come and are published without a whole reading', async () => {
    const { facts, costs } = await afterwards(await open(), 'releases', () => {
      platform.double.putRelease('octo/web', { id: 310, createdAt: now(), isDraft: true });
      platform.double.putRelease('octo/web', { id: 305, tag: 'v2.0.0', createdAt: namedNow - day, publishedAt: now() });
    });
    expect([keys('releases', facts), costs]).toEqual([expect.arrayContaining(['v2.0.0']), never]);
  });

  test.each([
    ['an open', true],
    ['a closed', false],
  ])('%s issue that was moved away is read to be gone', async (_, isOpen) => {
    const issues = world().issues.filter(({ closedAt }) => (closedAt === null) === isOpen);
    const moved = isOpen ? issues[0] : issues.find(({ closedAt }) => (closedAt ?? 0) > namedNow - 30 * day);
    const { before, facts, costs } = await afterwards(await open(), 'issues', () => {
      world().issues.splice(world().issues.indexOf(moved as NonNullable<typeof moved>), 1);
      // As many as before, and one of the new ones with a past in another repository.
      platform.double.putIssue('octo/web', { number: 900, createdAt: namedNow - 20 * day, updatedAt: now() });
    });
    expect([keys('issues', before), keys('issues', facts)]).toEqual([
      expect.arrayContaining([moved?.number]),
      expect.not.arrayContaining([moved?.number]),
    ]);
    // Open and closed ones are two lists.
    expect(costs).toEqual([3, 1]);
  });

  test('issues that open, close, reopen and are talked about cost nothing more', async () => {
    const { double } = platform;
    const past = { createdAt: namedNow - 300 * day, updatedAt: namedNow - 200 * day, closedAt: namedNow - 200 * day };
    for (const number of [901, 902]) double.putIssue('octo/web', { number, ...past });
    const { facts, costs } = await afterwards(await open(), 'issues', () => {
      double.putIssue('octo/web', { number: 903, createdAt: now() });
      double.closeIssue('octo/web', 55, { at: now() });
      double.putIssue('octo/web', { number: 901, ...past, updatedAt: now(), comments: 7 });
      double.putIssue('octo/web', { number: 902, ...past, updatedAt: now(), closedAt: null });
    });
    expect([keys('issues', facts), costs]).toEqual([expect.arrayContaining([55, 902, 903]), never]);
    expect(keys('issues', facts)).not.toContain(901);
  });

  test('a deleted deployment is no longer counted, though another came', async () => {
    const { costs } = await afterwards(await open(), 'deployments', () => {
      world().deployments.splice(1, 1);
      platform.double.putDeployment('octo/web', { id: 8006, createdAt: now() });
    });
    expect(costs).toEqual(completeOnce);
  });
}

onEachRepository(forgetsWhatVanished);
