import type { RepositoryName, RepositoryState } from '../../metrics/kernel/facts.ts';
import type { Clock } from '../../platform/clock.ts';
import { Problem } from '../../platform/problem.ts';
import { currentLimits } from '../../platform/work-limits.ts';
import type { Copy, Memory } from '../client/cache.ts';
import type { Freshness } from '../client/client.ts';
import { MissingFields, problemOfMissing } from '../client/failures.ts';
import { nameKey, repositoryParams } from '../client/names.ts';
import { deniedErrors, dependsOnSize, OverloadProblem } from '../client/part-errors.ts';
import type { TokenPool } from '../client/pool.ts';
import { fieldsIn } from '../client/readable-items.ts';
import { longestStaleMs, standInMs, transient } from '../client/reader.ts';
import type { PartError, Transport } from '../client/transport.ts';
import { noteName } from './repositories.ts';
import { answerSchema, stateSchema, statesQuery, toState } from './states-wire.ts';

interface StatesOptions {
  transport: Transport;
  memory: Memory;
  tokenHash: string;
  clock: Clock;
  pool: TokenPool;
  background: boolean;
}

/**
 * Reads head status and counts over GraphQL, 50 repositories a request, each cached for 5 minutes.
 * States carry the name of the request; `canonical` gives a new name. Those that cannot be read are left
 * out, and where no other was read, the reason is the error.
 */
export function createStates(options: StatesOptions): (names: readonly RepositoryName[]) => Promise<ReadState[]> {
  const { memory, tokenHash, clock } = options;
  return async (names) => {
    const wanted = [...new Map(names.map((name) => [nameKey(name), name])).values()];
    const copies = new Map<string, Copy | Problem>();
    for (const name of wanted) {
      const known = memory.get(tokenHash, stateKey(name));
      if (known?.kind === 'copy' && clock.now() < known.freshUntil) copies.set(nameKey(name), known);
    }
    const missing = wanted.filter((name) => !copies.has(nameKey(name)));
    for (const read of await Promise.all(inBatches(missing).map((batch) => readBatch(options, batch)))) {
      for (const [key, copy] of read) copies.set(key, copy);
    }
    const states = wanted.flatMap((name) => toReadState(copies.get(nameKey(name))) ?? []);
    const failure = [...copies.values()].find((one) => one instanceof Problem);
    if (failure && states.length === 0) throw failure;
    return states;
  };
}

type ReadState = RepositoryState & Freshness;
/** null for what the token cannot see, a problem for what could not be read. */
type Found = Map<string, RepositoryState | null | Problem>;

const toReadState = (copy: Copy | Problem | undefined): ReadState | null =>
  copy === undefined || copy instanceof Problem || copy.value === null
    ? null
    : { ...(copy.value as RepositoryState), stale: copy.stale, asOf: copy.checkedAt };

const batchSize = 50;
const maxHalvings = 2;
const freshMs = 5 * 60_000;

const stateKey = (name: RepositoryName) => `state of ${nameKey(name)}`;

const inBatches = (names: RepositoryName[]) =>
  Array.from({ length: Math.ceil(names.length / batchSize) }, (_, index) =>
    names.slice(index * batchSize, (index + 1) * batchSize),
  );

async function readBatch(options: StatesOptions, names: RepositoryName[]): Promise<Map<string, Copy | Problem>> {
  const { memory, tokenHash, background } = options;
  const flight = `${background ? 'background ' : ''}states ${names.map(nameKey).sort().join(' ')}`;
  return memory.shared(tokenHash, flight, async () => {
    const found: Found = new Map();
    const failure = await readShrinking(options, names, maxHalvings, found).then(unavailable, passingProblem);
    const copies = names.map((name) => {
      const outcome = found.get(nameKey(name));
      return outcome === undefined || outcome instanceof Problem
        ? (olderCopy(options, name) ?? outcome ?? failure)
        : toCopy(options, name, outcome);
    });
    for (const [index, copy] of copies.entries()) {
      const name = names[index];
      if (name && !(copy instanceof Problem)) memory.set(tokenHash, stateKey(name), copy);
    }
    return new Map(names.map((name, index) => [nameKey(name), copies[index] ?? unavailable()]));
  });
}

