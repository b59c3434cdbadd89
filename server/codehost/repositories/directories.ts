import { z } from 'zod';
import type { Commit } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Listing } from '../client/client.ts';
import { MissingFields } from '../client/failures.ts';
import { createConnectionSchema, pageInfoField, rateLimitCost, requestAll } from '../client/graphql-pages.ts';
import { nameKey } from '../client/names.ts';
import { inHalves } from '../client/shrinking.ts';
import type { CommitDirectories } from '../delivery/client.ts';
import {
  type DeliveryContext,
  fromSecond,
  isoSeconds,
  minuteMs,
  repositoryIn,
  repositoryNameField,
  repositoryVariables,
  toStartOfDay,
} from '../delivery/context.ts';
import type { CommitsUntilNow } from './commits.ts';
import { type TrackedPath, trackedPaths } from './tracked-paths.ts';

interface DirectoryRequest {
  name: RepositoryName;
  since: Instant;
  maxEntries: number;
  below: string;
}

/**
 * Finds which directories commits touched. The platform gives no list of files with a history, so the history of
 * each directory of today's tree is requested, and of the files that lie beside directories.
 */
export async function readDirectories(
  context: DeliveryContext,
  history: CommitsUntilNow,
  { name, since, maxEntries, below }: DirectoryRequest,
): Promise<CommitDirectories> {
  const { value, stale, asOf } = await context.reader.remember(
    {
      key: `directories ${nameKey(name)} ${toStartOfDay(since)} ${maxEntries} ${below}`,
      freshMs: (result) => freshMs(result.unanswered),
    },
    async () => {
      const commits = await history(name, since, maxEntries);
      if (commits.items.length === 0)
        return { commits, touched: [], known: [], partial: false, unanswered: hasGaps(commits, maxEntries) };
      const { paths, ignored, complete } = await readPaths(context, name, below);
      const span = {
        since: fromSecond(since),
        until: isoSeconds(context.clock.now()),
        maxEntries: commits.items.length,
      };
      const found = await readHistories(context, name, paths, span);
      const placed = commits.items.map(({ sha }): [string, string[]] => [sha, listDirectories(sha, paths, found.shas)]);
      const unplaced = placed.flatMap(([sha, directories]) => (directories.length === 0 ? sha : []));
      const wrote = commits.items.filter(({ sha, additions }) => unplaced.includes(sha) && additions !== 0);
      const gone = below === '' ? await writtenElsewhere(context, name, wrote, ignored, span) : new Set<string>();
      const touched = placed.filter(([sha]) => !gone.has(sha));
      const known = [...new Set(paths.map(({ directory }) => directory))];
      return {
        commits,
        touched,
        known,
        partial: !complete || !found.complete,
        unanswered: !found.complete || hasGaps(commits, maxEntries),
      };
    },
  );
  const { commits, touched, known, partial, unanswered } = value;
  return {
    ...commits,
    touched: new Map(touched),
    known,
    undecided: partial,
    unanswered,
    stale,
    asOf: Math.min(asOf, commits.asOf),
  };
}

/** What an outage interrupted is soon requested again. */
const freshMs = (unanswered: boolean) => (unanswered ? 1 : 6 * 60) * minuteMs;

const hasGaps = ({ partial, items }: Listing<Commit>, maxEntries: number) => partial && items.length < maxEntries;

const listDirectories = (sha: string, paths: TrackedPath[], shas: Map<string, Set<string>>) => [
  ...new Set(paths.filter(({ path }) => shas.get(path)?.has(sha)).map(({ directory }) => directory)),
];

/**
 * The commits that wrote to no path of today, tracked or ignored: their files were moved or deleted since, and the
 * platform does not report which. At most 20 ignored paths are requested.
 */
async function writtenElsewhere(
  context: DeliveryContext,
  name: RepositoryName,
  commits: readonly Commit[],
  ignored: readonly TrackedPath[],
  span: Span,
): Promise<Set<string>> {
  if (commits.length === 0) return new Set();
  const { shas } = await readHistories(context, name, ignored.slice(0, pathsPerRequest), span);
  const inIgnored = new Set([...shas.values()].flatMap((ofPath) => [...ofPath]));
  return new Set(commits.flatMap(({ sha }) => (inIgnored.has(sha) ? [] : sha)));
}

