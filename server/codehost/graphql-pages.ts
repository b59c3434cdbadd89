import { z } from 'zod';
import { currentLimits } from '../platform/work-limits.ts';
import { type LeftOut, leftOutOf, type ReadableItems, readableItems, reasonOf, unreadAt } from './readable-items.ts';
import type { Read } from './reader.ts';
import { dependsOnSize, isUnavailable } from './refusals.ts';
import { createShrinking } from './shrinking.ts';
import type { GraphqlQuestion, PartError, Transport } from './transport.ts';
import { maybeCount } from './wire.ts';

/** One page of a GraphQL list. */
export interface GraphqlPage<T> extends ReadableItems<T> {
  totalCount: number | null;
  /** Where the next page begins; null after the last. */
  next: string | null;
}

/** A list that is asked for in pages: its query has `$first` and `$after`. */
export interface PagedQuestion<T> extends Omit<GraphqlQuestion<GraphqlPage<T>>, 'retry'> {
  /** Items of a page; fewer while the platform gives up on so many. */
  first: number;
}

/** What is kept of a list. */
export interface Kept<T> {
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
  most: number;
  /** Whether what was read is all that is wanted. */
  enough?(items: T[]): boolean;
  identity(item: T): string | number;
}

/**
 * Reads page after page until the end, until it is enough, or up to a number of items. What was read stands when the
 * platform gives no more: then it is partial.
 */
export async function readPages<T>(
  transport: Transport,
  question: PagedQuestion<T>,
  { most, enough, identity }: Limits<T>,
): Promise<Kept<T>> {
  const ask = pagesOf(transport, question);
  const found = new Map<string | number, T>();
  const first = await ask(null);
  const { totalCount } = first;
  let { partial } = first;
  let unanswered = first.partial;
  let leftOut: LeftOut | null = null;
  let unread: LeftOut | null = null;
  let pagesLeft = mostPages(most, question.first);
  for (let page: PartialPage<T> | null = first; ; ) {
    leftOut = leftOutOf([{ leftOut }, page]);
    unread = leftOutOf([{ leftOut: unread }, { leftOut: page.unread }]);
    partial ||= leftOut !== null;
    // Items move between pages while they are read: each is given once.
    for (const item of page.items) found.set(identity(item), item);
    const items = [...found.values()];
    const partialReason = reasonOf(question.operation, leftOut, unread);
    const kept = { items: items.slice(0, most), totalCount, unanswered, partialReason };
    if (page.next === null || enough?.(items)) return { ...kept, partial, capped: false };
    if (items.length >= most) return { ...kept, partial: true, capped: !partial };
    pagesLeft -= 1;
    const next: PartialPage<T> | null = pagesLeft > 0 ? await ask(page.next).catch(nullIfUnavailable) : null;
    if (next === null) return { ...kept, items, partial: true, unanswered: true, capped: false };
    partial ||= next.partial;
    unanswered ||= next.partial;
    page = next;
  }
}

/** Where small pages make many, a list ends at twice as many as whole ones would be. */
export const mostPages = (items: number, pageSize: number): number => 2 * Math.ceil(items / pageSize);

interface PartialPage<T> extends GraphqlPage<T> {
  partial: boolean;
  /** Items of which the platform did not tell a part. */
  unread: LeftOut | null;
}

/** Reads the page that begins at a place, or the first. */
export type PageReader<T> = (after: string | null) => Promise<PartialPage<T>>;

/** Asks for the pages of a list, with fewer items in them while the platform gives up. */
export function pagesOf<T>(transport: Transport, { first, read, ...question }: PagedQuestion<T>): PageReader<T> {
  const inShares = createShrinking<PartialPage<T>>();
  return (after) =>
    inShares((share) =>
      transport.graphql({
        ...question,
        variables: { ...question.variables, first: Math.max(1, Math.floor(first * share)), after },
        retry: false,
        read(data, errors) {
          const page = read(data, errors);
          transport.warnOfLeftOut(question.operation, page.leftOut);
          const unread = unreadIn(errors);
          return { value: { ...page, partial: unread !== null, unread }, isCut: errors.some(dependsOnSize) };
        },
      }),
    );
}

/** Asks a question that has no pages; once more when the platform gave up on a part of it. */
export async function askWhole<T>(transport: Transport, question: Omit<GraphqlQuestion<T>, 'retry'>): Promise<T> {
  let isCut = false;
  const ask = () =>
    transport.graphql({
      ...question,
      retry: true,
      read(data, errors) {
        isCut = errors.some(dependsOnSize);
        return question.read(data, errors);
      },
    });
  const first = ask();
  await Promise.allSettled([first]);
  return isCut && currentLimits().takeRetries(1) ? ask() : first;
}

/** For what comes after something was read. */
const nullIfUnavailable = (error: unknown): null => {
  if (isUnavailable(error)) return null;
  throw error;
};

/** A list with what is known of its copy. */
export const asListing = <K extends Kept<unknown>>({ value, stale, asOf }: Read<K>) => ({ ...value, stale, asOf });

/** Schema of a connection whose nodes are facts; nodes the token may not see are left out. */
export const connectionOf = <S extends z.ZodType>(node: S) =>
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
        leftOut: nodes?.leftOut ?? null,
        totalCount: totalCount ?? issueCount,
        next: info?.hasNextPage ? (info.endCursor ?? null) : null,
      }),
    );

export const noItems: GraphqlPage<never> = { items: [], leftOut: null, totalCount: 0, next: null };

/** What every query asks beside its own matter. */
export const priceField = 'rateLimit { cost limit remaining resetAt }';
export const pageInfoField = 'pageInfo { hasNextPage endCursor }';

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });

/** What these errors took away. A requested team that the token may not read takes no item away. */
export const unreadIn = (errors: readonly PartError[]): LeftOut | null =>
  unreadAt(errors.map(({ path }) => path ?? []).filter((path) => !path.includes('requestedReviewer')));
