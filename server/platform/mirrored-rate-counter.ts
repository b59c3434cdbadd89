import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { maxWindows, type RateCounter, type RateVerdict, verdictOn, younger } from './rate-limit.ts';

/** Accepted requests by their instants, in epoch milliseconds. */
export interface Hits {
  key: string;
  hits: readonly number[];
}

/** Counters that several processes share. */
export interface SharedRateCounter extends RateCounter {
  /** Adds requests that were accepted already. Answers all that are younger than the window, the oldest first. */
  merge(accepted: readonly Hits[], windowMs: number, now: number): Promise<Hits[]>;
}

export interface MirroredRateCounter extends RateCounter {
  /** Publishes to the other processes at once what they do not know yet, and reads what they accepted. */
  share(): Promise<void>;
}

interface Options {
  shared: SharedRateCounter;
  clock: Clock;
  log: Log;
}

interface Window {
  windowMs: number;
  /** What was accepted, here and elsewhere, as far as it is known. */
  known: number[];
  /** The part of it that is not published yet. */
  unshared: number[];
  /** The exchange with the others that is under way. */
  sharing: Promise<void> | null;
}

const shareEveryMs = 1000;
/** Up to this part of the limit a request is accepted locally; beyond it the shared counter decides. */
const halfway = 1 / 2;
/** So much of the limit is accepted between two exchanges with the others, at most. */
const unsharedPart = 1 / 20;

/**
 * A limit that all processes share without a question to the database for each request: a process counts by itself and
 * publishes to the others within a second; once half of the limit is used, every request is counted together. A process
 * that has not read the counts of the others yet lets through a twentieth of the limit too many, and does not do so
 * again before half of the limit has left the window. While the shared counter cannot be reached, each process counts
 * alone.
 */
export function mirroredRateCounter({ shared, clock, log }: Options): MirroredRateCounter {
  const { getWindow, shareNow, shareSoon, ...sharing } = exchange({ shared, clock, log });
  const alone = (key: string, limit: number, window: Window, now: number): RateVerdict => {
    const allowed = window.known.length < limit;
    if (allowed) {
      window.known.push(now);
      window.unshared.push(now);
      shareSoon(key);
    }
    return verdictOn(window.known, allowed, limit, window.windowMs, now);
  };
  const together = async (key: string, limit: number, window: Window, now: number): Promise<RateVerdict> => {
    const verdict = await shared.hit(key, limit, window.windowMs, now);
    if (verdict.allowed) window.known.push(now);
    else await shareNow([key]).catch(() => undefined);
    return verdict;
  };
  return {
    async hit(key, limit, windowMs, now) {
      const window = getWindow(key, windowMs, now);
      try {
        while (!isSettled(window, limit)) {
          if (window.unshared.length === 0) return await together(key, limit, window, now);
          await shareNow([key]);
        }
        return alone(key, limit, window, now);
      } catch (error) {
        log.warn({ err: error }, 'requests of a session are counted by this process alone');
        return alone(key, limit, window, now);
      }
    },
    async look(key, limit, windowMs, now) {
      const { known } = getWindow(key, windowMs, now);
      return verdictOn(known, known.length < limit, limit, windowMs, now);
    },
    ...sharing,
  };
}

/** Whether this process may decide by what it knows: there is plenty of room, or none. */
const isSettled = ({ known, unshared }: Window, limit: number) =>
  known.length >= limit || (known.length < limit * halfway && unshared.length < Math.floor(limit * unsharedPart));

interface Unsent extends Hits {
  window: Window;
}

/** What is known of each key, merged with the others' at most once a second. */
function exchange({ shared, clock, log }: Options) {
  const windows = new LRUCache<string, Window>({ maxSize: maxWindows, sizeCalculation: () => 1 });
  const unsentKeys = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const getWindow = (key: string, windowMs: number, now: number): Window => {
    const window = windows.get(key) ?? { windowMs, known: [], unshared: [], sharing: null };
    windows.set(key, window);
    window.known = younger(window.known, now - windowMs);
    return window;
  };
  const shareSoon = (key: string) => {
    unsentKeys.add(key);
    timer ??= setTimeout(share, shareEveryMs).unref();
  };
  const merge = async (unsent: readonly Unsent[]) => {
    const longest = Math.max(...unsent.map(({ window }) => window.windowMs));
    const merged = new Map((await shared.merge(unsent, longest, clock.now())).map(({ key, hits }) => [key, hits]));
    for (const { key, window, hits } of unsent) {
      window.unshared.splice(0, hits.length);
      window.known = [...(merged.get(key) ?? []), ...window.unshared].sort((a, b) => a - b);
      if (window.unshared.length > 0) shareSoon(key);
    }
  };
  const shareNow = async (keys: readonly string[]) => {
    const found = keys.flatMap((key) => ({ key, window: windows.get(key) }));
    const underWay = found.flatMap(({ window }) => window?.sharing ?? []);
    const idle = found.flatMap(({ key, window }) =>
      window && !window.sharing ? [{ key, window, hits: [...window.unshared] }] : [],
    );
    if (idle.length > 0) {
      const merging = merge(idle).finally(() => {
        for (const { window } of idle) window.sharing = null;
      });
      for (const { window } of idle) window.sharing = merging;
      underWay.push(merging);
    }
    await Promise.all(underWay);
  };
  const share = async () => {
    clearTimeout(timer);
    timer = undefined;
    const keys = [...unsentKeys];
    unsentKeys.clear();
    await shareNow(keys).catch((error: unknown) => {
      for (const key of keys) unsentKeys.add(key);
      log.warn({ err: error }, 'requests of sessions could not be published to other processes');
    });
  };
  return { getWindow, shareNow, shareSoon, share };
}
