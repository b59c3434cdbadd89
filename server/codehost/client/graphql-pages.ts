import { z } from 'zod';
import type { Problem } from '../../platform/problem.ts';
import { currentLimits } from '../../platform/work-limits.ts';
import { problemOfUnreadItems } from './failures.ts';
import { dependsOnSize, isUnavailable } from './part-errors.ts';
import {
  describePartial,
  type Excluded,
  mergeExcluded,
  type ReadableItems,
  readableItems,
  unreadAt,
} from './readable-items.ts';
import type { Read } from './reader.ts';
import { createShrinking } from './shrinking.ts';
import type { GraphqlQuestion, PartError, Transport } from './transport.ts';
import { markUnreadFields } from './unread-fields.ts';
import { maybeCount } from './wire.ts';

/** One page of a GraphQL list. */
export interface GraphqlPage<T> extends ReadableItems<T> {
  totalCount: number | null;
  /** Where the next page begins; null after the last. */
  next: string | null;
}

/** A list that is requested in pages: its query has `$first` and `$after`. */
export interface PagedQuestion<T> extends Omit<GraphqlQuestion<GraphqlPage<T>>, 'retry'> {
  /** Items of a page; fewer while the platform gives up on so many. */
  first: number;
  /** Parts that an item lacks, as the platform names them, whether or not it gave an error for them. */
  lacks?(item: NoInfer<T>): readonly string[];
}

/** What is stored of a list. */
export interface ListResult<T> {
  items: T[];
  partial: boolean;
  /** true when it is partial because a cap ended the reading, and for no other reason. */
  capped: boolean;
  /** true when an answer did not come, so that a later question may bring more. */
  unanswered?: boolean;
  /** See `Listing`. */
  partialReason?: string | undefined;
  totalCount: number | null;
}

interface Limits<T> {
  /** Items to read at most. */
  maxItems: number;
  /** Whether what was read is all that is wanted. */
  enough?(items: T[]): boolean;
  identity(item: T): string | number;
}

/**
 * Reads page after page until the end, until it is enough, or up to a number of items. What was read is returned when the
 * platform gives no more: then it is partial. Throws where there are items and none of them could be read: an empty list
 * would mean that there are none.
 */
export async function readPages<T>(
  transport: Transport,
  question: PagedQuestion<T>,
  limits: Limits<T>,
): Promise<ListResult<T>> {
  const { unreadable, ...list } = await readUntilEnough(createPageReader(transport, question), question, limits);
  if (unreadable && list.items.length === 0) throw unreadable;
  return list;
}

async function readUntilEnough<T>(
  readPage: PageReader<T>,
  { operation, first: pageSize }: PagedQuestion<T>,
  { maxItems, enough, identity }: Limits<T>,
): Promise<ListResult<T> & Pick<PartialPage<T>, 'unreadable'>> {
  const found = new Map<string | number, T>();
  const first = await readPage(null);
  const { totalCount } = first;
  let { partial, unreadable } = first;
  let unanswered = first.partial;
  let excluded: Excluded | null = null;
  let unread: Excluded | null = null;
  let pagesLeft = maxPages(maxItems, pageSize);
  for (let page: PartialPage<T> | null = first; ; ) {
    excluded = mergeExcluded([{ excluded }, page]);
    unread = mergeExcluded([{ excluded: unread }, { excluded: page.unread }]);
    unreadable ??= page.unreadable;
    partial ||= excluded !== null;
    // Items move between pages while they are read: each is given once.
    for (const item of page.items) found.set(identity(item), item);
    const items = [...found.values()];
    const partialReason = describePartial(operation, excluded, unread);
    const result = { items: items.slice(0, maxItems), totalCount, unanswered, partialReason, unreadable };
    if (page.next === null || enough?.(items)) return { ...result, partial, capped: false };
    if (items.length >= maxItems) return { ...result, partial: true, capped: !partial };
    pagesLeft -= 1;
    const next: PartialPage<T> | null = pagesLeft > 0 ? await readPage(page.next).catch(nullIfUnavailable) : null;
    if (next === null) return { ...result, items, partial: true, unanswered: true, capped: false };
    partial ||= next.partial;
    unanswered ||= next.partial;
    page = next;
  }
}

/** Where small pages make many, a list ends at twice as many as full ones would be. */
export const maxPages = (items: number, pageSize: number): number => 2 * Math.ceil(items / pageSize);

