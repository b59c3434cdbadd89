import { type ChangeType, changeTypes } from '../../server/metrics/ai-authorship/classes.ts';
import {
  type ComparedPullRequest,
  clusterOf,
  stratumOf,
} from '../../server/metrics/ai-authorship/comparison/compared-pull-request.ts';
import type { OutcomeKey } from '../../server/metrics/ai-authorship/comparison/outcomes.ts';
import { type RandomStream, randomStream } from '../../server/metrics/kernel/random-stream.ts';

/**
 * Organizations in which it is known what a mark does: nothing, or so many points to whether a pull request is merged.
 * Repository, size, kind of work, time, weekday, load, experience of the author and what happens to a repository in a
 * week drive both who carries a mark and what comes of a pull request, so that plain averages differ.
 */
export interface AuthorshipWorld {
  seed: number;
  /** What a mark adds to the share that is merged, in points. */
  effect: number;
  /** Pull requests of a repository, least and most. */
  size: readonly [number, number];
  /** Whether marks depend on the experience of the author, and this is compared. */
  isAssisted: boolean;
  /** How much what happens to a repository in a week drives marks and outcomes alike, in log-odds; nobody sees it. */
  commonShock: number;
}

const repositories = 12;
const weeks = 26;
const day = 86_400_000;
/** A Monday. */
const firstDay = Date.UTC(2026, 0, 5);

/** The pull requests of a world, with what came of each. */
export function drawPullRequests(world: AuthorshipWorld): ComparedPullRequest[] {
  const random = randomStream('authorship', world.seed);
  const types = new Map(changeTypes.map((type) => [type, { mark: 0.5 * normal(random), ease: 0.5 * normal(random) }]));
  const trend = { mark: 1.5, ease: 0.6 * normal(random) };
  return Array.from({ length: repositories }, (_unused, index) => {
    const repository = drawRepository(`r${index}`, world.commonShock, random);
    const [least, most] = world.size;
    const created = Array.from({ length: Math.round(least + random() * (most - least)) }, () => drawInstant(random));
    return created
      .sort((a, b) => a - b)
      .map((createdAt, place) => drawOne(createdAt, place + 1, { world, types, trend, repository, random }));
  }).flat();
}

/** What drives marks, and what drives how easily a pull request goes through, both in log-odds. */
interface Drives {
  mark: number;
  ease: number;
}

interface Repository extends Drives {
  name: string;
  /** Logarithm of hours. */
  wait: number;
  /** Pull requests that are open. */
  open: number;
  weeks: (Drives & { load: number })[];
}

function drawRepository(name: string, commonShock: number, random: RandomStream): Repository {
  const adoption = normal(random);
  return {
    name,
    mark: -1.1 + 0.9 * adoption,
    ease: 0.7 + 0.4 * adoption + 0.5 * normal(random),
    wait: 2.5 + 0.5 * normal(random),
    open: 4 + 24 * random(),
    weeks: Array.from({ length: weeks }, () => {
      const common = commonShock * normal(random);
      return {
        mark: common + 0.3 * normal(random),
        ease: common + 0.3 * normal(random),
        load: 0.25 * normal(random),
      };
    }),
  };
}

interface Surroundings {
  world: AuthorshipWorld;
  types: ReadonlyMap<ChangeType, Drives>;
  /** From the first week to the last. */
  trend: Drives;
  repository: Repository;
  random: RandomStream;
}

const none: Drives = { mark: 0, ease: 0 };

