import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Clock } from '../../platform/clock.ts';
import { noteFreshUntil, noteRequested } from '../../platform/freshness.ts';
import { Problem } from '../../platform/problem.ts';
import { isStoredOnly, NotStored } from '../../platform/stored-only.ts';
import { currentLimits } from '../../platform/work-limits.ts';
import type { Copy, Memory } from '../client/cache.ts';
import { toPartProblem } from '../client/failures.ts';
import { nameKey, repositoryParams } from '../client/names.ts';
import { dependsOnSize, OverloadProblem } from '../client/part-errors.ts';
import { fallbackMs, longestStaleMs, type Read, transient } from '../client/reader.ts';
import type { PartError, Transport } from '../client/transport.ts';

export interface BatchOptions {
  transport: Transport;
  memory: Memory;
  tokenHash: string;
  clock: Clock;
  background: boolean;
}

/** Something that one GraphQL request reads of several repositories, each under an alias by its place: `r0`, `r1`. */
export interface BatchQuestion<T> {
  operation: string;
  /** Repositories in one request. */
  size: number;
  freshMs: number;
  /** The key of the cached copy of a repository. */
  toKey(name: RepositoryName): string;
  /** The query for these places, with the variables `owner0`, `name0` and so on. */
  buildQuery(places: readonly number[]): string;
  /** Reads the answer about one repository; the errors are those about it. */
  read(repository: unknown, errors: PartError[], name: RepositoryName): T | Problem;
  /** Of a name that the platform cannot have, which is not requested. */
  impossible(name: RepositoryName): T | Problem;
  /** Whether the answer is cached; by default always. */
  isCached?(value: T): boolean;
}

/** What was read by `nameKey`; a problem for what could not be read, which concerns no other repository. */
export type BatchRead<T> = Map<string, Read<T> | Problem>;

/** Reads something of many repositories, in batches; each repository is cached for itself. */
export function createBatches<T>(
  options: BatchOptions,
  question: BatchQuestion<T>,
): (names: readonly RepositoryName[]) => Promise<BatchRead<T>> {
  const { memory, tokenHash, clock } = options;
  return async (names) => {
    const wanted = [...new Map(names.map((name) => [nameKey(name), name])).values()];
    const copies: Found = new Map();
    for (const name of wanted) {
      const known = memory.get(tokenHash, question.toKey(name));
      if (known?.kind !== 'copy' || clock.now() >= known.freshUntil) continue;
      noteFreshUntil(known.freshUntil);
      copies.set(nameKey(name), known);
    }
    const missing = wanted.filter((name) => !copies.has(nameKey(name)));
    const batches = inBatches(missing, question.size);
    for (const read of await Promise.all(batches.map((batch) => readBatch(options, question, batch)))) {
      for (const [key, copy] of read) copies.set(key, copy);
    }
    return new Map(wanted.map((name) => [nameKey(name), asRead<T>(copies.get(nameKey(name)))]));
  };
}

/** By `nameKey`: a copy of what was just read, or why it could not be. */
type Found = Map<string, Copy | Problem>;

const asRead = <T>(copy: Copy | Problem | undefined): Read<T> | Problem => {
  if (copy === undefined) return unavailable();
  if (copy instanceof Problem) return copy;
  return { value: copy.value as T, stale: copy.stale, asOf: copy.checkedAt };
};

const inBatches = (names: RepositoryName[], size: number) =>
  Array.from({ length: Math.ceil(names.length / size) }, (_, index) => names.slice(index * size, (index + 1) * size));

async function readBatch<T>(
  options: BatchOptions,
  question: BatchQuestion<T>,
  names: RepositoryName[],
): Promise<Found> {
  const { memory, tokenHash, background } = options;
  if (isStoredOnly()) return new Map(names.map((name) => [nameKey(name), findOlder(options, question, name)]));
  const flight = `${background ? 'background ' : ''}${question.operation} ${names.map(nameKey).sort().join(' ')}`;
  return memory.shared(tokenHash, flight, async () => {
    const found: Found = new Map();
    const failure = await readShrinking(options, question, names, maxHalvings, { found, failures: 0 }).then(
      () => null,
      toTransientProblem,
    );
    const copies = names.map((name) => {
      const outcome = found.get(nameKey(name)) ?? failure ?? unavailable();
      return outcome instanceof Problem ? (olderCopy(options, question, name) ?? outcome) : outcome;
    });
    for (const [index, copy] of copies.entries()) {
      const name = names[index];
      if (!name || copy instanceof Problem || question.isCached?.(copy.value as T) === false) continue;
      memory.set(tokenHash, question.toKey(name), copy);
    }
    return new Map(names.map((name, index) => [nameKey(name), copies[index] ?? unavailable()]));
  });
}

