import { mean } from '../../kernel/statistics.ts';
import { isEnough } from '../floors.ts';
import type { RepositoryEffect } from './by-repository.ts';
import { applyFloors } from './cell-floors.ts';
import { type ComparedOutcome, type ComparisonFigures, comparePullRequests } from './compare.ts';
import { type ComparedPullRequest, cellOf } from './compared-pull-request.ts';
import { describeMatching } from './examine.ts';
import {
  type ComparedClass,
  type ExcludedPullRequest,
  type Exclusion,
  type GatheredPullRequest,
  toCompared,
} from './gather.ts';
import { matchSets } from './matching.ts';
import { type OutcomeKey, outcomeKeys, toScale, toValue } from './outcomes.ts';

/** What is compared in a thread of its own. */
export interface ComparisonTask {
  gathered: readonly GatheredPullRequest[];
  excluded: readonly ExcludedPullRequest[];
  compared: ComparedClass;
  /** Cells of which the shares of both sides are shown: of others, a count would tell how many have a mark. */
  counted: readonly string[];
  /** The platform's ids of the repositories, by their names. */
  repositoryIds: ReadonlyMap<string, number>;
  seed: readonly (string | number)[];
}

/** The plain average of one side, matched or not. */
export interface PlainAverage {
  isMarked: boolean;
  key: OutcomeKey;
  value: number;
  /** null where shares of marked ones are hidden. */
  prs: number | null;
}

/** An outcome as it is stored, without names of repositories. */
export interface OutcomeResult extends Omit<ComparedOutcome, 'byRepository'> {
  byRepository: (Omit<RepositoryEffect, 'repository'> & { repositoryId: number })[];
}

/** What is stored of a comparison: sums of whole repositories and months, each of which meets the floors. */
export interface ComparisonResult extends Omit<ComparisonFigures, 'matchedSharePct' | 'outcomes'> {
  outcomes: OutcomeResult[];
  /** null where those without a match are few, or shares of marked ones are hidden. */
  matchedSharePct: number | null;
  raw: PlainAverage[];
  /** null where those of each repository and month are few. */
  excluded: [reason: Exclusion, prs: number | null][];
  /** Outcomes that are known of some. */
  known: OutcomeKey[];
  /** How many repositories and months are compared. */
  cells: number;
}

/** More are not compared: the newest months count. */
const maxPullRequests = 10_000;

/**
 * Compares those of one class with those without a mark, as far as floors allow. The same pull requests in any order and
 * the same seed give the same figures.
 */
export function compareGathered(task: ComparisonTask): ComparisonResult {
  const { gathered, excluded, compared, seed } = task;
  const floored = applyFloors(newestCells(gathered, compared), compared);
  const { outcomes, placebo, cost } = comparePullRequests(floored.compared, seed);
  const matching = describeMatching(floored.described, matchSets(floored.described));
  const isDescribed = floored.described.length > 0;
  const cells = new Set(floored.compared.map(cellOf));
  const counted = new Set(task.counted);
  const areCounted = (some: readonly ComparedPullRequest[]) => some.every((one) => counted.has(cellOf(one)));
  return {
    outcomes: outcomes.map(({ byRepository, ...one }) => ({
      ...one,
      mantelHaenszel: floored.whole.has(one.key) ? one.mantelHaenszel : null,
      byRepository: byRepository.map(({ repository, ...rest }) => ({ ...rest, repositoryId: idOf(repository, task) })),
    })),
    placebo,
    cost,
    balance: isDescribed ? matching.balance : [],
    matchedSharePct: isDescribed && areCounted(floored.described) ? 100 * matching.matchedShare : null,
    raw: averagesOf(floored.averaged, areCounted),
    excluded: countExcluded(excluded.filter((one) => cells.has(cellOf(one)))),
    known: outcomeKeys.filter((key) =>
      gathered.some((one) => one.class === compared.class && one.outcomes[key] !== null),
    ),
    cells: floored.cells.compared,
  };
}

function idOf(repository: string, { repositoryIds }: ComparisonTask): number {
  const id = repositoryIds.get(repository);
  if (id === undefined) throw new Error('A compared repository has no id.');
  return id;
}

/**
 * The limit leaves out whole cells as well, or it would cut a month in two. Those without a marked one, of which there are
 * averages alone, come last.
 */
function newestCells(gathered: readonly GatheredPullRequest[], compared: ComparedClass): GatheredPullRequest[] {
  const cells = [...Map.groupBy(gathered, cellOf)].map(([name, cell]) => {
    const own = cell.flatMap((one) => toCompared(one, compared) ?? []);
    return { name, cell, size: own.length, isMarked: own.some(({ isMarked }) => isMarked), month: own[0]?.month ?? '' };
  });
  const newest = cells.sort(
    (a, b) => Number(b.isMarked) - Number(a.isMarked) || b.month.localeCompare(a.month) || (a.name < b.name ? -1 : 1),
  );
  let size = 0;
  return newest.flatMap((one) => {
    size += one.size;
    return size > maxPullRequests ? [] : one.cell;
  });
}

/** Plain averages of both sides, which differ in repository, size and kind of work: they are not comparable. */
const averagesOf = (
  pullRequests: readonly ComparedPullRequest[],
  areCounted: (some: readonly ComparedPullRequest[]) => boolean,
): PlainAverage[] =>
  [true, false].flatMap((isMarked) =>
    outcomeKeys.flatMap((key) => {
      const known = pullRequests.filter((one) => one.isMarked === isMarked && one.outcomes[key] !== null);
      const average = mean(known.map(({ outcomes }) => toScale(key, outcomes[key] ?? Number.NaN)));
      if (average === null) return [];
      return [{ isMarked, key, value: toValue(key, average), prs: areCounted(known) ? known.length : null }];
    }),
  );

/** The same whichever class is compared; of a repository and month only where they are enough. */
function countExcluded(excluded: readonly ExcludedPullRequest[]): ComparisonResult['excluded'] {
  return [...Map.groupBy(excluded, ({ reason }) => reason)].map(([reason, own]) => {
    const enough = [...Map.groupBy(own, cellOf).values()].filter((cell) =>
      isEnough(cell.map(({ author, isOfMachine }) => ({ prs: 1, author, isOfMachine }))),
    );
    return [reason, enough.length === 0 ? null : enough.reduce((sum, cell) => sum + cell.length, 0)];
  });
}
