import type { RecordedAttempt, RecordedJob } from '../../server/advisor/history.ts';
import { reductionBand } from '../../server/advisor/replay/band.ts';
import { attemptMinutes, dayOf } from '../../server/advisor/replay/days.ts';
import { measureDays } from '../../server/advisor/verdict/measured-days.ts';
import { type Measure, unitsOf } from '../../server/advisor/verdict/measures.ts';
import { advance, beginVerdict, type Verdict } from '../../server/advisor/verdict/verdict.ts';
import { type RandomStream, randomStream } from '../../server/metrics/kernel/random-stream.ts';
import { firstDay } from './ci-worlds.ts';

/**
 * Worlds of pull requests whose runs a change of the file cancels once they are replaced, for trying verdicts: the days
 * before and after the merge, with the change doing what it promised, half of it, nothing, or the opposite, or with
 * something else that happens at the same time.
 */

export const afters = {
  'as promised': { effect: 1 },
  half: { effect: 0.5 },
  none: { effect: 0 },
  reversed: { effect: -1 },
  'none, twice the load': { effect: 0, load: 2 },
  'none, another mix': { effect: 0, weekend: 5, pushes: 2 },
  'none, faster work': { effect: 0, work: 0.75 },
} satisfies Record<string, After>;

interface After {
  /** Share of the replaced runs that are cancelled; below 0, that take as much longer. */
  effect: number;
  load?: number;
  weekend?: number;
  pushes?: number;
  work?: number;
}

interface World {
  seed: number;
  /** Updates of pull requests on a usual weekday. */
  perDay: number;
  after: After;
  /** Days after the merge. */
  days: number;
  /** The day after the merge from which on the change does nothing any more. */
  lostFrom?: number;
}

const day = 86_400_000;
const minute = 60_000;
const beforeDays = 90;
const start = firstDay + beforeDays * day;
const measures: Record<'own' | 'control', Measure> = {
  own: { per: 'update', workflowId: 7001, without: null },
  control: { per: 'passing job', workflowId: 7001, without: null },
};

/** The verdict of a world at each week after the merge; null where nothing is promised in it. */
export function tryVerdict(world: World): { promised: { low: number; high: number }; weeks: Verdict[] } | null {
  const attempts = drawAttempts(world);
  const measured = (which: 'own' | 'control', from: number, count: number) => {
    const days = Array.from({ length: count }, (_unused, index) => from + index * day);
    const within = attempts.filter(
      ({ recorded }) => recorded.arrivedAt >= from && recorded.arrivedAt < from + count * day,
    );
    const recorded = { attempts: within.map((one) => one.recorded), days, defaultBranch: 'main' };
    return measureDays(unitsOf(measures[which], recorded), days);
  };
  const promised = predict(attempts);
  if (promised === null) return null;
  let verdict = beginVerdict(start - 6 * 3_600_000, promised, {
    measure: measures.own,
    before: measured('own', firstDay, beforeDays),
    control: { measure: measures.control, before: measured('control', firstDay, beforeDays) },
  });
  const aftermath = { own: measured('own', start, world.days), control: measured('control', start, world.days) };
  const weeks = Array.from({ length: Math.floor(world.days / 7) }, (_unused, index) => {
    verdict = advance(verdict, aftermath, start + 7 * (index + 1) * day, [world.seed]);
    return verdict;
  });
  return { promised, weeks };
}

/** An attempt as it was recorded, and how many minutes less it would have taken with the change. */
interface Drawn {
  recorded: RecordedAttempt;
  saving: number;
}

function predict(attempts: readonly Drawn[]) {
  const byDay = Map.groupBy(attempts, ({ recorded }) => dayOf(recorded));
  const days = Array.from({ length: beforeDays }, (_unused, index) => {
    const own = byDay.get(firstDay + index * day) ?? [];
    const before = own.reduce((sum, { recorded }) => sum + attemptMinutes(recorded), 0);
    return { before, after: before - own.reduce((sum, { saving }) => sum + saving, 0) };
  });
  return reductionBand(days, ['promise']);
}