interface PartialPage<T> extends GraphqlPage<T> {
  partial: boolean;
  /** Items of which the platform omitted a part. */
  unread: Excluded | null;
  /** Why the page has items and none of them could be read; null for every other page. */
  unreadable: Problem | null;
}

/** Reads the page that begins at a place, or the first. */
export type PageReader<T> = (after: string | null) => Promise<PartialPage<T>>;

/** Requests the pages of a list, with fewer items in them while the platform gives up. */
export function createPageReader<T>(
  transport: Transport,
  { first, read, lacks, ...question }: PagedQuestion<T>,
): PageReader<T> {
  const inShares = createShrinking<PartialPage<T>>();
  return (after) =>
    inShares((share) =>
      transport.graphql({
        ...question,
        variables: { ...question.variables, first: Math.max(1, Math.floor(first * share)), after },
        retry: false,
        read(data, errors, header) {
          markUnreadFields(data, errors);
          const page = read(data, errors, header);
          transport.warnExcluded(question.operation, page.excluded);
          const unread = withLacking(unreadIn(errors), lacks ? page.items.map(lacks) : []);
          const missing = page.items.length === 0 ? mergeExcluded([page, { excluded: unread }]) : null;
          const unreadable = missing && problemOfUnreadItems(question.operation, missing.fields, errors);
          const value = { ...page, partial: unread !== null, unread, unreadable };
          return { value, isTruncated: errors.some(dependsOnSize) };
        },
      }),
    );
}

/** Sends a query that has no pages; once more when the platform gave up on a part of it. */
export async function requestAll<T>(transport: Transport, question: Omit<GraphqlQuestion<T>, 'retry'>): Promise<T> {
  let isTruncated = false;
  const request = () =>
    transport.graphql({
      ...question,
      retry: true,
      read(data, errors, header) {
        isTruncated = errors.some(dependsOnSize);
        return question.read(data, errors, header);
      },
    });
  const first = request();
  await Promise.allSettled([first]);
  return isTruncated && currentLimits().takeRetries(1) ? request() : first;
}

/** For what comes after something was read. */
const nullIfUnavailable = (error: unknown): null => {
  if (isUnavailable(error)) return null;
  throw error;
};

/** A list with what is known of its copy. */
export const asListing = <K extends ListResult<unknown>>({ value, stale, asOf }: Read<K>) => ({
  ...value,
  stale,
  asOf,
});

/** Schema of a connection whose nodes are facts; nodes the token may not see are excluded. */
export const createConnectionSchema = <S extends z.ZodType>(node: S) =>
  z
    .object({
      totalCount: maybeCount,
      issueCount: maybeCount,
      pageInfo: pageInfo.nullish(),
      nodes: readableItems(node.nullable()).nullish(),
    })
    .transform(
      ({ nodes, totalCount, issueCount, pageInfo: info }): GraphqlPage<z.output<S>> => ({
        items: (nodes?.items ?? []).filter((one) => one !== null) as z.output<S>[],
        excluded: nodes?.excluded ?? null,
        totalCount: totalCount ?? issueCount,
        next: info?.hasNextPage ? (info.endCursor ?? null) : null,
      }),
    );

export const noItems: GraphqlPage<never> = { items: [], excluded: null, totalCount: 0, next: null };

/** What every query requests beside its own subject. */
export const rateLimitCost = 'rateLimit { cost limit remaining resetAt }';
export const pageInfoField = 'pageInfo { hasNextPage endCursor }';

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });

/** What these errors took away. Neither the price nor a requested team that the token may not read is part of an item. */
export const unreadIn = (errors: readonly PartError[]): Excluded | null =>
  unreadAt(
    errors
      .map(({ path }) => path ?? [])
      .filter((path) => path[0] !== 'rateLimit' && !path.includes('requestedReviewer')),
  );

/** The same with the parts that items lack without an error. */
function withLacking(reported: Excluded | null, lacking: readonly (readonly string[])[]): Excluded | null {
  const isReported = (part: string) => reported?.fields.some((field) => `${field}.`.startsWith(`${part}.`));
  const unreported = lacking
    .map((parts) => parts.filter((part) => !isReported(part)))
    .filter((parts) => parts.length > 0);
  const fields = [...new Set(unreported.flat())];
  return mergeExcluded([
    { excluded: reported },
    { excluded: unreported.length === 0 ? null : { count: unreported.length, fields } },
  ]);
}
