/** The entry that a new one is put after: of the first key of `after` that is there, else the last. */
export function neighbourOf<Key extends { kind: string }, Entry extends { key: Key }>(
  entries: readonly Entry[],
  after: readonly string[],
): Entry | undefined {
  const find = (name: string) => entries.find(({ key }) => 'value' in key && key.value === name);
  return after.map(find).find((entry) => entry !== undefined) ?? entries.at(-1);
}

/** What the map that has to be made for a change is put after. */
export const usualNeighbours = (key: string): readonly string[] => (key === 'with' ? ['uses'] : []);