function drawAttempts({ seed, perDay, after, days, lostFrom }: World): Drawn[] {
  const random = randomStream('verdicts', seed);
  const [load, haste] = [wanderer(random, 0.3), wanderer(random, 0.5)];
  return Array.from({ length: beforeDays + days }, (_unused, index) => index).flatMap((index) => {
    const since = index - beforeDays;
    const isLost = lostFrom !== undefined && since >= lostFrom;
    const now: After = since < 0 ? { effect: 0 } : isLost ? { effect: 0 } : after;
    const weekend = index % 7 >= 5 ? 0.1 * (now.weekend ?? 1) : 1;
    const expected = perDay * weekend * (now.load ?? 1) * Math.exp(0.3 * load());
    const hurry = 1 / (1 + Math.exp(0.3 - 0.5 * haste()));
    return drawDay(random, { at: firstDay + index * day, expected, hurry, now });
  });
}

interface Day {
  at: number;
  expected: number;
  hurry: number;
  now: After;
}

let lastId = 0;

function drawDay(random: RandomStream, { at, expected, hurry, now }: Day): Drawn[] {
  const drawn: Drawn[] = [];
  // Each change has 1 / (1 - hurry) updates on average.
  for (let changes = poisson(random, expected * (1 - hurry)); changes > 0; changes--) {
    let clock = at + 8 * 60 * minute + random() * 9 * 60 * minute;
    const branch = `change-${++lastId}`;
    for (let isLast = false; !isLast; ) {
      isLast = random() >= hurry;
      const gap = minute - 6 * minute * Math.log(1 - random());
      drawn.push(
        drawRun(random, { event: 'pull_request', branch, clock, replacedAt: isLast ? null : clock + gap, now }),
      );
      clock += gap;
    }
    if (random() < 0.3 * (now.pushes ?? 1))
      drawn.push(drawRun(random, { event: 'push', branch: 'main', clock: clock + 60 * minute, replacedAt: null, now }));
  }
  return drawn;
}

interface Arrival {
  event: string;
  branch: string;
  clock: number;
  replacedAt: number | null;
  now: After;
}

function drawRun(random: RandomStream, { event, branch, clock, replacedAt, now }: Arrival): Drawn {
  const work = (minutes: number) => minutes * minute * (now.work ?? 1) * Math.exp(0.35 * normal(random));
  const lint = work(2);
  const [startedAt, endsAt] = [clock + lint, clock + lint + work(event === 'push' ? 14 : 10)];
  const cutAt = replacedAt !== null && replacedAt < endsAt ? Math.max(startedAt, replacedAt + 10_000) : null;
  const acts = cutAt !== null && random() < Math.abs(now.effect);
  const changed = cutAt === null ? endsAt : now.effect > 0 ? cutAt : 2 * endsAt - cutAt;
  const whole = aRun({ event, branch, clock }, [aJob('lint', clock, startedAt), aJob('test', startedAt, endsAt)]);
  const cut = aRun({ event, branch, clock }, [
    aJob('lint', clock, startedAt),
    aJob('test', startedAt, cutAt ?? endsAt),
  ]);
  const actual = acts
    ? aRun({ event, branch, clock }, [
        aJob('lint', clock, startedAt),
        { ...aJob('test', startedAt, changed), conclusion: now.effect > 0 ? 'cancelled' : 'success' },
      ])
    : whole;
  return { recorded: actual, saving: attemptMinutes(whole) - attemptMinutes(cut) };
}

function aJob(name: string, startedAt: number, completedAt: number): RecordedJob {
  const times = { createdAt: startedAt, startedAt, completedAt };
  const state = { status: 'completed', conclusion: 'success' } as const;
  return {
    id: ++lastId,
    name,
    ...state,
    ...times,
    labels: ['ubuntu-24.04'],
    runnerGroup: null,
    isTaken: true,
    steps: [],
  };
}

function aRun(
  { event, branch, clock }: Pick<Arrival, 'event' | 'branch' | 'clock'>,
  jobs: RecordedJob[],
): RecordedAttempt {
  lastId++;
  return {
    runId: lastId,
    attempt: 1,
    runNumber: lastId,
    workflowId: 7001,
    event,
    headBranch: branch,
    headSha: `sha-${lastId}`,
    conclusion: 'success',
    htmlUrl: '',
    arrivedAt: clock,
    endedAt: Math.max(...jobs.map(({ completedAt }) => completedAt ?? 0)),
    jobs,
    billedMinutes: null,
  };
}

const normal = (random: RandomStream) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Values around 0 of deviation 1, each of which follows the one before it. */
function wanderer(random: RandomStream, memory: number): () => number {
  let value = normal(random);
  return () => (value = memory * value + Math.sqrt(1 - memory ** 2) * normal(random));
}

function poisson(random: RandomStream, expected: number): number {
  let count = 0;
  for (let left = Math.exp(-expected), product = random(); product > left; product *= random()) count++;
  return count;
}
