/** Arguments of a GraphQL list. */
export interface Paging {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** One page of a list; the cursor is the position of an item. Only the first `readable` items can be reached. */
export function connection<T, N>(items: T[], asked: Paging, shape: (item: T) => N, readable = items.length) {
  const most = Math.min(items.length, readable);
  let start = asked.after ? positionOf(asked.after) + 1 : 0;
  let end = asked.before ? Math.min(positionOf(asked.before), most) : most;
  if (typeof asked.first === 'number') end = Math.min(end, start + asked.first);
  else if (typeof asked.last === 'number') start = Math.max(start, end - asked.last);
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

const cursorOf = (position: number) => Buffer.from(`cursor:${position}`).toString('base64url');

const positionOf = (cursor: string) => Number(Buffer.from(cursor, 'base64url').toString().replace('cursor:', ''));
