import type { RecordedAttempt, RecordedJob } from '../../server/advisor/history.ts';
import type { Conclusion } from '../../server/metrics/kernel/facts.ts';
import { type RandomStream, randomStream } from '../../server/metrics/kernel/random-stream.ts';

/**
 * Worlds of made CI runs, in which the effect of a change of a workflow file is known: what people do is drawn first,
 * then a simulator that goes on second by second plays it with the file as it was and with the file as changed. It
 * shares nothing with the replay but the shape of what is recorded.
 */

/** What the workflow file says. */
export interface Rules {
  /** A newer run of a branch cancels the older ones. */
  cancelsOlder: boolean;
  /** Pushes to branches start nothing where the pull request does. */
  runsOnce: boolean;
  /** The first failing cell ends the others. */
  failsFast: boolean;
  /** Minutes after which a job is ended. */
  limit: number;
  /** Changes of documentation alone start nothing. */
  skipsDocumentation: boolean;
  /** The last job waits for no other. */
  startsLast: boolean;
  /** How often the schedule starts a run. */
  everyHours: number;
}

export const unchanged: Rules = {
  cancelsOlder: false,
  runsOnce: false,
  failsFast: false,
  limit: 360,
  skipsDocumentation: false,
  startsLast: false,
  everyHours: 1,
};

export interface Habits {
  seed: number;
  days: number;
  /** Updates of pull requests on a usual weekday. */
  perDay: number;
  /** How much of what is unusual about a day is left on the next one. */
  memory: number;
  /** Whether pushes to branches are built, too. */
  buildsPushes: boolean;
  /** How often a job hangs. */
  hangRate: number;
  /** How many changes are of documentation alone, where any are. */
  documentationRate?: number;
  /** Whether it runs every hour, and for nothing else. */
  isScheduled?: boolean;
}

/** What will happen, whatever the file says. */
export interface Intent {
  at: number;
  event: 'push' | 'pull_request' | 'schedule';
  branch: string;
  sha: string;
  isDocumentation: boolean;
  jobs: PlannedJob[];
}

interface PlannedJob {
  name: string;
  /** Names of jobs that have to pass before. */
  needs: string[];
  waitSeconds: number;
  workSeconds: number;
  fails: boolean;
  /** How long it goes on when it is cancelled. */
  graceSeconds: number;
  isCell: boolean;
}

const second = 1000;
const daySeconds = 86_400;
/** A Monday. */
export const firstDay = Date.parse('2026-03-02T00:00:00Z');

/** Draws what happens on the days of a world. */
export function drawIntents(habits: Habits): Intent[] {
  const random = randomStream('made CI', habits.seed);
  if (habits.isScheduled) return drawSchedule(random, habits);
  const load = wanderer(random, habits.memory, 0.35);
  const haste = wanderer(random, habits.memory, 0.8);
  const trouble = wanderer(random, habits.memory, 0.6);
  const { documentationRate = 0 } = habits;
  const writing = documentationRate > 0 ? wanderer(random, habits.memory, 0.5) : () => 0;
  const intents: Intent[] = [];
  for (let day = 0; day < habits.days; day++) {
    const isWeekend = day % 7 >= 5;
    const expected = habits.perDay * (isWeekend ? 0.1 : 1) * Math.exp(load());
    const [hurry, failing] = [share(-0.8 + haste()), share(-2 + trouble())];
    const documenting = documentationRate * Math.exp(writing());
    let clock = day * daySeconds + 8 * 3600;
    for (let changes = poisson(random, expected / 2); changes > 0; changes--) {
      clock += (exponential(random) * 10 * 3600) / (expected / 2 + 1);
      if (clock >= (day + 1) * daySeconds - 7200) break;
      intents.push(...drawChange(random, { at: Math.round(clock), day, hurry, failing, documenting }, habits));
    }
  }
  return intents.sort((one, other) => one.at - other.at);
}

interface Mood {
  at: number;
  day: number;
  /** Probability that an update is followed by another one soon. */
  hurry: number;
  failing: number;
  /** Probability that a change is of documentation alone. */
  documenting: number;
}

/** A run every hour, some minutes late, now and then none; most find the commit that the one before found. */
function drawSchedule(random: RandomStream, habits: Habits): Intent[] {
  let head = 0;
  return Array.from({ length: habits.days * 24 }, (_, hour): Intent[] => {
    if (random() < 0.12) head++;
    const at = hour * 3600 + Math.round(random() * 400);
    const jobs = drawJobs(random, 0, habits);
    const common = { event: 'schedule', branch: 'main', sha: `head-${head}`, isDocumentation: false } as const;
    return random() < 0.01 ? [] : [{ at, ...common, jobs }];
  }).flat();
}

