import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';

/** What all clients with the same token share: places for running requests, the budget, learned names. */
export interface TokenPool {
  /** Runs `work` when one of the token's places is free. */
  inPlace<T>(work: () => Promise<T>): Promise<T>;
  /** Holds the token's requests back until this instant, which is so long from now; milliseconds. */
  hold(until: Instant, ms: number): void;
  /** Settles when no request is to be held back any more. */
  held(now: Instant): Promise<unknown>;
  budget: Budget;
  proof: Proof;
  /** New names of renamed repositories, by the key of the old name. */
  renamed: LRUCache<string, RepositoryName>;
}

/** What is left of a budget until it is full again. */
export interface Left {
  limit: number;
  remaining: number;
  resetAt: Instant;
}

/** What the platform last reported about the token's budget, per resource (`core`, `graphql`, `search`). */
export interface Budget {
  note(resource: string, left: Left): void;
  /** By resource, of those that were used. */
  known(): ReadonlyMap<string, Left>;
  /** No request is sent before this instant. */
  pause(until: Instant): void;
  /** Seconds to wait when the reserve is reached, null when there is room. */
  wait(resource: string, now: Instant, background: boolean): number | null;
}

/** Whether the platform should be called again if it still takes the token. */
export interface Proof {
  /** The platform took it just now, whatever was requested. */
  accept(now: Instant): void;
  /** It could not be reached: no use in trying again before this instant. */
  pause(until: Instant): void;
  /** It was rejected. */
  void(): void;
  isDue(now: Instant): boolean;
}

export const placesPerToken = 8;

/** How long the platform is believed that a token holds. */
export const cacheTtlMs = 300_000;

export const createTokenPool = (): TokenPool => ({
  inPlace: createPlaces(placesPerToken),
  ...createHold(),
  budget: createBudget(),
  proof: createProof(),
  renamed: new LRUCache<string, RepositoryName>({ maxSize: 1000, sizeCalculation: () => 1 }),
});

function createPlaces(places: number): TokenPool['inPlace'] {
  let taken = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (taken < places) taken += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place goes straight to the next in line, so that nobody can slip in between.
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    }
  };
}

function createHold(): Pick<TokenPool, 'hold' | 'held'> {
  let held: Promise<unknown> = Promise.resolve();
  let heldUntil: Instant = 0;
  return {
    hold(until, ms) {
      held = Promise.all([held, sleep(ms)]);
      heldUntil = Math.max(heldUntil, until);
    },
    held: async (now) => (now < heldUntil ? held : undefined),
  };
}

function createBudget(): Budget {
  const known = new Map<string, Left>();
  let pausedUntil: Instant = 0;
  return {
    note(resource, left) {
      const before = known.get(resource);
      // Answers overtake each other: within one window the lowest count is the newest.
      const remaining =
        before?.resetAt === left.resetAt && before.limit === left.limit
          ? Math.min(before.remaining, left.remaining)
          : left.remaining;
      known.set(resource, { ...left, remaining });
    },
    known: () => known,
    pause(until) {
      pausedUntil = Math.max(pausedUntil, until);
    },
    wait(resource, now, background) {
      if (now < pausedUntil) return secondsUntil(pausedUntil, now);
      const left = known.get(resource);
      if (!left || now >= left.resetAt || left.remaining >= reserve(left.limit, background)) return null;
      return secondsUntil(left.resetAt, now);
    },
  };
}

function createProof(): Proof {
  let dueAt: Instant = 0;
  const notBefore = (instant: Instant) => {
    dueAt = Math.max(dueAt, instant);
  };
  return {
    accept: (now) => notBefore(now + cacheTtlMs),
    pause: notBefore,
    void() {
      dueAt = 0;
    },
    isDue: (now) => now >= dueAt,
  };
}

/** Background work leaves a fifth to people; people leave 50 requests, or a tenth of a small budget. */
const reserve = (limit: number, background: boolean) => (background ? limit * 0.2 : Math.min(50, limit * 0.1));

const secondsUntil = (instant: Instant, now: Instant) => Math.max(1, Math.ceil((instant - now) / 1000));