const unavailable = () => new Problem('upstream_unavailable', 'The platform could not answer for all repositories.');

/** A failure that leaves what was read before it as it is. */
function passingProblem(error: unknown): Problem {
  if (error instanceof Problem && transient.has(error.code)) return error;
  throw error;
}

function toCopy({ clock, pool }: StatesOptions, name: RepositoryName, state: RepositoryState | null): Copy {
  const checkedAt = clock.now();
  if (state) noteName(pool, name, state);
  const value = state && { ...state, owner: name.owner, repo: name.repo };
  return { kind: 'copy', value, etag: null, checkedAt, stale: false, freshUntil: checkedAt + freshMs };
}

/** What stands in when the platform cannot be reached. */
function olderCopy({ memory, tokenHash, clock }: StatesOptions, name: RepositoryName): Copy | null {
  const now = clock.now();
  const known = memory.get(tokenHash, stateKey(name));
  if (known?.kind !== 'copy' || now - known.checkedAt > longestStaleMs) return null;
  return { ...known, stale: true, freshUntil: now + standInMs };
}

/** Asks again, in halves, for those that the platform gave up on. */
async function readShrinking(
  options: StatesOptions,
  names: RepositoryName[],
  halvings: number,
  found: Found,
): Promise<void> {
  const open = await askStates(options, names, found).catch((error: unknown) => {
    if (names.length === 1 || !(error instanceof OverloadProblem)) throw error;
    return names;
  });
  if (open.length === 0) return;
  if (halvings === 0 || !currentLimits().takeRetries(2)) throw unavailable();
  const middle = Math.ceil(open.length / 2);
  for (const half of [open.slice(0, middle), open.slice(middle)]) {
    if (half.length > 0) await readShrinking(options, half, halvings - 1, found);
  }
}

/** Puts what is reported into `found`, and answers for which the platform gave up. */
async function askStates({ transport }: StatesOptions, names: RepositoryName[], found: Found) {
  const params = names.map(possibleParams);
  const aliases = names.map((_, index) => index).filter((index) => params[index] !== null);
  for (const [index, name] of names.entries()) if (params[index] === null) found.set(nameKey(name), null);
  if (aliases.length === 0) return [];
  const variables = Object.fromEntries(
    aliases.flatMap((index) => [
      [`owner${index}`, params[index]?.owner ?? ''],
      [`name${index}`, params[index]?.repo ?? ''],
    ]),
  );
  return transport.graphql({
    operation,
    query: statesQuery(aliases),
    variables,
    // Several are requested in halves instead.
    retry: names.length === 1,
    read(data, errors) {
      const answered = answerSchema.parse(data);
      const open = aliases.filter((index) => {
        const own = errors.filter(({ path }) => path?.[0] === `r${index}`);
        if (!answered[`r${index}`] && own.some(dependsOnSize)) return true;
        found.set(nameKey(names[index] as RepositoryName), stateIn(transport, answered[`r${index}`], own));
        return false;
      });
      return open.map((index) => names[index] as RepositoryName);
    },
  });
}

const operation = 'repository states';

/** One that cannot be read concerns no other. */
function stateIn(transport: Transport, state: unknown, errors: PartError[]): RepositoryState | null | Problem {
  if (!state && errors.length > 0 && errors.every(({ type }) => deniedErrors.has(type))) return null;
  const { data, error } = stateSchema.safeParse(state);
  if (data) return toState(data, errors);
  const fields = state ? fieldsIn([error]) : ['repository'];
  transport.warnOfExcluded(operation, { count: 1, fields });
  return problemOfMissing(operation, new MissingFields(fields, errors));
}

function possibleParams(name: RepositoryName) {
  try {
    return repositoryParams(name);
  } catch {
    return null;
  }
}