function drawChange(random: RandomStream, { at, day, hurry, documenting, ...mood }: Mood, habits: Habits): Intent[] {
  const branch = `change-${day}-${at}`;
  const isDocumentation = documenting > 0 && random() < documenting;
  const failing = isDocumentation ? 0 : mood.failing;
  const intents: Intent[] = [];
  let clock = at;
  for (let update = 0; update < 6; update++) {
    const sha = `${branch}-${update}`;
    intents.push({
      at: clock,
      event: 'pull_request',
      branch,
      sha,
      isDocumentation,
      jobs: drawJobs(random, failing, habits),
    });
    if (habits.buildsPushes)
      intents.push({ at: clock, event: 'push', branch, sha, isDocumentation, jobs: drawJobs(random, failing, habits) });
    if (random() >= hurry) break;
    clock += Math.round(60 + exponential(random) * 400);
  }
  if (habits.buildsPushes && random() < 0.6)
    intents.push({
      at: clock + 3600,
      event: 'push',
      branch: 'main',
      sha: `merge-${branch}`,
      isDocumentation,
      jobs: drawJobs(random, failing / 3, habits),
    });
  return intents;
}

function drawJobs(random: RandomStream, failing: number, { hangRate }: Habits): PlannedJob[] {
  const draw = (name: string, minutes: number, needs: string[], isCell = false): PlannedJob => ({
    name,
    needs,
    isCell,
    waitSeconds: Math.round(3 + exponential(random) * 12),
    workSeconds: isCell && random() < hangRate ? 21_600 : Math.round(minutes * 60 * Math.exp(0.3 * normal(random))),
    fails: random() < failing,
    graceSeconds: Math.round(4 + random() * 12),
  });
  return [
    draw('lint', 2, []),
    ...['a', 'b', 'c'].map((cell) => draw(`test (${cell})`, 7, ['lint'], true)),
    draw('e2e', 5, ['test (a)', 'test (b)', 'test (c)']),
  ];
}

interface Running {
  intent: Intent;
  jobs: { plan: PlannedJob; createdAt: number | null; startedAt: number | null; endsAt: number | null; state: State }[];
}

type State = 'planned' | 'queued' | 'running' | 'passed' | 'failed' | 'cancelled' | 'skipped';

const isOver = (state: State) => state !== 'planned' && state !== 'queued' && state !== 'running';

/** Whether it starts a run. */
function starts({ at, event, branch, isDocumentation }: Intent, rules: Rules): boolean {
  if (event === 'schedule') return Math.floor(at / 3600) % rules.everyHours === 0;
  if (rules.runsOnce && event === 'push' && branch !== 'main') return false;
  return !(rules.skipsDocumentation && isDocumentation);
}

/** Plays what happens, second by second, under the rules of a file; oldest arrival first. */
export function simulateRuns(intents: readonly Intent[], rules: Rules): RecordedAttempt[] {
  const waiting = intents.filter((intent) => starts(intent, rules));
  const all: Running[] = waiting.map((intent) => ({
    intent,
    jobs: intent.jobs.map((plan) => ({
      plan: rules.startsLast && plan.name === 'e2e' ? { ...plan, needs: [] } : plan,
      createdAt: null,
      startedAt: null,
      endsAt: null,
      state: 'planned',
    })),
  }));
  let next = 0;
  let active: Running[] = [];
  let clock = 0;
  while (next < all.length || active.length > 0) {
    const upcoming = all[next];
    // Nothing happens before the next arrival.
    if (active.length === 0 && upcoming) clock = Math.max(clock, upcoming.intent.at);
    for (let arrived = all[next]; arrived && arrived.intent.at <= clock; arrived = all[next]) {
      if (rules.cancelsOlder && arrived.intent.event === 'pull_request')
        for (const older of active)
          if (older.intent.branch === arrived.intent.branch && older.intent.event === 'pull_request')
            cancel(older, clock);
      active.push(arrived);
      next++;
    }
    for (const run of active) advance(run, clock, rules);
    active = active.filter(({ jobs }) => jobs.some(({ state }) => !isOver(state)));
    clock++;
  }
  return all.map(toAttempt);
}

