import { z } from 'zod';
import type { HeadStatus, RepositoryName, RepositoryState } from '../metrics/facts.ts';
import type { Clock } from '../platform/clock.ts';
import { Problem } from '../platform/problem.ts';
import { currentLimits } from '../platform/work-limits.ts';
import type { Freshness } from './client.ts';
import { problemOfErrors } from './failures.ts';
import type { Copy, Memory } from './memory.ts';
import { nameKey, repositoryParams } from './names.ts';
import type { TokenPool } from './pool.ts';
import { readableItems } from './readable-items.ts';
import { longestStaleMs, passing, standInMs } from './reader.ts';
import { deniedErrors, dependsOnSize, OverloadProblem } from './refusals.ts';
import { noteName } from './repositories.ts';
import type { PartError, Transport } from './transport.ts';

interface StatesOptions {
  transport: Transport;
  memory: Memory;
  tokenHash: string;
  clock: Clock;
  pool: TokenPool;
  background: boolean;
}

/**
 * Reads head status and counts over GraphQL, 50 repositories a request, each kept for 5 minutes.
 * States carry the name they were asked for; a new name is told by `canonical`.
 */
export function createStates(options: StatesOptions): (names: readonly RepositoryName[]) => Promise<ReadState[]> {
  const { memory, tokenHash, clock } = options;
  return async (names) => {
    const asked = [...new Map(names.map((name) => [nameKey(name), name])).values()];
    const found = new Map<string, ReadState | null>();
    for (const name of asked) {
      const known = memory.get(tokenHash, stateKey(name));
      if (known?.kind === 'copy' && clock.now() < known.freshUntil) {
        found.set(nameKey(name), stateOf(known));
      }
    }
    const missing = asked.filter((name) => !found.has(nameKey(name)));
    for (const read of await Promise.all(inBatches(missing).map((batch) => readBatch(options, batch)))) {
      for (const [key, state] of read) found.set(key, state);
    }
    return asked.flatMap((name) => found.get(nameKey(name)) ?? []);
  };
}

type ReadState = RepositoryState & Freshness;
type Found = Map<string, RepositoryState | null>;
type Read = Map<string, ReadState | null>;

const stateOf = ({ value, stale, checkedAt }: Copy): ReadState | null =>
  value === null ? null : { ...(value as RepositoryState), stale, asOf: checkedAt };

const batchSize = 50;
const mostHalvings = 2;
const freshMs = 5 * 60_000;

const stateKey = (name: RepositoryName) => `state of ${nameKey(name)}`;

const inBatches = (names: RepositoryName[]) =>
  Array.from({ length: Math.ceil(names.length / batchSize) }, (_, index) =>
    names.slice(index * batchSize, (index + 1) * batchSize),
  );

async function readBatch(options: StatesOptions, names: RepositoryName[]): Promise<Read> {
  const { memory, tokenHash, background } = options;
  const flight = `${background ? 'background ' : ''}states ${names.map(nameKey).sort().join(' ')}`;
  return memory.shared(tokenHash, flight, async () => {
    const copies = await readShrinking(options, names, mostHalvings).then(
      (found) => copiesOf(options, names, found),
      (error: unknown) => olderCopies(options, names, error),
    );
    for (const [index, copy] of copies.entries()) {
      const name = names[index];
      if (name) memory.set(tokenHash, stateKey(name), copy);
    }
    return new Map(names.map((name, index) => [nameKey(name), copies[index] ? stateOf(copies[index]) : null]));
  });
}

function copiesOf({ clock, pool }: StatesOptions, names: RepositoryName[], found: Found): Copy[] {
  const checkedAt = clock.now();
  return names.map((name) => {
    const state = found.get(nameKey(name)) ?? null;
    if (state) noteName(pool, name, state);
    const value = state && { ...state, owner: name.owner, repo: name.repo };
    return { kind: 'copy', value, etag: null, checkedAt, stale: false, freshUntil: checkedAt + freshMs };
  });
}

/** Older copies stand in when the platform cannot be asked, if there is one of each. */
function olderCopies({ memory, tokenHash, clock }: StatesOptions, names: RepositoryName[], error: unknown): Copy[] {
  const now = clock.now();
  const copies = names.flatMap((name) => {
    const known = memory.get(tokenHash, stateKey(name));
    return known?.kind === 'copy' && now - known.checkedAt <= longestStaleMs ? known : [];
  });
  if (!(error instanceof Problem) || !passing.has(error.code) || copies.length < names.length) throw error;
  return copies.map((copy) => ({ ...copy, stale: true, freshUntil: now + standInMs }));
}

/** Asks again, in halves, for those that the platform gave up on. */
async function readShrinking(options: StatesOptions, names: RepositoryName[], halvings: number): Promise<Found> {
  const { found, open } = await askStates(options, names).catch((error: unknown) => {
    if (names.length === 1 || !(error instanceof OverloadProblem)) throw error;
    return { found: new Map() as Found, open: names };
  });
  if (open.length === 0) return found;
  if (halvings === 0 || !currentLimits().takeRetries(2)) {
    throw new Problem('upstream_unavailable', 'The platform could not answer for all repositories.');
  }
  const middle = Math.ceil(open.length / 2);
  for (const half of [open.slice(0, middle), open.slice(middle)]) {
    if (half.length === 0) continue;
    for (const [key, state] of await readShrinking(options, half, halvings - 1)) found.set(key, state);
  }
  return found;
}

