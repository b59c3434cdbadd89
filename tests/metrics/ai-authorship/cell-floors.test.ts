import { describe, expect, test } from 'vitest';
import { applyFloors } from '../../../server/metrics/ai-authorship/comparison/cell-floors.ts';
import { compareGathered } from '../../../server/metrics/ai-authorship/comparison/compare-gathered.ts';
import { clusterOf } from '../../../server/metrics/ai-authorship/comparison/compared-pull-request.ts';
import type { ComparedClass, GatheredPullRequest } from '../../../server/metrics/ai-authorship/comparison/gather.ts';
import { matchSets } from '../../../server/metrics/ai-authorship/comparison/matching.ts';
import { outcomeKeys } from '../../../server/metrics/ai-authorship/comparison/outcomes.ts';
import { setDifferences } from '../../../server/metrics/ai-authorship/comparison/set-differences.ts';
import { type RandomStream, randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { rounds } from '../../support/rounds.ts';

const authored: ComparedClass = { class: 'agent_authored', agent: null };
const assisted: ComparedClass = { class: 'ai_assisted', agent: null };
const ofCopilot: ComparedClass = { class: 'agent_authored', agent: 'Copilot' };

let last = 0;

const one = (differences: Partial<GatheredPullRequest>): GatheredPullRequest => {
  last += 1;
  return {
    repository: 'octo/api',
    number: last,
    class: 'unmarked',
    agent: null,
    type: 'fix',
    month: '2026-05',
    author: 'ana',
    isExperienced: true,
    isOfMachine: false,
    createdAt: last,
    cluster: clusterOf('octo/api', '2026-05-04'),
    weekday: 0,
    lines: 100,
    changedFiles: 3,
    openPullRequests: 5,
    outcomes: {
      merged_30d: 1,
      first_review_hours: 5,
      review_rounds: 1,
      time_to_merge_hours: 10,
      reverted_30d: null,
      rework_30d: null,
      ci_minutes: null,
      ci_failed_share: null,
    },
    cost: null,
    ...differences,
  };
};

const types = ['fix', 'feature', 'docs'] as const;

/** So many, by people in turn, of twelve kinds and sizes that are not compared with each other. */
const some = (count: number, people: number, differences: Partial<GatheredPullRequest> = {}) =>
  Array.from({ length: count }, (_unused, index) =>
    one({
      author: `person-${index % people}`,
      type: types[index % 3] ?? 'fix',
      lines: 100 * 3 ** (index % 4),
      ...differences,
    }),
  );

const ofMachine = { class: 'agent_authored', agent: 'Copilot', author: null, isOfMachine: true } as const;

const shownIn = (gathered: readonly GatheredPullRequest[], wanted: ComparedClass) =>
  outcomeKeys.filter((key) => applyFloors(gathered, wanted).compared.some(({ outcomes }) => outcomes[key] !== null));

describe('a repository in a month', () => {
  const both = (count: number, people: number) => [...some(count, people, { class: 'ai_assisted' }), ...some(40, 8)];

  test('is compared from ten matched pull requests of five people on', () => {
    expect(shownIn(both(10, 5), assisted)).toContain('merged_30d');
    expect(shownIn(both(9, 5), assisted)).toEqual([]);
    expect(shownIn(both(10, 4), assisted)).toEqual([]);
    expect(applyFloors(both(9, 5), assisted).cells).toEqual({ compared: 0, small: 1 });
    const few = [...some(20, 5, { class: 'ai_assisted' }), ...some(9, 5)];
    expect(shownIn(few, assisted)).toEqual([]);
    const ofFour = [...some(20, 5, { class: 'ai_assisted' }), ...some(40, 4)];
    expect(shownIn(ofFour, assisted)).toEqual([]);
  });

  test('counts those that find a match alone', () => {
    const large = some(5, 5, { class: 'ai_assisted', lines: 5000 });
    expect(shownIn([...both(9, 5), ...large], assisted)).toEqual([]);
    expect(shownIn([...both(10, 5), ...large], assisted)).toContain('merged_30d');
  });

  test('is left out of an outcome that is known of few, and not of others', () => {
    const [first, ...rest] = both(10, 5);
    if (!first) throw new Error('none');
    const unknown = [{ ...first, outcomes: { ...first.outcomes, review_rounds: null } }, ...rest];
    expect(shownIn(unknown, assisted)).toEqual(['merged_30d', 'first_review_hours', 'time_to_merge_hours']);
  });

  test('needs no people where machines opened all', () => {
    expect(shownIn([...some(10, 1, ofMachine), ...some(40, 8)], authored)).toContain('merged_30d');
    const withOne = [...some(10, 1, ofMachine), ...some(1, 1, { class: 'agent_authored', agent: 'Copilot' })];
    expect(shownIn([...withOne, ...some(40, 8)], authored)).toEqual([]);
  });

  test('shows agents all or none, for the others follow from the sum', () => {
    const unmarked = some(60, 8);
    const codex = (count: number) => some(count, 1, { ...ofMachine, agent: 'Codex' });
    expect(shownIn([...some(20, 1, ofMachine), ...codex(3), ...unmarked], ofCopilot)).toEqual([]);
    expect(shownIn([...some(20, 1, ofMachine), ...codex(3), ...unmarked], authored)).toContain('merged_30d');
    expect(shownIn([...some(20, 1, ofMachine), ...unmarked], ofCopilot)).toContain('merged_30d');
  });

  test('has averages only where those without a match are none or enough', () => {
    const pairs = [...some(12, 6, { class: 'ai_assisted' }), ...some(12, 6)];
    const isAveraged = (gathered: readonly GatheredPullRequest[]) =>
      applyFloors(gathered, assisted).averaged.some(({ outcomes }) => outcomes.merged_30d !== null);
    const lonely = (count: number, own: 'ai_assisted' | 'unmarked') => some(count, 5, { class: own, lines: 90_000 });
    expect(isAveraged(pairs)).toBe(true);
    expect(applyFloors(pairs, assisted).whole.has('merged_30d')).toBe(true);
    for (const own of ['ai_assisted', 'unmarked'] as const) {
      const few = [...pairs, ...lonely(own === 'unmarked' ? 4 : 9, own)];
      expect(isAveraged(few), own).toBe(false);
      expect(applyFloors(few, assisted).whole.has('merged_30d')).toBe(false);
      expect(shownIn(few, assisted), 'and is compared').toContain('merged_30d');
    }
    expect(isAveraged([...pairs, ...lonely(10, 'ai_assisted')])).toBe(true);
  });

  test('without a marked one is of averages alone', () => {
    const floored = applyFloors([...some(20, 8, { class: 'ai_assisted' }), ...some(40, 8)], authored);
    expect([floored.compared.length, floored.cells]).toEqual([0, { compared: 0, small: 0 }]);
    expect(applyFloors(some(40, 8), authored).averaged.every(({ outcomes }) => outcomes.merged_30d === 1)).toBe(true);
  });
});

test('excluded ones are counted where they are of enough people, the same for each class', () => {
  const gathered = [...some(20, 8, { class: 'ai_assisted' }), ...some(20, 1, ofMachine), ...some(80, 8)];
  const out = (count: number, people: number, reason: 'draft' | 'other_base' | 'automation') =>
    Array.from({ length: count }, (_unused, index) => ({
      reason,
      repository: 'octo/api',
      month: '2026-05',
      author: reason === 'automation' ? null : `person-${index % people}`,
      isOfMachine: reason === 'automation',
    }));
  const excluded = [...out(10, 5, 'draft'), ...out(10, 4, 'other_base'), ...out(12, 1, 'automation')];
  const of = (compared: ComparedClass) =>
    compareGathered({
      gathered,
      excluded,
      compared,
      counted: [],
      repositoryIds: new Map([['octo/api', 1]]),
      seed: [],
    }).excluded;
  expect(of(authored)).toEqual([
    ['draft', 10],
    ['other_base', null],
    ['automation', 12],
  ]);
  expect(of(assisted)).toEqual(of(authored));
});

const months = ['2026-05', '2026-06', '2026-07'];
const repositories = ['octo/api', 'octo/web'];

/** Repositories and months with few or many of each class, of few or many people, of which not everything is known. */
function drawHistory(random: RandomStream): GatheredPullRequest[] {
  const pick = (count: number) => Math.floor(random() * count);
  return repositories.flatMap((repository) =>
    months.flatMap((month) => {
      const people = 3 + pick(7);
      const missing = random() < 0.5 ? 0 : 0.15 * random();
      const isOfMachine = random() < 0.5;
      const draw = (count: number, differences: Partial<GatheredPullRequest>) =>
        Array.from({ length: count }, () => {
          const drawn = one({
            repository,
            month,
            author: `person-${pick(people)}`,
            type: types[pick(2)] ?? 'fix',
            isExperienced: random() < 0.7,
            lines: Math.round(Math.exp(4 + 1.2 * random())),
            ...differences,
          });
          const outcomes = Object.entries(drawn.outcomes).map(([key, value]) => [
            key,
            random() < missing ? null : value,
          ]);
          return {
            ...drawn,
            outcomes: Object.fromEntries(outcomes) as GatheredPullRequest['outcomes'],
            cost: random() < missing ? null : { minutes: 1, usd: 1, failedUsd: 0 },
          };
        });
      const byAgent = (agent: string | null, count: number) =>
        draw(count, { class: 'agent_authored', agent, ...(isOfMachine ? { author: null, isOfMachine } : {}) });
      return [
        ...byAgent('Copilot', pick(26)),
        ...byAgent('Codex', random() < 0.5 ? 0 : pick(26)),
        ...byAgent(null, random() < 0.8 ? 0 : pick(14)),
        ...draw(pick(30), { class: 'ai_assisted', agent: 'Claude' }),
        ...draw(10 + pick(60), {}),
      ];
    }),
  );
}

/** What a number of an answer is made of. */
interface Made {
  /** How much each pull request counts in it. */
  weights: ReadonlyMap<GatheredPullRequest, number>;
  /** Whether it is a plain average, which counts each once, so that only who is in it tells. */
  isPlain: boolean;
}

/** All numbers of the answers that one caller may ask for, by what they measure. */
function listNumbers(history: readonly GatheredPullRequest[]): Map<string, Made[]> {
  const byNumber = new Map(history.map((pullRequest) => [pullRequest.number, pullRequest]));
  const numbers = new Map<string, Made[]>();
  const add = (name: string, entries: Iterable<readonly [number, number]>) => {
    const made = new Map<GatheredPullRequest, number>();
    for (const [number, weight] of entries) {
      const found = byNumber.get(number);
      if (found) made.set(found, (made.get(found) ?? 0) + weight);
    }
    const isPlain = [...made.values()].some(Number.isNaN);
    if (made.size > 0) numbers.set(name, [...(numbers.get(name) ?? []), { weights: made, isPlain }]);
  };
  const windows = months.flatMap((_from, first) =>
    months.slice(first).map((_to, count) => months.slice(first, first + count + 1)),
  );
  const agents = ['Copilot', 'Codex'].map((agent) => ({ class: 'agent_authored' as const, agent }));
  for (const scope of [repositories, ...repositories.map((name) => [name])])
    for (const window of windows)
      for (const wanted of [authored, assisted, ...agents]) {
        const asked = history.filter((pr) => scope.includes(pr.repository) && window.includes(pr.month));
        const { compared, averaged, described } = applyFloors(asked, wanted);
        const sets = matchSets(compared);
        for (const key of [...outcomeKeys, 'cost'] as const) {
          const differences = setDifferences(sets, ({ outcomes, cost }) =>
            key === 'cost' ? (cost?.usd ?? null) : outcomes[key],
          );
          // Of the whole scope, and of each of its repositories.
          for (const own of [differences, ...Map.groupBy(differences, ({ repository }) => repository).values()]) {
            add(
              `marked ${key}`,
              own.map(({ pullRequest }) => [pullRequest.number, 1]),
            );
            add(
              `unmarked ${key}`,
              own.flatMap(({ comparable }) =>
                comparable.map(({ pullRequest }) => [pullRequest.number, 1 / comparable.length] as const),
              ),
            );
          }
          if (key === 'cost') continue;
          for (const isMarked of [true, false])
            add(
              `${isMarked ? 'marked' : 'unmarked'} ${key}`,
              averaged
                .filter((pr) => pr.isMarked === isMarked && pr.outcomes[key] !== null)
                .map(({ number }) => [number, isMarked ? 1 : Number.NaN]),
            );
        }
        for (const isMarked of [true, false])
          add(
            `described ${isMarked}`,
            described.filter((pr) => pr.isMarked === isMarked).map(({ number }) => [number, 1]),
          );
      }
  return numbers;
}

/** Said by the test itself, not by what is tested: fewer than ten, or than five people. */
function isOfFew(pullRequests: Iterable<GatheredPullRequest>): boolean {
  const people = new Set<string | null>();
  let count = 0;
  for (const { isOfMachine, author } of pullRequests) {
    count += 1;
    if (!isOfMachine) people.add(author);
    if (count >= 10 && people.size >= 5) return false;
  }
  return count > 0 && (count < 10 || people.size > 0);
}

/** Those that make two numbers differ. */
function* differing(one: Made, other: Made): Generator<GatheredPullRequest> {
  const isPlain = one.isPlain || other.isPlain;
  for (const [pullRequest, a] of one.weights) {
    const b = other.weights.get(pullRequest) ?? 0;
    if (isPlain ? b === 0 : Math.abs(a - b) > 1e-9) yield pullRequest;
  }
  for (const [pullRequest, b] of other.weights)
    if (!one.weights.has(pullRequest) && (isPlain || Math.abs(b) > 1e-9)) yield pullRequest;
}

/** In parts, so that none takes too long: together 250 histories where there is time. */
const parts = Array.from({ length: rounds('PARTS_OF_COMPARISONS', 1, 5) }, (_, index) => index);
const historiesOfPart = rounds('PAIRS_OF_COMPARISONS', 10, 50);

test.each(parts)('no two numbers of answers differ by few pull requests or people: part %i', (part) => {
  let compared = 0;
  const shown = new Set<string>();
  const first = part * historiesOfPart;
  for (let seed = first; seed < first + historiesOfPart; seed++) {
    const numbers = listNumbers(drawHistory(randomStream('pairs of comparisons', seed)));
    for (const [name, all] of numbers) {
      shown.add(name);
      for (const [place, made] of all.entries()) {
        if (isOfFew(made.weights.keys())) throw new Error(`seed ${seed}: ${name} is of few`);
        for (const other of all.slice(place + 1)) {
          compared += 1;
          if (isOfFew(differing(made, other)))
            throw new Error(`seed ${seed}: ${name} differs by ${[...differing(made, other)].length}`);
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(10_000);
  expect(shown).toContain('marked merged_30d');
  expect(shown).toContain('unmarked cost');
  expect(shown).toContain('described true');
});
