import { type Predicted, predictEffects } from '../../server/advisor/effects.ts';
import type { RecordedAttempt } from '../../server/advisor/history.ts';
import type { DocumentationChange } from '../../server/advisor/kind.ts';
import { planRepository } from '../../server/advisor/plan.ts';
import { type AdvisedRepository, recommend } from '../../server/advisor/recommend.ts';
import { median } from '../../server/metrics/kernel/statistics.ts';
import { drawIntents, firstDay, type Habits, type Intent, type Rules, simulateRuns, unchanged } from './ci-worlds.ts';

const dayMs = 86_400_000;
const futureDays = 28;
const firstWorkflow = 7001;
const pathOf = (index: number) => `.github/workflows/ci${index === 0 ? '' : `-${index}`}.yml`;

type History = Pick<Habits, 'seed' | 'days' | 'perDay' | 'memory'>;

interface WorldKind {
  text: string;
  habits: Omit<Habits, keyof History>;
  /** The file as the recommendation changes it. */
  rules(predicted: Predicted): Rules;
}

const jobs = ({ limit = '    timeout-minutes: 60\n', failFast = '' }) => `jobs:
  lint:
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    steps: [{run: make lint}]
  test:
    needs: lint
    strategy:
${failFast}      matrix: {cell: [a, b, c]}
    runs-on: ubuntu-24.04
${limit}    steps: [{run: make test}]
  e2e:
    needs: test
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    steps: [{run: make e2e}]
`;

/** So that nothing else is found. */
const group = 'concurrency:\n  group: ci\n';
const usual = { buildsPushes: false, hangRate: 0 };

/** A file in which a kind finds something, and what it then says. */
export const worldKinds: Record<string, WorldKind> = {
  'ADV-01': {
    text: `on: pull_request\n${jobs({})}`,
    habits: usual,
    rules: () => ({ ...unchanged, cancelsOlder: true }),
  },
  'ADV-02': {
    text: `on: [push, pull_request]\n${group}${jobs({})}`,
    habits: { ...usual, buildsPushes: true },
    rules: () => ({ ...unchanged, runsOnce: true }),
  },
  'ADV-03': {
    text: `on:\n  schedule:\n    - cron: '0 * * * *'\npermissions:\n  contents: read\n${jobs({})}`,
    habits: { ...usual, isScheduled: true },
    rules: () => ({ ...unchanged, everyHours: 6 }),
  },
  'ADV-04': {
    text: `on: pull_request\n${group}${jobs({})}`,
    habits: { ...usual, documentationRate: 0.12 },
    rules: () => ({ ...unchanged, skipsDocumentation: true }),
  },
  'ADV-05': {
    text: `on: pull_request\n${group}${jobs({ limit: '' })}`,
    habits: { ...usual, hangRate: 0.004 },
    rules: ({ changes: [change] }) => ({ ...unchanged, limit: change?.do === 'insert' ? Number(change.value) : 360 }),
  },
  'ADV-06': {
    text: `on: pull_request\n${group}${jobs({ failFast: '      fail-fast: false\n' })}`,
    habits: usual,
    rules: () => ({ ...unchanged, failsFast: true }),
  },
  // What reads nothing of the others and is last of all: it need not wait.
  'ADV-08': {
    text: `on: pull_request\n${group}${jobs({})}`,
    habits: usual,
    rules: () => ({ ...unchanged, startsLast: true }),
  },
};

export interface Trial {
  /** Why nothing is predicted; null where something is. */
  reason: string | null;
  drifting: boolean;
  /** Percent by the other simulator, of the recorded days and of the 28 after them. */
  past: number;
  future: number;
  /** The same as predicted. */
  predictedPast: number | null;
  band: Interval | null;
  /** Of kinds that let runs end earlier: by how many seconds the median changes in the 28 days, and the same as predicted. */
  wall: { future: number; band: Interval } | null;
}

interface Interval {
  low: number;
  mid: number;
  high: number;
}

/** Predicts the effect of a kind in a world where it is known; null where the kind finds nothing. */
export function tryWorld(kind: string, { days, ...habits }: History): Trial | null {
  const world = worldKinds[kind];
  if (!world) return null;
  const intents = drawIntents({ ...habits, ...world.habits, days: days + futureDays });
  const recorded = simulateRuns(intents, unchanged);
  const end = firstDay + days * dayMs;
  const repository = repositoryWith(
    [world.text],
    recorded.filter(({ arrivedAt }) => arrivedAt < end),
    { seed: habits.seed, days, documentation: documentationOf(intents) },
  );
  const found = recommend(repository).find((one) => one.kind.id === kind && one.counterfactual !== null);
  const [predicted] = predictEffects(repository, found ? [found] : [], { isPublic: false }).recommendations;
  if (!predicted) return null;
  const changed = simulateRuns(intents, world.rules(predicted));
  const { reason, drifting, history, next, wall } = predicted.effect;
  const after = { from: end, to: Number.POSITIVE_INFINITY };
  return {
    reason,
    drifting,
    past: reductionBetween(recorded, changed, { from: firstDay, to: end }),
    future: reductionBetween(recorded, changed, after),
    predictedPast: history?.reductionPct ?? null,
    band: next?.reductionPct ?? null,
    wall: wall?.next.p50
      ? { future: medianWall(changed, after) - medianWall(recorded, after), band: wall.next.p50 }
      : null,
  };
}

