import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import type { Freshness } from '../client/client.ts';
import { MissingFields, toMissingProblem } from '../client/failures.ts';
import { nameKey } from '../client/names.ts';
import { deniedErrors } from '../client/part-errors.ts';
import type { TokenPool } from '../client/pool.ts';
import { fieldsIn } from '../client/readable-items.ts';
import type { PartError, Transport } from '../client/transport.ts';
import { type BatchOptions, createBatches } from './batches.ts';
import { noteName } from './repositories.ts';
import { operation, type ReadState, stateSchema, statesQuery, toState } from './states-wire.ts';

interface StatesOptions extends BatchOptions {
  pool: TokenPool;
}

/**
 * Reads head status and counts over GraphQL, 50 repositories a request, each cached for 5 minutes.
 * States carry the name of the request; `canonical` gives a new name. Those that cannot be read are left
 * out, and where no other was read, the reason is the error.
 */
export function createStates(
  options: StatesOptions,
): (names: readonly RepositoryName[]) => Promise<(ReadState & Freshness)[]> {
  const { transport, pool } = options;
  const readStates = createBatches<ReadState | null>(options, {
    operation,
    size: 50,
    freshMs: 5 * 60_000,
    toKey: (name) => `state of ${nameKey(name)}`,
    buildQuery: statesQuery,
    read: (wire, errors, name) => stateIn(transport, pool, wire, errors, name),
    impossible: () => null,
  });
  return async (names) => {
    const read = [...(await readStates(names)).values()];
    const states = read.flatMap((one): (ReadState & Freshness)[] => {
      if (one instanceof Problem || one.value === null) return [];
      return [{ ...one.value, stale: one.stale, asOf: one.asOf }];
    });
    const failure = read.find((one) => one instanceof Problem);
    if (failure && states.length === 0) throw failure;
    return states;
  };
}

/** One that cannot be read concerns no other; null is one that the token cannot see. */
function stateIn(
  transport: Transport,
  pool: TokenPool,
  wire: unknown,
  errors: PartError[],
  name: RepositoryName,
): ReadState | null | Problem {
  if (!wire && errors.length > 0 && errors.every(({ type }) => deniedErrors.has(type))) return null;
  const { data, error } = stateSchema.safeParse(wire);
  if (data) {
    const state = toState(data, errors);
    noteName(pool, name, state);
    return { ...state, owner: name.owner, repo: name.repo };
  }
  const fields = wire ? fieldsIn([error]) : ['repository'];
  transport.warnExcluded(operation, { count: 1, fields });
  return toMissingProblem(operation, new MissingFields(fields, errors));
}
