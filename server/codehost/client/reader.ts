import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Clock } from '../../platform/clock.ts';
import { noteFreshUntil, noteRequested } from '../../platform/freshness.ts';
import { Problem, type ProblemCode } from '../../platform/problem.ts';
import { isStoredOnly, NotStored } from '../../platform/stored-only.ts';
import type { Copy, Memory } from './cache.ts';
import type { RestQuestion, Transport } from './transport.ts';

/** A question whose answer may be cached. */
export interface Reading<T> extends RestQuestion<T> {
  /** The repository the route names; `recordRename` gets where a redirect led it. */
  repository?: RepositoryName;
  /** Distinguishes this reading from others of the same address that store another part of the answer. */
  part?: string;
  /** How long an answer is given again without a request; milliseconds. */
  freshMs(value: T, now: Instant): number;
  /** How long an error is given again without a request; by default 0. */
  errorTtlMs?: number;
  /** Whether an older copy may be the fallback when the platform cannot be reached. */
  staleIfError: boolean;
  /** true for what must be requested each time, though the answer is fresh for others. */
  always?: boolean;
}

export interface Read<T> {
  value: T;
  stale: boolean;
  /** When the platform last confirmed it. */
  asOf: Instant;
}

/** How an answer that takes any number of questions is stored. */
export interface CacheOptions<T> {
  /** What is requested; equal keys share one copy. */
  key: string;
  freshMs(value: T): number;
  /** true for what must be requested now, though the answer is fresh for others; no older copy is the fallback. */
  always?: boolean;
}

export interface Reader {
  /** Gives a fresh copy from memory, or requests it from the platform, conditionally where possible. */
  read<T>(reading: Reading<T>): Promise<Read<T>>;
  /**
   * Gives a fresh copy of what `request` gave before, or requests it anew; for GraphQL, which has no validators.
   * An older copy is the fallback when the platform cannot be reached.
   */
  remember<T>(options: CacheOptions<T>, request: () => Promise<T>): Promise<Read<T>>;
  /** A fresh copy of an answer of the platform's, without a request; null when there is none. */
  fresh<T>(reading: Reading<T>): T | null;
  /** What was remembered under a key, however old; null when nothing is. */
  recall<T>(key: string): T | null;
}

interface ReaderOptions {
  transport: Transport;
  memory: Memory;
  tokenHash: string;
  clock: Clock;
  background: boolean;
  /** Called after each question sent that names a repository; null when it was not redirected. */
  recordRename(repository: RepositoryName, redirectedTo: string | null): Promise<void>;
}

export function createReader(options: ReaderOptions): Reader {
  const { clock, memory, tokenHash } = options;
  return {
    recall<T>(key: string) {
      const known = memory.get(tokenHash, key);
      return known?.kind === 'copy' ? (known.value as T) : null;
    },
    fresh<T>(reading: Reading<T>) {
      const known = memory.get(tokenHash, toCacheKey(reading));
      return known?.kind === 'copy' && !known.stale && clock.now() < known.freshUntil ? (known.value as T) : null;
    },
    read: async <T>(reading: Reading<T>) =>
      readCached<T>(options, toCacheKey(reading), reading, (copy) => renew(options, reading, copy)),
    remember: <T>({ key, freshMs, always = false }: CacheOptions<T>, request: () => Promise<T>) =>
      readCached<T>(options, key, { staleIfError: !always, always }, async () => {
        const checkedAt = clock.now();
        const value = await request();
        const freshUntil = clock.now() + freshMs(value);
        return { kind: 'copy', value, etag: null, checkedAt, stale: false, freshUntil };
      }),
  };
}

/** Names of owners and repositories are the same in any case. */
const toCacheKey = ({ route, params, part = '' }: Reading<unknown>) =>
  `${`${route} ${JSON.stringify(params)}`.toLowerCase()} ${part}`;