async function askStates({ transport }: StatesOptions, names: RepositoryName[]) {
  const params = names.map(possibleParams);
  const found: Found = new Map();
  const aliases = names.map((_, index) => index).filter((index) => params[index] !== null);
  for (const [index, name] of names.entries()) if (params[index] === null) found.set(nameKey(name), null);
  if (aliases.length === 0) return { found, open: [] };
  const variables = Object.fromEntries(
    aliases.flatMap((index) => [
      [`owner${index}`, params[index]?.owner ?? ''],
      [`name${index}`, params[index]?.repo ?? ''],
    ]),
  );
  const operation = 'repository states';
  return transport.graphql({
    operation,
    query: statesQuery(aliases),
    variables,
    // Several are asked for in halves instead.
    retry: names.length === 1,
    read(data, errors) {
      const answered = answerSchema.parse(data);
      const open = aliases.filter((index) => {
        const name = names[index] as RepositoryName;
        const state = answered[`r${index}`];
        const own = errors.filter(({ path }) => path?.[0] === `r${index}`);
        if (!state && own.some(dependsOnSize)) return true;
        if (!state && own.some(({ type }) => !deniedErrors.has(type))) throw problemOfErrors(own);
        const { items, leftOut } = stateSchemas.parse(state ? [state] : []);
        transport.warnOfLeftOut(operation, leftOut);
        found.set(nameKey(name), items[0] ? toState(items[0], own) : null);
        return false;
      });
      return { found, open: open.map((index) => names[index] as RepositoryName) };
    },
  });
}

function possibleParams(name: RepositoryName) {
  try {
    return repositoryParams(name);
  } catch {
    return null;
  }
}

const statesQuery = (aliases: number[]) => `
query RepositoryStates(${aliases.map((index) => `$owner${index}: String!, $name${index}: String!`).join(', ')}) {
  rateLimit { cost limit remaining resetAt }
  ${aliases.map((index) => `r${index}: repository(owner: $owner${index}, name: $name${index}) { ...State }`).join('\n  ')}
}
fragment State on Repository {
  databaseId
  name
  owner { login }
  visibility
  isArchived
  isFork
  hasIssuesEnabled
  issues(states: OPEN) { totalCount }
  pullRequests(states: OPEN) { totalCount }
  defaultBranchRef { name target { ... on Commit { statusCheckRollup { state } } } }
  workflows: object(expression: "HEAD:.github/workflows") { ... on Tree { entries { name type } } }
}`;

const answerSchema = z.record(z.string(), z.unknown());

const count = z.object({ totalCount: z.number() }).nullish();

const stateSchema = z.object({
  databaseId: z.number(),
  name: z.string(),
  owner: z.object({ login: z.string() }),
  // What is not known to be public is not.
  visibility: z.enum(['PUBLIC', 'PRIVATE', 'INTERNAL']).catch('PRIVATE'),
  isArchived: z.boolean(),
  isFork: z.boolean(),
  hasIssuesEnabled: z.boolean(),
  issues: count,
  pullRequests: count,
  defaultBranchRef: z
    .object({
      name: z.string(),
      target: z.object({ statusCheckRollup: z.object({ state: z.string() }).nullish() }).nullish(),
    })
    .nullish(),
  workflows: z.object({ entries: z.array(z.object({ name: z.string(), type: z.string() })).nullish() }).nullish(),
});

const stateSchemas = readableItems(stateSchema);

function toState(wire: z.output<typeof stateSchema>, errors: PartError[]): RepositoryState {
  const files = wire.workflows?.entries?.filter(({ name, type }) => type === 'blob' && /\.ya?ml$/.test(name));
  const unreadable = errors.some(({ path }) => path[1] === 'workflows');
  return {
    id: wire.databaseId,
    owner: wire.owner.login,
    repo: wire.name,
    defaultBranch: wire.defaultBranchRef?.name ?? null,
    headStatus: headStatuses[wire.defaultBranchRef?.target?.statusCheckRollup?.state ?? ''] ?? null,
    visibility: visibilities[wire.visibility],
    archived: wire.isArchived,
    fork: wire.isFork,
    openIssues: wire.hasIssuesEnabled ? (wire.issues?.totalCount ?? null) : null,
    openPullRequests: wire.pullRequests?.totalCount ?? null,
    workflowFiles: unreadable ? null : (files?.length ?? 0),
  };
}

const headStatuses: Record<string, HeadStatus> = {
  SUCCESS: 'success',
  FAILURE: 'failure',
  ERROR: 'error',
  PENDING: 'pending',
  EXPECTED: 'pending',
};

const visibilities = { PUBLIC: 'public', PRIVATE: 'private', INTERNAL: 'internal' } as const;