async function readPaths(context: DeliveryContext, name: RepositoryName, below: string) {
  const inRepository = repositoryIn(context, name, { object: z.object({ entries }).partial().nullish() });
  const inner = below === '' ? 'object { ... on Tree { entries { name type } } }' : '';
  const tree = await requestAll(context.transport, {
    operation: 'directories',
    query: `
query Directories($owner: String!, $name: String!, $tree: String!) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    object(expression: $tree) { ... on Tree { entries { name type ${inner} } } }
  }
}`,
    variables: { ...repositoryVariables(name), tree: `HEAD:${below}` },
    read(data, errors) {
      const { object } = inRepository(data, errors);
      if (errors.some(({ path }) => path?.includes('object'))) throw new MissingFields(['repository.object'], errors);
      return object?.entries ?? [];
    },
  });
  return trackedPaths(tree, below);
}

const entry = z.object({ name: z.string(), type: z.string() });
const entries = z.array(entry.extend({ object: z.object({ entries: z.array(entry).nullish() }).nullish() })).nullish();

interface Histories {
  shas: Map<string, Set<string>>;
  complete: boolean;
}

/** Both ends as they are requested from the platform. */
interface Span {
  since: string;
  until: string;
  maxEntries: number;
}

/** The commits of each path, 20 paths a request; the pages after the first only for those that have them. */
async function readHistories(context: DeliveryContext, name: RepositoryName, paths: TrackedPath[], span: Span) {
  const found: Histories = { shas: new Map(), complete: true };
  let open: OpenPath[] = paths.map(({ path }) => ({ path, after: null }));
  for (let page = 0; page * 100 < span.maxEntries && open.length > 0; page++) {
    const requestPart = (part: readonly OpenPath[]) => requestHistories(context, name, part, span);
    const batches = inBatches(open).map((batch) => inHalves(batch, requestPart, unanswered));
    const answers = (await Promise.all(batches)).flat();
    for (const { path, shas } of answers) {
      found.shas.set(path, new Set([...(found.shas.get(path) ?? []), ...(shas ?? [])]));
      if (shas === null) found.complete = false;
    }
    open = answers.flatMap(({ path, next }) => (next === null ? [] : { path, after: next }));
  }
  return found;
}

interface OpenPath {
  path: string;
  after: string | null;
}

interface PathPage {
  path: string;
  /** null when the platform gave no answer. */
  shas: string[] | null;
  next: string | null;
}

const pathsPerRequest = 20;

const inBatches = (open: OpenPath[]) =>
  Array.from({ length: Math.ceil(open.length / pathsPerRequest) }, (_, index) =>
    open.slice(index * pathsPerRequest, (index + 1) * pathsPerRequest),
  );

const unanswered = (part: readonly OpenPath[]): PathPage[] =>
  part.map(({ path }) => ({ path, shas: null, next: null }));

async function requestHistories(
  context: DeliveryContext,
  name: RepositoryName,
  batch: readonly OpenPath[],
  span: Span,
) {
  const history = createConnectionSchema(z.object({ oid: z.string() }));
  const target = z.record(z.string(), z.unknown());
  const inRepository = repositoryIn(context, name, {
    defaultBranchRef: z.object({ target: target.nullish() }).nullish(),
  });
  const declared = batch.map((_, index) => `, $path${index}: String!, $after${index}: String`).join('');
  const fields = batch.map(
    (_, index) =>
      `h${index}: history(since: $since, until: $until, path: $path${index}, first: 100, after: $after${index}) { ...Shas }`,
  );
  return context.transport.graphql<PathPage[]>({
    operation: 'commits of directories',
    query: `
query CommitsOfDirectories($owner: String!, $name: String!, $since: GitTimestamp!, $until: GitTimestamp!${declared}) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    defaultBranchRef { target { ... on Commit {
      ${fields.join('\n      ')}
    } } }
  }
}
fragment Shas on CommitHistoryConnection { ${pageInfoField} nodes { oid } }`,
    variables: Object.assign(
      { ...repositoryVariables(name), since: span.since, until: span.until },
      ...batch.map(({ path, after }, index) => ({ [`path${index}`]: path, [`after${index}`]: after })),
    ),
    retry: false,
    read(data, errors) {
      const answered = inRepository(data, errors).defaultBranchRef?.target ?? {};
      return batch.map(({ path }, index) => {
        const page = history.nullish().parse(answered[`h${index}`]);
        return {
          path,
          shas: page && !page.excluded ? page.items.map(({ oid }) => oid) : null,
          next: page?.next ?? null,
        };
      });
    },
  });
}
