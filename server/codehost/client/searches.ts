import { z } from 'zod';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Problem } from '../../platform/problem.ts';
import {
  type DeliveryContext,
  isoSeconds,
  repositoryIn,
  repositoryNameField,
  repositoryVariables,
} from '../delivery/context.ts';
import { unreadableFields } from './failures.ts';
import {
  createConnectionSchema,
  createPageReader,
  type GraphqlPage,
  type ListResult,
  maxPages,
  type PagedQuestion,
  type PageReader,
  pageInfoField,
  rateLimitCost,
} from './graphql-pages.ts';
import { isUnavailable } from './part-errors.ts';
import { describePartial, type Excluded, mergeExcluded } from './readable-items.ts';

/** A search whose results have `identity`, sliced by a range of times. */
export interface WindowSearch<T> {
  /** The question for one range, as the search writes it. */
  question(range: string): PagedQuestion<T>;
  identity(item: T): string | number;
  /** The time that the range is of. */
  at(item: T): Instant;
  from: Instant;
  to: Instant;
}

export interface Sliced<T> extends ListResult<T> {
  /** In how many parts the window was read. */
  slices: number;
  /** Whether a part got no answer, so that it is worth requesting again soon. */
  unanswered: boolean;
}

/**
 * Reads all results of a window. The platform ends a search at 1,000: where there are more, the window is read
 * in halves, newest first, up to 2,000 results, so that all from the oldest one on are there. Throws where there are
 * results and none of them could be read.
 */
export async function searchWindow<T>({ transport }: DeliveryContext, search: WindowSearch<T>): Promise<Sliced<T>> {
  const found = new Map<string | number, T>();
  const outcome = {
    totalCount: null as number | null,
    capped: false,
    partial: false,
    slices: 0,
    excluded: null as Excluded | null,
    unread: null as Excluded | null,
    unreadable: null as Problem | null,
    failure: null as Problem | null,
  };
  let pagesLeft = maxPages(maxResults, pageSize);
  const counted = (readPage: PageReader<T>) => async (after: string | null) => {
    if (pagesLeft === 0) throw unreadableFields(search.question('').operation, ['search.pageInfo']);
    pagesLeft -= 1;
    return readPage(after);
  };
  const readSlice = async (from: Instant, to: Instant): Promise<void> => {
    if (found.size >= maxResults) {
      outcome.capped = true;
      return;
    }
    const readPage = counted(createPageReader(transport, search.question(`${isoSeconds(from)}..${isoSeconds(to)}`)));
    let page = await readPage(null);
    outcome.totalCount ??= page.totalCount;
    const tooMany = (page.totalCount ?? 0) > maxPerSearch;
    if (tooMany && to - from >= 2 * secondMs) {
      const middle = Math.floor((from + to) / 2 / secondMs) * secondMs;
      await inspected(readSlice(middle + secondMs, to), outcome);
      await inspected(readSlice(from, middle), outcome);
      return;
    }
    outcome.slices += 1;
    outcome.partial ||= tooMany;
    for (;;) {
      outcome.partial ||= page.partial;
      outcome.excluded = mergeExcluded([outcome, page]);
      outcome.unread = mergeExcluded([{ excluded: outcome.unread }, { excluded: page.unread }]);
      outcome.unreadable ??= page.unreadable;
      for (const item of page.items) found.set(search.identity(item), item);
      if (page.next === null) return;
      page = await readPage(page.next);
    }
  };
  await inspected(readSlice(floorSecond(search.from), floorSecond(search.to) + secondMs), outcome);
  const { totalCount, slices, failure, excluded, unread } = outcome;
  const problem = failure ?? outcome.unreadable;
  if (problem && found.size === 0) throw problem;
  const hasGaps = outcome.partial || failure !== null || excluded !== null;
  const isTruncated = outcome.capped || found.size > maxResults;
  const items = [...found.values()].sort((a, b) => search.at(b) - search.at(a)).slice(0, maxResults);
  const unanswered = failure !== null;
  const partialReason = describePartial(search.question('').operation, excluded, unread);
  return {
    items,
    totalCount,
    slices,
    partial: hasGaps || isTruncated,
    partialReason,
    capped: isTruncated && !hasGaps,
    unanswered,
  };
}

/** Requests the results of `terms` in one repository; `fields` names a fragment for a result. */
export function searchQuestion<S extends z.ZodType>(
  context: DeliveryContext,
  { operation, terms, name, fragment, fields, item, lacks }: SearchOf<S>,
): PagedQuestion<z.output<S>> {
  const page = createConnectionSchema(item);
  const schema = z.object({ search: page });
  const about = name ? repositoryIn(context, name, {}) : null;
  const [declared, selection] = name
    ? [', $owner: String!, $name: String!', `repository(owner: $owner, name: $name) { ${repositoryNameField} }`]
    : ['', ''];
  return {
    operation,
    query: `
query Search($terms: String!, $first: Int!, $after: String${declared}) {
  ${rateLimitCost}
  ${selection}
  search(query: $terms, type: ISSUE, first: $first, after: $after) {
    issueCount
    ${pageInfoField}
    nodes { ${fields} }
  }
}
${fragment}`,
    variables: { terms, ...(name ? repositoryVariables(name) : {}) },
    first: pageSize,
    lacks,
    read(data, errors): GraphqlPage<z.output<S>> {
      // Results of a repository the token cannot see are none, so it is requested too.
      about?.(data, errors);
      return schema.parse(data).search;
    },
  };
}

interface SearchOf<S> {
  operation: string;
  terms: string;
  name: RepositoryName | null;
  fragment: string;
  fields: string;
  item: S;
  lacks: NonNullable<PagedQuestion<z.output<S>>['lacks']>;
}

/** A part that the platform gave no answer for leaves the list incomplete. */
async function inspected(slice: Promise<void>, outcome: { failure: Problem | null }): Promise<void> {
  try {
    await slice;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    outcome.failure = error;
  }
}

/** Results carry lists of their own. */
const pageSize = 50;
const maxPerSearch = 1000;
const maxResults = 2000;
const secondMs = 1000;
const floorSecond = (instant: Instant) => Math.floor(instant / secondMs) * secondMs;
