/** The index of the last item that begins at a place or before it, where items are in order; -1 for none. */
export function lastBeginning<Item>(items: readonly Item[], at: number, getStart: (item: Item) => number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (getStart(items[middle] as Item) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The item that a place lies in, where items are in order and do not overlap; null for none. */
export function itemAround<Item extends { at: number; end: number }>(items: readonly Item[], at: number): Item | null {
  const item = items[lastBeginning(items, at, (one) => one.at)];
  return item !== undefined && at < item.end ? item : null;
}