type Terms = Pick<Reading<unknown>, 'staleIfError' | 'errorTtlMs' | 'always'>;
type Renewing = (copy: Copy | null) => Promise<Copy>;

async function readCached<T>(options: ReaderOptions, key: string, terms: Terms, renewing: Renewing): Promise<Read<T>> {
  const { memory, tokenHash, clock, background } = options;
  const known = memory.get(tokenHash, key);
  // A fallback copy is no answer to callers who must not be given an old one.
  const serves = known && (known.kind === 'error' || !known.stale || terms.staleIfError);
  if (serves && !terms.always && clock.now() < known.freshUntil) {
    noteFreshUntil(known.freshUntil);
    if (known.kind === 'error') throw known.problem;
    return asRead(known);
  }
  const copy = known?.kind === 'copy' ? known : null;
  if (isStoredOnly()) return asRead(findOlder(options, terms, copy));
  // Background work is rejected earlier, which must not reach a person who requests the same at the same time.
  // Nor must a fallback copy reach a caller who requires a current answer.
  const flight = `${background ? 'background ' : ''}${terms.always ? 'always ' : ''}${key}`;
  return memory.shared(tokenHash, flight, async () => {
    try {
      const next = await renewing(copy);
      memory.set(tokenHash, key, next);
      return asRead<T>(next);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const fallback = afterError(options, terms, key, copy, error);
      if (fallback) return asRead<T>(fallback);
      throw error;
    }
  });
}

/** What stands in for an answer that is not requested now: the copy that would be the fallback of one that failed. */
function findOlder({ clock }: ReaderOptions, terms: Terms, copy: Copy | null): Copy {
  if (!copy || terms.always || !isFallback(terms, copy, clock.now())) throw new NotStored('No copy is stored.');
  noteRequested();
  return { ...copy, stale: true };
}

const isFallback = ({ staleIfError }: Terms, { checkedAt }: Copy, now: Instant): boolean =>
  staleIfError && now - checkedAt <= longestStaleMs;

async function renew<T>(options: ReaderOptions, reading: Reading<T>, copy: Copy | null): Promise<Copy> {
  const { transport, clock, recordRename } = options;
  const { fresh, redirectedTo } = await transport.rest(reading, copy?.etag);
  const now = clock.now();
  const { value, etag } = fresh ?? (copy as Copy & { value: T });
  const freshUntil = now + reading.freshMs(value, now);
  if (reading.repository && fresh) await recordRename(reading.repository, redirectedTo);
  return { kind: 'copy', value, etag, checkedAt: now, stale: false, freshUntil };
}

/** The older copy as the fallback, where one is allowed; otherwise forgets the copy, or remembers the error. */
function afterError(
  { memory, tokenHash, clock }: ReaderOptions,
  terms: Terms,
  key: string,
  copy: Copy | null,
  problem: Problem,
): Copy | null {
  const now = clock.now();
  if (transient.has(problem.code)) {
    if (!copy || !isFallback(terms, copy, now)) return null;
    // For a moment nothing is requested again, so that an outage does not make every page slow.
    const fallback: Copy = { ...copy, stale: true, freshUntil: now + fallbackMs };
    memory.set(tokenHash, key, fallback);
    return fallback;
  }
  memory.delete(tokenHash, key);
  if (terms.errorTtlMs && problem.code !== 'unauthenticated') {
    memory.set(tokenHash, key, { kind: 'error', problem, freshUntil: now + terms.errorTtlMs });
  }
  return null;
}

/** Errors that reveal nothing about the thing requested, so that an older copy is still worth showing. */
export const transient: ReadonlySet<ProblemCode> = new Set(['upstream_rate_limited', 'upstream_unavailable']);
export const longestStaleMs = 24 * 3_600_000;
export const fallbackMs = 10_000;

const asRead = <T>({ value, stale, checkedAt }: Copy): Read<T> => ({ value: value as T, stale, asOf: checkedAt });
