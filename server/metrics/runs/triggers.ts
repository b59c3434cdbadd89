import { getOutcome } from '../kernel/outcome.ts';
import { compareLogins, type People } from '../people/people.ts';
import type { Calendar } from '../people/workday-hours.ts';
import { latestAttempts, type MeasuredRun } from './workflow-runs.ts';

/** How many runs came to what. */
export interface OutcomeTally {
  runs: number;
  passed: number;
  failed: number;
  cancelled: number;
  /** Ended otherwise: skipped, neutral, waiting for an action. */
  other: number;
  running: number;
}

export function tallyOutcomes(runs: readonly MeasuredRun[]): OutcomeTally {
  const tally: OutcomeTally = { runs: runs.length, passed: 0, failed: 0, cancelled: 0, other: 0, running: 0 };
  for (const run of runs) tally[cameTo(run)] += 1;
  return tally;
}

/** The outcome of a run, with cancelled ones separate from the others that are void. */
export function cameTo(run: MeasuredRun): Exclude<keyof OutcomeTally, 'runs'> {
  const outcome = getOutcome(run);
  if (outcome === 'void') return run.conclusion === 'cancelled' ? 'cancelled' : 'other';
  return ({ pass: 'passed', fail: 'failed', running: 'running' } as const)[outcome];
}

export interface Triggers {
  events: (OutcomeTally & { event: string })[];
  branches: (OutcomeTally & { branch: string | null })[];
  /** By name, without how their runs ended; a deleted account is null, the timetable nobody. */
  actors: { login: string | null; isBot: boolean; runs: number }[];
  /** Started by the timetable. */
  scheduled: number;
  /** Runs by weekday of creation (0 = Sunday) and hour of the zone. */
  runHours: number[][];
}

/** What set off the runs of a workflow, each run by its latest attempt: events and branches by number, people by name. */
export function computeTriggers(attempts: readonly MeasuredRun[], calendar: Calendar, people: People): Triggers {
  const runs = latestAttempts(attempts);
  const ofSomebody = runs.filter(({ event }) => event !== 'schedule');
  return {
    events: tallies(runs, ({ event }) => event)
      .map(([event, tally]) => ({ event, ...tally }))
      .sort((a, b) => b.runs - a.runs || byText(a.event, b.event)),
    branches: tallies(runs, ({ headBranch }) => headBranch)
      .map(([branch, tally]) => ({ branch, ...tally }))
      .sort((a, b) => b.runs - a.runs || byText(a.branch ?? '', b.branch ?? '')),
    actors: countByActor(ofSomebody, people),
    scheduled: runs.length - ofSomebody.length,
    runHours: countByHour(runs, calendar),
  };
}

/** Runs created on a Saturday or Sunday of the zone. */
export function isOnWeekend({ createdAt }: MeasuredRun, calendar: Calendar): boolean {
  return [0, 6].includes(calendar.getWeekday(createdAt));
}

function tallies<Key>(runs: readonly MeasuredRun[], getKey: (run: MeasuredRun) => Key): [Key, OutcomeTally][] {
  return [...Map.groupBy(runs, getKey)].map(([key, own]) => [key, tallyOutcomes(own)]);
}

function countByActor(runs: readonly MeasuredRun[], people: People): Triggers['actors'] {
  const roster = people.roster(runs.map(({ actor }) => actor));
  return tallies(runs, ({ actor }) => (actor === null ? null : people.toKey(actor)))
    .map(([key, { runs: own }]) => {
      const person = key === null ? undefined : roster.get(key);
      return { login: person?.login ?? null, isBot: person?.isBot ?? false, runs: own };
    })
    .sort((a, b) => Number(a.isBot) - Number(b.isBot) || compareNames(a.login, b.login));
}

function countByHour(runs: readonly MeasuredRun[], calendar: Calendar): number[][] {
  const hours = Array.from({ length: 7 }, () => Array<number>(24).fill(0));
  for (const { createdAt } of runs) {
    const [day, hour] = [hours[calendar.getWeekday(createdAt)], calendar.getHour(createdAt)];
    if (day) day[hour] = (day[hour] ?? 0) + 1;
  }
  return hours;
}

/** Deleted accounts last. */
function compareNames(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareLogins(a, b);
}

const byText = (a: string, b: string) => Number(a > b) - Number(a < b);
