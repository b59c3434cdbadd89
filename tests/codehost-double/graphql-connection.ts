import { GraphqlRequestError } from './graphql-view.ts';

/** Arguments of a GraphQL list. */
export interface Paging {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** What the cursors of a list stand for. */
interface Places<T> {
  nameOf(item: T, index: number): string;
  /** How many items come before the place, and whether one of them is still at it; null when it names no place. */
  find(name: string): { before: number; isThere: boolean } | null;
}

/** One page of a list; only the first `readable` items can be reached. Cursors are positions when not said otherwise. */
export function connection<T, N>(
  items: T[],
  args: Paging,
  shape: (item: T) => N,
  readable = items.length,
  places: Places<T> = positions,
) {
  const placed = (cursor: string) => {
    const found = places.find(Buffer.from(cursor, 'base64url').toString());
    if (!found)
      throw new GraphqlRequestError('INVALID_CURSOR_ARGUMENTS', `\`${cursor}\` does not appear to be a valid cursor.`);
    return found;
  };
  const cursorOf = (index: number) => Buffer.from(places.nameOf(items[index] as T, index)).toString('base64url');
  const most = Math.min(items.length, readable);
  const after = args.after ? placed(args.after) : null;
  let start = after ? after.before + (after.isThere ? 1 : 0) : 0;
  let end = args.before ? Math.min(placed(args.before).before, most) : most;
  if (typeof args.first === 'number') end = Math.min(end, start + args.first);
  else if (typeof args.last === 'number') start = Math.max(start, end - args.last);
  else end = start;
  const nodes = items.slice(start, end).map(shape);
  return {
    totalCount: items.length,
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursorOf(start + index) })),
    pageInfo: {
      hasNextPage: end < most,
      hasPreviousPage: start > 0,
      startCursor: nodes.length ? cursorOf(start) : null,
      endCursor: nodes.length ? cursorOf(start + nodes.length - 1) : null,
    },
  };
}

const positions: Places<unknown> = {
  nameOf: (_item, index) => `cursor:${index}`,
  find: (name) => {
    const [, position] = /^cursor:(\d+)$/.exec(name) ?? [];
    return position === undefined ? null : { before: Number(position), isThere: true };
  },
};

/**
 * Cursors of a list in the order of a key: they name what the list is sorted by, so that a page goes on behind its
 * place also when items have come, gone or moved in between.
 */
export const keyed = <T extends { number: number }>(items: T[], keyOf: (item: T) => number, sign: 1 | -1) =>
  ({
    nameOf: (item) => `cursor:v2:${keyOf(item)}:${item.number}`,
    find: (name) => {
      const [, key, number] = /^cursor:v2:(\d+):(\d+)$/.exec(name) ?? [];
      if (key === undefined || number === undefined) return null;
      const beside = (one: T) => sign * (keyOf(one) - Number(key) || one.number - Number(number));
      return {
        before: items.filter((one) => beside(one) < 0).length,
        isThere: items.some((one) => beside(one) === 0),
      };
    },
  }) satisfies Places<T>;
