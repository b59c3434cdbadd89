import type { Instant, RepositoryName } from '../metrics/facts.ts';
import type { Clock } from '../platform/clock.ts';
import { Problem, type ProblemCode } from '../platform/problem.ts';
import type { Copy, Memory } from './memory.ts';
import type { RestQuestion, Transport } from './transport.ts';

/** A question whose answer may be kept. */
export interface Reading<T> extends RestQuestion<T> {
  /** The repository the route names; `learn` is told where a redirect led it. */
  repository?: RepositoryName;
  /** How long an answer is given again without asking; milliseconds. */
  freshMs(value: T, now: Instant): number;
  /** How long a refusal is given again without asking; 0 when not said. */
  refusedMs?: number;
  /** Whether an older copy may stand in when the platform cannot be asked. */
  staleIfError: boolean;
}

export interface Read<T> {
  value: T;
  stale: boolean;
  /** When the platform last said so. */
  asOf: Instant;
}

export interface Reader {
  /** Gives a fresh copy from memory, or asks the platform, conditionally where possible. */
  read<T>(reading: Reading<T>): Promise<Read<T>>;
}

interface ReaderOptions {
  transport: Transport;
  memory: Memory;
  tokenHash: string;
  clock: Clock;
  background: boolean;
  /** Told after each asked question that names a repository; null when it was not redirected. */
  learn(repository: RepositoryName, redirectedTo: string | null): Promise<void>;
}

export function createReader(options: ReaderOptions): Reader {
  const { transport, memory, tokenHash, clock, background } = options;
  return {
    async read<T>(reading: Reading<T>): Promise<Read<T>> {
      const key = transport.address(reading).toLowerCase();
      const known = memory.get(tokenHash, key);
      if (known && clock.now() < known.freshUntil) {
        if (known.kind === 'refused') throw known.problem;
        return asRead(known);
      }
      const copy = known?.kind === 'copy' ? known : null;
      // Background work is refused earlier, which must not reach a person who asks at the same time.
      const flight = background ? `background ${key}` : key;
      return memory.shared(tokenHash, flight, () => ask(options, reading, key, copy));
    },
  };
}

async function ask<T>(options: ReaderOptions, reading: Reading<T>, key: string, copy: Copy | null): Promise<Read<T>> {
  const { transport, memory, tokenHash, clock, learn } = options;
  try {
    const { fresh, redirectedTo } = await transport.rest(reading, copy?.etag);
    const now = clock.now();
    const { value, etag } = fresh ?? (copy as Copy & { value: T });
    const next: Copy = {
      kind: 'copy',
      value,
      etag,
      checkedAt: now,
      stale: false,
      freshUntil: now + reading.freshMs(value, now),
    };
    memory.set(tokenHash, key, next);
    if (reading.repository && fresh) await learn(reading.repository, redirectedTo);
    return asRead(next);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const standIn = afterRefusal(options, reading, key, copy, error);
    if (standIn) return asRead(standIn);
    throw error;
  }
}

/** The older copy that may stand in; otherwise forgets the copy, or remembers the refusal. */
function afterRefusal(
  { memory, tokenHash, clock }: ReaderOptions,
  { staleIfError, refusedMs }: Pick<Reading<unknown>, 'staleIfError' | 'refusedMs'>,
  key: string,
  copy: Copy | null,
  problem: Problem,
): Copy | null {
  const now = clock.now();
  if (passing.has(problem.code)) {
    if (!staleIfError || !copy || now - copy.checkedAt > longestStaleMs) return null;
    // For a moment nobody asks again, so that an outage does not make every page slow.
    const standIn: Copy = { ...copy, stale: true, freshUntil: now + standInMs };
    memory.set(tokenHash, key, standIn);
    return standIn;
  }
  memory.delete(tokenHash, key);
  if (refusedMs && problem.code !== 'unauthenticated') {
    memory.set(tokenHash, key, { kind: 'refused', problem, freshUntil: now + refusedMs });
  }
  return null;
}

/** Refusals that say nothing about the thing asked for, so that an older copy is still worth showing. */
const passing: ReadonlySet<ProblemCode> = new Set(['upstream_rate_limited', 'upstream_unavailable']);
const longestStaleMs = 24 * 3_600_000;
const standInMs = 10_000;

const asRead = <T>({ value, stale, checkedAt }: Copy): Read<T> => ({ value: value as T, stale, asOf: checkedAt });
