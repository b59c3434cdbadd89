import type { GroupBuild } from '../../../server/metrics/merge-queue/builds.ts';
import type { Stay } from '../../../server/metrics/merge-queue/history.ts';

/** A queue that merges in batches, in minutes from the begin of the world, a Monday at midnight. */
export interface QueueWorld {
  days: number;
  perHour: number;
  /** Hours in which the world is another one. */
  episodes: { fromHour: number; toHour: number; checks?: number; arrivals?: number; slots?: number }[];
}

interface Waiting {
  number: number;
  enteredAt: number;
  fails: boolean;
}

interface Build {
  members: Waiting[];
  startedAt: number;
  /** When its checks end. */
  ownEnd: number;
  /** When it and all before it have ended. */
  endsAt: number;
}

const batchSize = 5;
const parallel = 3;
const failing = 0.04;
const dayMinutes = 24 * 60;
const minuteMs = 60_000;

/** Ten hours a workday are busy; nights and weekends have a tenth of the arrivals. */
function rhythm(minute: number): number {
  const hour = (minute / 60) % 24;
  const isWeekend = Math.floor(minute / dayMinutes) % 7 >= 5;
  return !isWeekend && hour >= 8 && hour < 18 ? 1 : 0.1;
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** What happened in the world, stepped by the minute. */
export function simulateQueue(
  world: QueueWorld,
  random: () => number,
  begin = 0,
): { stays: Stay[]; builds: GroupBuild[] } {
  const queue: Waiting[] = [];
  let running: Build[] = [];
  const stays: Stay[] = [];
  const builds: GroupBuild[] = [];
  let number = 0;
  const note = (build: Build, until: number) =>
    builds.push(toBuild(build, begin, Math.min(build.ownEnd, until), build.ownEnd > until));
  for (let minute = 0; minute < world.days * dayMinutes; minute++) {
    const episode = world.episodes.find(({ fromHour, toHour }) => minute >= fromHour * 60 && minute < toHour * 60);
    const { checks = 1, arrivals = 1, slots = parallel } = episode ?? {};
    const chance = (world.perHour / 60) * rhythm(minute) * arrivals;
    for (let drawn = random(); drawn < chance; drawn += 1)
      queue.push({ number: ++number, enteredAt: minute + random(), fails: random() < failing });
    // The first group ends: it merges, or throws out who fails, and everything behind is built again.
    for (let [first] = running; first && first.endsAt <= minute; [first] = running) {
      const bad = first.members.filter(({ fails }) => fails);
      for (const one of bad.length > 0 ? bad : first.members) {
        stays.push(toStay(one, begin, first.endsAt));
        queue.splice(queue.indexOf(one), 1);
      }
      for (const build of bad.length > 0 ? running : [first]) note(build, minute);
      running = bad.length > 0 ? [] : running.slice(1);
    }
    const building = running.reduce((sum, { members }) => sum + members.length, 0);
    for (let at = building; at < queue.length && running.length < slots; at += batchSize) {
      const ownEnd = minute + 18 * checks * Math.exp(0.25 * normal(random));
      const endsAt = Math.max(running.at(-1)?.endsAt ?? 0, ownEnd);
      running.push({ members: queue.slice(at, at + batchSize), startedAt: minute, ownEnd, endsAt });
    }
  }
  for (const build of running) note(build, world.days * dayMinutes);
  for (const one of queue) stays.push(toStay(one, begin, null));
  return { stays: stays.sort((a, b) => (a.enteredAt ?? 0) - (b.enteredAt ?? 0)), builds };
}

function toStay(one: Waiting, begin: number, leftAt: number | null): Stay {
  const group = leftAt === null ? null : one.fails ? 'checks_failed' : 'merged';
  return {
    number: one.number,
    branch: 'main',
    htmlUrl: null,
    enteredAt: begin + one.enteredAt * minuteMs,
    leftAt: leftAt === null ? null : begin + leftAt * minuteMs,
    outcome: group === null ? 'open' : group === 'merged' ? 'merged' : 'removed',
    reason: group,
    group,
    isByBot: false,
    isInferred: false,
    source: 'timeline',
    headSha: null,
    mergeSha: null,
    parentSha: null,
    builds: [],
    attempts: [],
    isMergedUnchanged: null,
  };
}

function toBuild({ startedAt, members }: Build, begin: number, endedAt: number, isCancelled: boolean): GroupBuild {
  return {
    headBranch: '',
    headSha: '',
    branch: 'main',
    number: members.at(-1)?.number ?? null,
    baseSha: null,
    createdAt: begin + startedAt * minuteMs,
    spans: [{ from: begin + startedAt * minuteMs, to: begin + endedAt * minuteMs }],
    completedAt: begin + endedAt * minuteMs,
    result: isCancelled ? 'void' : members.some(({ fails }) => fails) ? 'fail' : 'pass',
    runs: [],
  };
}
