import { z } from 'zod';
import { documentationPatterns } from '../../advisor/documentation-patterns.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import type { Freshness } from '../client/client.ts';
import {
  createConnectionSchema,
  type ListResult,
  pageInfoField,
  rateLimitCost,
  readPages,
} from '../client/graphql-pages.ts';
import { nameKey } from '../client/names.ts';
import { instant, integer } from '../client/wire.ts';
import {
  type DeliveryContext,
  minuteMs,
  repositoryIn,
  repositoryNameField,
  repositoryVariables,
} from '../delivery/context.ts';

/** A pull request by the files that it changes, none of whose paths are stored. */
export interface ReadChange {
  number: number;
  updatedAt: Instant;
  /** Its newest 50 commits. */
  shas: readonly string[];
  /** What it was merged as; null while it is not. */
  mergeSha: string | null;
  changedFiles: number;
  /** The patterns of documentation that its files match; null where one matches none, or there are more than 100. */
  patterns: readonly string[] | null;
}

export interface DocumentationReads {
  /**
   * The pull requests that were updated in the last 91 days, the newest update first, 300 at most, 25 in one request;
   * what has not changed since it was read is not requested again. `partial` where not all of them were read.
   */
  documentationChanges(name: RepositoryName): Promise<Pick<ListResult<ReadChange>, 'items' | 'partial'> & Freshness>;
}

export const createDocumentation = (context: DeliveryContext): DocumentationReads => ({
  async documentationChanges(name) {
    const key = `documentation ${nameKey(name)}`;
    const before = context.reader.recall<ChangeList>(key);
    const known = before?.isReadThrough ? before.items : [];
    const { value, stale, asOf } = await context.reader.remember({ key, freshMs: () => freshMs }, () =>
      requestChanges(context, name, { since: context.clock.now() - readDays * dayMs, known }),
    );
    return { items: value.items, partial: value.partial, stale, asOf };
  },
});

const freshMs = 15 * minuteMs;
const readDays = 91;
const [perRequest, mostRead, mostFiles] = [25, 300, 100];

interface ChangeList extends ListResult<ReadChange> {
  /** Whether no page failed, so that nothing is missing before the last of them; parts of some may be. */
  isReadThrough: boolean;
}

interface Wanted {
  since: Instant;
  known: readonly ReadChange[];
}

/** Reads on until what was read before has not changed since; what lies behind that is as it was. */
async function requestChanges(
  context: DeliveryContext,
  name: RepositoryName,
  { since, known }: Wanted,
): Promise<ChangeList> {
  const inRepository = repositoryIn(context, name, { pullRequests: createConnectionSchema(changeSchema) });
  const knownAs = new Map(known.map(({ number, updatedAt }) => [number, updatedAt]));
  const isKnown = ({ number, updatedAt }: ReadChange) => knownAs.get(number) === updatedAt;
  const isEnough = (items: readonly ReadChange[]) => items.some((one) => one.updatedAt < since || isKnown(one));
  let next: string | null = null;
  const read = await readPages(
    context.transport,
    {
      operation: 'changed files of pull requests',
      query,
      variables: repositoryVariables(name),
      first: perRequest,
      read(data, errors) {
        const page = inRepository(data, errors).pullRequests;
        next = page.next;
        return page;
      },
    },
    {
      maxItems: mostRead,
      identity: ({ number }) => number,
      enough: isEnough,
    },
  );
  const fresh = new Set(read.items.map(({ number }) => number));
  const before = read.items.some(isKnown) ? known.filter(({ number }) => !fresh.has(number)) : [];
  const items = [...read.items, ...before].filter(({ updatedAt }) => updatedAt >= since);
  const isReadThrough = next === null || isEnough(read.items) || read.items.length >= mostRead;
  return { ...read, items: items.slice(0, mostRead), isReadThrough };
}

const changeSchema = z
  .object({
    number: integer,
    updatedAt: instant,
    changedFiles: integer,
    mergeCommit: z.object({ oid: z.string() }).nullable(),
    files: z.object({ nodes: z.array(z.object({ path: z.string() }).nullable()).nullable() }).nullish(),
    commits: z.object({ nodes: z.array(z.object({ commit: z.object({ oid: z.string() }) }).nullable()).nullable() }),
  })
  .transform(({ mergeCommit, files, commits, ...one }): ReadChange => {
    const paths = (files?.nodes ?? []).flatMap((file) => file?.path ?? []);
    const isWhole = one.changedFiles <= mostFiles && paths.length === one.changedFiles;
    return {
      ...one,
      shas: (commits.nodes ?? []).flatMap((node) => node?.commit.oid ?? []),
      mergeSha: mergeCommit?.oid ?? null,
      patterns: isWhole ? documentationPatterns(paths) : null,
    };
  });

const query = `
query ChangedFiles($owner: String!, $name: String!, $first: Int!, $after: String) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    pullRequests(orderBy: { field: UPDATED_AT, direction: DESC }, first: $first, after: $after) {
      totalCount
      ${pageInfoField}
      nodes {
        number updatedAt changedFiles
        mergeCommit { oid }
        files(first: ${mostFiles}) { nodes { path } }
        commits(last: 50) { nodes { commit { oid } } }
      }
    }
  }
}`;
