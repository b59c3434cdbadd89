import { parseArgs } from 'node:util';
import { z } from 'zod';
import { addDays, createCalendar } from '../metrics/people/workday-hours.ts';
import type { Clock } from '../platform/clock.ts';
import { readSetting } from '../settings/setting.ts';
import { workday } from '../settings/workday.ts';
import type { Store } from '../store/orm.ts';
import { CommandRefused } from './command-refused.ts';

const usage =
  'Usage: npm run otlp:backfill -- --destination 1 --from 2026-09-01 --to 2026-11-01 [--repo owner/name] [--again]';

/**
 * Starts a backfill of traces, which the service then carries out; answers what it says about it.
 * @throws CommandRefused
 */
export async function startBackfill(args: readonly string[], store: Store, clock: Clock): Promise<string[]> {
  const { destination, from, to, repo, again } = readArguments(args);
  const calendar = createCalendar((await readSetting(workday, store)).value.timezone);
  const range = { from: calendar.getStart(from), to: calendar.getStart(addDays(to, 1)) };
  const request = { destinationId: destination, ...range, repo: repo?.toLowerCase() ?? null, again };
  const by = { actor: { id: null, login: 'otlp:backfill' }, requestId: null, now: clock.now() };
  const id = await store.otlpBackfills.start(request, by);
  const started = id === null ? null : await store.otlpBackfills.find(id);
  const found = await store.otlpDestinations.find(destination);
  if (found === null) throw new CommandRefused(`There is no destination ${destination}: its number is in Settings.`);
  if (started === null) throw new CommandRefused(`A backfill of ${found.name} is running: cancel it or wait.`);
  const { attempts, withJobs } = await store.otlpBackfills.stored(clock.now());
  return [
    `Sending ${started.total} attempts to ${found.name} while the service runs; Settings, Traces shows how far it is.`,
    `Of the ${attempts} attempts that are stored, ${withJobs} have jobs.`,
  ];
}

function readArguments(args: readonly string[]) {
  const string = { type: 'string' } as const;
  const options = { destination: string, from: string, to: string, repo: string, again: { type: 'boolean' } } as const;
  try {
    const { destination, from, to, repo, again = false } = parseArgs({ args: [...args], options }).values;
    if (/^\d{1,9}$/.test(destination ?? '') && isDay(from) && isDay(to) && from <= to)
      return { destination: Number(destination), from, to, repo, again };
  } catch {
    // An option that nobody knows, or one without its value.
  }
  throw new CommandRefused(usage);
}

const isDay = (text: string | undefined): text is string => z.iso.date().safeParse(text).success;