function cancel({ jobs }: Running, clock: number, only: (plan: PlannedJob) => boolean = () => true) {
  for (const job of jobs) {
    if (!only(job.plan) || isOver(job.state)) continue;
    if (job.state === 'running') {
      const endsAt = Math.min(job.endsAt ?? clock, clock + job.plan.graceSeconds);
      // What ends by itself before is no cancelled job.
      if (endsAt < (job.endsAt ?? 0)) Object.assign(job, { endsAt, plan: { ...job.plan, cut: true } });
    } else job.state = 'cancelled';
  }
}

function advance(run: Running, clock: number, rules: Rules) {
  const stateOf = (name: string) => run.jobs.find(({ plan }) => plan.name === name)?.state;
  for (const job of run.jobs) {
    const { plan } = job;
    if (job.state === 'running' && clock >= (job.endsAt ?? 0)) {
      const isCut = 'cut' in plan || (job.endsAt ?? 0) - (job.startedAt ?? 0) < plan.workSeconds;
      job.state = isCut ? 'cancelled' : plan.fails || plan.workSeconds >= 21_600 ? 'failed' : 'passed';
      if (rules.failsFast && plan.isCell && job.state === 'failed') cancel(run, clock, (other) => other.isCell);
    }
    if (job.state === 'planned') {
      const needed = plan.needs.map(stateOf);
      if (needed.some((state) => state === 'failed' || state === 'cancelled' || state === 'skipped'))
        Object.assign(job, { state: 'skipped', createdAt: clock, startedAt: clock, endsAt: clock });
      else if (needed.every((state) => state === 'passed')) Object.assign(job, { state: 'queued', createdAt: clock });
    }
    if (job.state === 'queued' && clock >= (job.createdAt ?? 0) + plan.waitSeconds)
      Object.assign(job, {
        state: 'running',
        startedAt: clock,
        endsAt: clock + Math.min(plan.workSeconds, rules.limit * 60),
      });
  }
}

const conclusions: Partial<Record<State, Conclusion>> = { passed: 'success', failed: 'failure', skipped: 'skipped' };

let lastId = 0;

function toAttempt({ intent, jobs }: Running): RecordedAttempt {
  lastId++;
  const at = (seconds: number | null) => (seconds === null ? null : firstDay + seconds * second);
  const recorded = jobs.flatMap(({ plan, createdAt, startedAt, endsAt, state }): RecordedJob[] => {
    if (startedAt === null) return [];
    lastId++;
    return [
      {
        id: lastId,
        name: plan.name,
        status: 'completed',
        conclusion: conclusions[state] ?? 'cancelled',
        createdAt: at(createdAt),
        startedAt: at(startedAt),
        completedAt: at(endsAt),
        labels: ['ubuntu-24.04'],
        runnerGroup: null,
        isTaken: state !== 'skipped',
        steps: [],
      },
    ];
  });
  const ends = recorded.map(({ completedAt }) => completedAt ?? 0);
  const minutes = recorded.map(({ startedAt, completedAt }) =>
    Math.ceil(((completedAt ?? 0) - (startedAt ?? 0)) / 60_000),
  );
  return {
    runId: lastId,
    attempt: 1,
    runNumber: lastId,
    workflowId: 7001,
    event: intent.event,
    headBranch: intent.branch,
    headSha: intent.sha,
    conclusion: recorded.some(({ conclusion }) => conclusion === 'failure') ? 'failure' : 'success',
    htmlUrl: '#',
    arrivedAt: firstDay + intent.at * second,
    endedAt: Math.max(firstDay + intent.at * second, ...ends),
    jobs: recorded,
    billedMinutes: minutes.reduce((sum, one) => sum + one, 0),
  };
}

/** A value around zero that remembers a part of the day before. */
function wanderer(random: RandomStream, memory: number, spread: number): () => number {
  let value = spread * normal(random);
  return () => {
    const before = value;
    value = memory * value + Math.sqrt(1 - memory ** 2) * spread * normal(random);
    return before;
  };
}

const share = (logit: number) => 1 / (1 + Math.exp(-logit));
const exponential = (random: RandomStream) => -Math.log(1 - random());
const normal = (random: RandomStream) => Math.sqrt(2 * exponential(random)) * Math.cos(2 * Math.PI * random());

function poisson(random: RandomStream, mean: number): number {
  let [count, product] = [0, random()];
  for (const limit = Math.exp(-mean); product > limit; count++) product *= random();
  return count;
}