/** What is known of the files of a change. */
const documentationOf = (intents: readonly Intent[]): DocumentationChange[] =>
  intents.map(({ sha, isDocumentation }) => ({
    shas: [sha],
    mergeSha: null,
    changedFiles: 2,
    patterns: isDocumentation ? ['docs/**'] : null,
  }));

/** Seconds from the start of runs to the end of their last job. */
const medianWall = (attempts: readonly RecordedAttempt[], { from, to }: Span): number =>
  median(
    attempts
      .filter(({ arrivedAt }) => arrivedAt >= from && arrivedAt < to)
      .map(({ arrivedAt, endedAt }) => ((endedAt ?? arrivedAt) - arrivedAt) / 1000),
  ) ?? 0;

/** A file in which every kind of `worldKinds` finds something. */
const everyFinding = `on: [push, pull_request]\n${jobs({ limit: '', failFast: '      fail-fast: false\n' })}`;

export interface PlanTrial {
  /** How many changes save something. */
  changes: number;
  /** Minutes over the recorded days: by the other simulator, by the replay of all, and each by itself. */
  simulated: number;
  replayed: number;
  alone: number;
  /** Of the next 28 days: the sum of what each adds, and the total. */
  marginals: number;
  total: number;
}

/** What all changes of a file save together in a world where that is known; null where fewer than two do. */
export function tryPlan({ days, ...habits }: History): PlanTrial | null {
  const intents = drawIntents({ ...habits, days, buildsPushes: true, hangRate: 0.004 });
  const recorded = simulateRuns(intents, unchanged);
  const repository = repositoryWith([everyFinding], recorded, { seed: habits.seed, days });
  const { recommendations, past } = predictEffects(repository, recommend(repository), { isPublic: false });
  const { total, rows } = planRepository(recommendations, past);
  if (total === null || rows.length < 2) return null;
  const changed = simulateRuns(intents, Object.assign({}, unchanged, ...rows.map(differingRules)));
  const always = { from: firstDay, to: Number.POSITIVE_INFINITY };
  return {
    changes: rows.length,
    simulated: minutesIn(recorded, always) - minutesIn(changed, always),
    replayed: savedIn(total.effect),
    alone: rows.reduce((sum, { recommendation }) => sum + savedIn(recommendation.effect), 0),
    marginals: rows.reduce((sum, { marginal }) => sum + marginal.minutes, 0),
    total: total.effect.next?.minutesSaved.mid ?? 0,
  };
}

const savedIn = ({ history }: Predicted['effect']): number =>
  (history?.minutesBefore ?? 0) - (history?.minutesAfter ?? 0);

/** What a change makes of the rules. */
function differingRules({ recommendation }: { recommendation: Predicted }): Partial<Rules> {
  const rules = worldKinds[recommendation.kind.id]?.rules(recommendation) ?? unchanged;
  const keys = Object.keys(unchanged) as (keyof Rules)[];
  return Object.fromEntries(keys.filter((key) => rules[key] !== unchanged[key]).map((key) => [key, rules[key]]));
}

/** A repository of some 20,000 jobs in 90 days, shared out among so many workflows with the same file. */
export function busyRepository(workflows: number): AdvisedRepository {
  const [days, seed] = [90, 1];
  const habits = { seed, days, perDay: 42, memory: 0.3, buildsPushes: true, hangRate: 0.004 };
  const attempts = simulateRuns(drawIntents(habits), unchanged);
  const names = [...new Set(attempts.map(({ headBranch }) => headBranch))];
  const numbers = new Map(names.map((name, index) => [name, firstWorkflow + (index % workflows)]));
  const texts = Array.from({ length: workflows }, () => everyFinding);
  return repositoryWith(
    texts,
    attempts.map((one) => ({ ...one, workflowId: numbers.get(one.headBranch) ?? firstWorkflow })),
    { seed, days },
  );
}

interface Span {
  from: number;
  to: number;
}

function reductionBetween(before: readonly RecordedAttempt[], after: readonly RecordedAttempt[], span: Span): number {
  return 100 * (1 - minutesIn(after, span) / minutesIn(before, span));
}

const minutesIn = (attempts: readonly RecordedAttempt[], { from, to }: Span): number =>
  attempts
    .filter(({ arrivedAt }) => arrivedAt >= from && arrivedAt < to)
    .reduce((sum, { billedMinutes }) => sum + (billedMinutes ?? 0), 0);

const repositoryWith = (
  texts: readonly string[],
  attempts: readonly RecordedAttempt[],
  { seed, days, documentation = null }: { seed: number; days: number; documentation?: DocumentationChange[] | null },
): AdvisedRepository => ({
  id: seed,
  kindsOff: [],
  defaultBranch: 'main',
  files: texts.map((text, index) => ({ path: pathOf(index), text })),
  workflowIds: new Map(texts.map((_text, index) => [pathOf(index), firstWorkflow + index])),
  around: { visibility: 'private', largerRunnerLabels: [], actions: null },
  attempts,
  days: Array.from({ length: days }, (_, index) => firstDay + index * dayMs),
  deployedAt: [],
  hasUnreadFiles: false,
  rootFiles: null,
  cacheBytes: null,
  requiredChecks: [],
  documentation,
  largerRunners: {},
  longestPassing: [],
  now: firstDay + days * dayMs,
});