function drawOne(createdAt: number, number: number, surroundings: Surroundings): ComparedPullRequest {
  const { world, types, trend, repository, random } = surroundings;
  const age = (createdAt - firstDay) / (weeks * 7 * day);
  const week = Math.floor(age * weeks);
  const weekday = Math.floor((createdAt - firstDay) / day) % 7;
  const logSize = Math.max(0, 3.7 + 1.3 * normal(random));
  const type = drawType(random);
  const isExperienced = random() < 0.6;
  const { load, ...shock } = repository.weeks[week] ?? { ...none, load: 0 };
  const open = Math.round(repository.open * Math.exp(load + 0.15 * normal(random)));
  const drives: Drives[] = [
    repository,
    shock,
    types.get(type) ?? none,
    { mark: trend.mark * (age - 0.5), ease: trend.ease * (age - 0.5) },
    { mark: -0.7 * (logSize - 3.7), ease: -0.6 * (logSize - 3.7) },
    { mark: 0.02 * weekday, ease: -0.05 * weekday },
    { mark: 0.1 * load, ease: -0.4 * load },
    isExperienced ? { mark: world.isAssisted ? 0.7 : 0, ease: 0.5 } : none,
  ];
  const isMarked = random() < logistic(drives.reduce((sum, { mark }) => sum + mark, 0));
  const ease = drives.reduce((sum, one) => sum + one.ease, 0);
  const month = new Date(createdAt).toISOString().slice(0, 7);
  return {
    repository: repository.name,
    number,
    isMarked,
    author: null,
    createdAt,
    month,
    stratum: stratumOf({
      repository: repository.name,
      month,
      type,
      isExperienced: world.isAssisted ? isExperienced : null,
    }),
    cluster: clusterOf(repository.name, new Date(firstDay + week * 7 * day).toISOString().slice(0, 10)),
    weekday,
    lines: Math.round(Math.exp(logSize)) - 1,
    changedFiles: Math.max(1, Math.round(Math.exp(0.5 * logSize - 0.5 + 0.4 * normal(random)))),
    openPullRequests: open,
    cost: null,
    outcomes: drawOutcomes(
      { ease, wait: repository.wait, size: logSize - 3.7, effect: isMarked ? world.effect : 0 },
      random,
    ),
  };
}

interface Conditions {
  ease: number;
  wait: number;
  size: number;
  effect: number;
}

/** The effect is that many points in all of them: no share is so near to 0 or 1 that it would be less. */
function drawOutcomes(
  { ease, wait, size, effect }: Conditions,
  random: RandomStream,
): Record<OutcomeKey, number | null> {
  const isMerged = random() < Math.min(0.84, Math.max(0.16, logistic(ease))) + effect / 100;
  const firstReview = Math.min(336, Math.exp(wait - 0.3 * ease + normal(random)));
  const isReverted = random() < 0.02 + 0.02 * logistic(-ease);
  return {
    merged_30d: Number(isMerged),
    first_review_hours: firstReview,
    review_rounds: poisson(random, Math.exp(0.2 + 0.2 * size - 0.2 * ease)),
    time_to_merge_hours: isMerged ? firstReview + Math.exp(wait + 0.5 - 0.3 * ease + normal(random)) : null,
    reverted_30d: isMerged ? Number(isReverted) : null,
    rework_30d: isMerged ? Number(isReverted || random() < 0.04) : null,
    ci_minutes: Math.exp(3 + 0.2 * size - 0.2 * ease + 0.7 * normal(random)),
    ci_failed_share: Math.min(1, Math.max(0, 0.25 - 0.05 * ease + 0.2 * normal(random))),
  };
}

/** How common they are, of a hundred. */
const commonness: Readonly<Record<ChangeType, number>> = {
  fix: 30,
  feature: 30,
  docs: 7,
  test: 4,
  dependency: 3,
  refactor: 10,
  chore: 10,
  other: 6,
};

function drawType(random: RandomStream): ChangeType {
  const place = 100 * random();
  let below = 0;
  return (
    changeTypes.find((type) => {
      below += commonness[type];
      return place < below;
    }) ?? 'other'
  );
}

/** Fewer at the weekend. */
function drawInstant(random: RandomStream): number {
  for (;;) {
    const at = firstDay + random() * weeks * 7 * day;
    if (Math.floor((at - firstDay) / day) % 7 < 5 || random() < 0.2) return at;
  }
}

const logistic = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));

const normal = (random: RandomStream) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

function poisson(random: RandomStream, expected: number): number {
  let [count, product] = [0, random()];
  while (product > Math.exp(-expected)) {
    count++;
    product *= random();
  }
  return count;
}

/** Whether a plain test of two shares tells them apart, which is what common causes make it do. */
export function doesPlainTestClaim(pullRequests: readonly ComparedPullRequest[]): boolean {
  const [marked, unmarked] = [true, false].map((isMarked) => {
    const values = pullRequests.flatMap((one) => (one.isMarked === isMarked ? (one.outcomes.merged_30d ?? []) : []));
    const share = values.reduce((sum, value) => sum + value, 0) / values.length;
    return { share, variance: (share * (1 - share)) / values.length };
  });
  if (!marked || !unmarked) return false;
  return Math.abs(marked.share - unmarked.share) > 1.96 * Math.sqrt(marked.variance + unmarked.variance);
}
