import { z } from 'zod';
import { unreadable } from './failures.ts';
import type { Read } from './reader.ts';
import { isUnavailable, settledErrors, unknownPlace } from './refusals.ts';
import type { GraphqlQuestion, PartError, Transport } from './transport.ts';

/** One page of a GraphQL list. */
export interface GraphqlPage<T> {
  items: T[];
  totalCount: number | null;
  /** Where the next page begins; null after the last. */
  next: string | null;
}

/** A list that is asked for in pages: its query has `$first` and `$after`. */
export interface PagedQuestion<T> extends Omit<GraphqlQuestion<GraphqlPage<T>>, 'retry'> {
  /** Items of a page; halved when a page is too heavy. */
  first: number;
}

/** What is kept of a list. */
export interface Kept<T> {
  items: T[];
  partial: boolean;
  /** true when it is partial because a cap ended the reading, and for no other reason. */
  capped: boolean;
  totalCount: number | null;
}

interface Limits<T> {
  /** Items to read at most. */
  most: number;
  /** Whether what was read is all that is wanted. */
  enough?(items: T[]): boolean;
  identity(item: T): string | number;
}

/** Reads page after page until the end, until it is enough, or up to a number of items. */
export async function readPages<T>(
  transport: Transport,
  question: PagedQuestion<T>,
  { most, enough, identity }: Limits<T>,
): Promise<Kept<T>> {
  const ask = pagesOf(transport, question);
  const found = new Map<string | number, T>();
  let page = await ask(null);
  const totalCount = page.totalCount;
  let partial = page.partial;
  for (;;) {
    // Items move between pages while they are read: each is given once.
    for (const item of page.items) found.set(identity(item), item);
    const items = [...found.values()];
    if (page.next === null || enough?.(items))
      return { items: items.slice(0, most), partial, capped: false, totalCount };
    if (items.length >= most) return { items: items.slice(0, most), partial: true, capped: !partial, totalCount };
    page = await ask(page.next);
    partial ||= page.partial;
  }
}

/** Asks for the pages of a list: three attempts each, with half as many items when the platform gave up. */
export function pagesOf<T>(transport: Transport, { first, read, ...question }: PagedQuestion<T>) {
  let size = first;
  const attempt = (after: string | null, isLast: boolean) =>
    transport.graphql({
      ...question,
      variables: { ...question.variables, first: size, after },
      retry: false,
      read(data, errors) {
        const open = errors.some(isOpen);
        // A smaller page may bring what is missing; the last attempt takes what there is.
        if (open && !isLast) throw unreadable(200);
        return { ...read(data, errors), partial: errors.some(isGap) };
      },
    });
  return async (after: string | null): Promise<GraphqlPage<T> & { partial: boolean }> => {
    for (let halvings = 0; halvings < mostHalvings; halvings++) {
      try {
        return await attempt(after, false);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        size = Math.max(1, Math.floor(size / 2));
      }
    }
    return attempt(after, true);
  };
}

/** Asks a question that has no pages; once more when only a part of the answer came. */
export async function askWhole<T>(transport: Transport, question: Omit<GraphqlQuestion<T>, 'retry'>): Promise<T> {
  let cut = false;
  const ask = () =>
    transport.graphql({
      ...question,
      retry: true,
      read(data, errors) {
        cut = !cut && errors.some(isOpen);
        if (cut) throw unreadable(200);
        return question.read(data, errors);
      },
    });
  return ask().catch((error) => (cut ? ask() : Promise.reject(error)));
}

/** A list with what is known of its copy. */
export const asListing = <K extends Kept<unknown>>({ value, stale, asOf }: Read<K>) => ({ ...value, stale, asOf });

/** Schema of a connection whose nodes are facts; nodes the token may not see are left out. */
export const connectionOf = <S extends z.ZodType>(node: S) =>
  z
    .object({
      totalCount: z.number().nullish(),
      issueCount: z.number().nullish(),
      pageInfo: pageInfo.nullish(),
      nodes: z.array(node.nullable()).nullish(),
    })
    .transform(
      ({ nodes, totalCount, issueCount, pageInfo: info }): GraphqlPage<z.output<S>> => ({
        items: (nodes ?? []).filter((one): one is NonNullable<typeof one> => one !== null) as z.output<S>[],
        totalCount: totalCount ?? issueCount ?? null,
        next: info?.hasNextPage ? (info.endCursor ?? null) : null,
      }),
    );

export const noItems: GraphqlPage<never> = { items: [], totalCount: 0, next: null };

/** What every query asks beside its own matter. */
export const priceField = 'rateLimit { cost limit remaining resetAt }';
export const pageInfoField = 'pageInfo { hasNextPage endCursor }';

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
const mostHalvings = 2;

const isOpen = ({ type }: PartError) => !settledErrors.has(type) && type !== unknownPlace;

/** A requested team that the token may not read takes no item away. */
const isGap = ({ path }: PartError) => !path?.includes('requestedReviewer');