const unavailable = () => new Problem('upstream_unavailable', 'GitHub did not return all repositories.');

/** A failure that leaves what was read before it as it is. */
function toTransientProblem(error: unknown): Problem {
  if (error instanceof Problem && transient.has(error.code)) return error;
  throw error;
}

function toCopy<T>({ clock }: BatchOptions, { freshMs }: BatchQuestion<T>, outcome: T | Problem): Copy | Problem {
  if (outcome instanceof Problem) return outcome;
  const checkedAt = clock.now();
  return { kind: 'copy', value: outcome, etag: null, checkedAt, stale: false, freshUntil: checkedAt + freshMs };
}

/** The fallback when the platform cannot be reached. */
function olderCopy<T>(
  { memory, tokenHash, clock }: BatchOptions,
  { toKey }: BatchQuestion<T>,
  name: RepositoryName,
): Copy | null {
  const now = clock.now();
  const known = memory.get(tokenHash, toKey(name));
  if (known?.kind !== 'copy' || now - known.checkedAt > longestStaleMs) return null;
  return { ...known, stale: true, freshUntil: now + fallbackMs };
}

/** The same for an answer that is not requested now. */
function findOlder<T>(options: BatchOptions, question: BatchQuestion<T>, name: RepositoryName): Copy {
  const copy = olderCopy(options, question, name);
  if (!copy) throw new NotStored('No copy is stored.');
  noteRequested();
  return copy;
}

const maxHalvings = 2;
/** After so many requests of a batch that the platform answered with nothing, it is not for one repository. */
const maxFailures = 4;

/** How far the requests of a batch have come. */
interface Progress {
  found: Found;
  failures: number;
}

/** Requests again, in halves, those that the platform gave up on. One that it never answers takes no other with it. */
async function readShrinking<T>(
  options: BatchOptions,
  question: BatchQuestion<T>,
  names: RepositoryName[],
  halvings: number,
  progress: Progress,
): Promise<void> {
  const { found } = progress;
  const { open, problem } = await requestBatch(options, question, names, found).catch((error: unknown) => {
    if (error instanceof OverloadProblem) return { open: names, problem: error };
    throw error;
  });
  if (open.length === 0) return;
  progress.failures += 1;
  if (names.length === 1 || halvings === 0 || !currentLimits().takeRetries(2)) {
    for (const name of open) found.set(nameKey(name), problem);
    return;
  }
  const middle = Math.ceil(open.length / 2);
  for (const half of [open.slice(0, middle), open.slice(middle)]) {
    if (half.length === 0) continue;
    if (isDown(progress)) for (const name of half) found.set(nameKey(name), problem);
    else await readShrinking(options, question, half, halvings - 1, progress);
  }
}

const isDown = ({ found, failures }: Progress) =>
  failures >= maxFailures && [...found.values()].every((one) => one instanceof Problem);

/** Puts what is reported into `found`; for `open` the platform gave up, as `problem` says. */
async function requestBatch<T>(
  options: BatchOptions,
  question: BatchQuestion<T>,
  names: RepositoryName[],
  found: Found,
): Promise<{ open: RepositoryName[]; problem: Problem }> {
  const requested = names.flatMap((name, place) => {
    const params = possibleParams(name);
    if (params === null) found.set(nameKey(name), toCopy(options, question, question.impossible(name)));
    return params === null ? [] : [{ name, place, params }];
  });
  if (requested.length === 0) return { open: [], problem: unavailable() };
  return options.transport.graphql({
    operation: question.operation,
    query: question.buildQuery(requested.map(({ place }) => place)),
    variables: Object.fromEntries(
      requested.flatMap(({ place, params }) => [
        [`owner${place}`, params.owner],
        [`name${place}`, params.repo],
      ]),
    ),
    // Several are requested in halves instead.
    retry: names.length === 1,
    read(data, errors) {
      const answered = answerSchema.parse(data);
      const open = requested.filter(({ name, place }) => {
        const own = errors.filter(({ path }) => path?.[0] === `r${place}`);
        if (!answered[`r${place}`] && own.some(dependsOnSize)) return true;
        found.set(nameKey(name), toCopy(options, question, question.read(answered[`r${place}`], own, name)));
        return false;
      });
      return { open: open.map(({ name }) => name), problem: toPartProblem(question.operation, errors) };
    },
  });
}

/** The answer by alias. */
const answerSchema = z.record(z.string(), z.unknown());

function possibleParams(name: RepositoryName) {
  try {
    return repositoryParams(name);
  } catch {
    return null;
  }
}
