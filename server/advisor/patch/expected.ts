import type { Change, YamlPath } from './change.ts';
import { neighbourOf, usualNeighbours } from './order.ts';
import { isEmptyTree, nothing, type Tree, textTree, treeInPlaceOf, treeOf } from './tree.ts';

/** What a file must say after changes, computed from what it says and not from how it is written. */
export function expectTree(tree: Tree, changes: readonly Change[]): Tree {
  return inOrder(changes).reduce(applyChange, tree);
}

/** Removals last and from the end, because paths are those before the changes. */
function inOrder(changes: readonly Change[]): Change[] {
  const removals = changes.filter((change) => change.do === 'remove');
  const others = changes.filter((change) => change.do !== 'remove');
  return [...others, ...removals.sort((one, other) => comparePaths(other.at, one.at))];
}

function comparePaths(one: YamlPath, other: YamlPath): number {
  const index = one.findIndex((part, place) => part !== other[place]);
  const [part, otherPart] = [one[index], other[index]];
  if (typeof part === 'number' && typeof otherPart === 'number') return part - otherPart;
  return String(part) < String(otherPart) ? -1 : 1;
}

function applyChange(tree: Tree, change: Change): Tree {
  switch (change.do) {
    case 'insert':
      return update(tree, change.at, (map) => withEntry(map, change.key, treeOf(change.value), change.after));
    case 'append':
      return update(tree, change.at, (list) => withItem(list, treeOf(change.value)));
    case 'replace':
      return update(tree, change.at, (before) => treeInPlaceOf(before, change.value));
    case 'remove':
      return removed(tree, change.at, change.orEmptyParent ?? false);
    case 'filter-triggers':
      return update(tree, ['on'], (on) => filtered(on, change.filters));
  }
}

/** A tree with another node at a path; maps that are not there are made. */
function update(tree: Tree, [part, ...rest]: YamlPath, change: (node: Tree) => Tree): Tree {
  if (part === undefined) return change(tree);
  if (tree.kind === 'list')
    return { ...tree, items: tree.items.map((item, index) => (index === part ? update(item, rest, change) : item)) };
  if (tree.kind !== 'map' || !tree.entries.some(({ key }) => isKey(key, part)))
    return withEntry(tree, String(part), update(nothing, rest, change), usualNeighbours(String(part)));
  const entries = tree.entries.map((entry) =>
    isKey(entry.key, part) ? { ...entry, value: update(entry.value, rest, change) } : entry,
  );
  return { ...tree, entries };
}

const isKey = (key: Tree, part: string | number) => key.kind === 'scalar' && key.value === part;

/** Entries that are put after the same one stay in the order of their changes. */
function withEntry(tree: Tree, key: string, value: Tree, after: readonly string[]): Tree {
  const entry = { key: textTree(key), value, isNew: true };
  if (isEmptyTree(tree)) return { kind: 'map', entries: [entry], anchor: null, tag: null };
  if (tree.kind !== 'map' || tree.entries.some((one) => isKey(one.key, key))) return tree;
  const neighbour = neighbourOf(
    tree.entries.filter(({ isNew }) => !isNew),
    after,
  );
  let place = neighbour ? tree.entries.indexOf(neighbour) + 1 : 0;
  while (tree.entries[place]?.isNew) place++;
  return { ...tree, entries: tree.entries.toSpliced(place, 0, entry) };
}

const withItem = (tree: Tree, item: Tree): Tree =>
  tree.kind === 'list' ? { ...tree, items: [...tree.items, item] } : tree;

function removed(tree: Tree, at: YamlPath, orEmptyParent: boolean): Tree {
  const [path, part] = [at.slice(0, -1), at.at(-1)];
  const after = update(tree, path, (node) => without(node, part));
  const parent = nodeAt(after, path);
  return orEmptyParent && path.length > 0 && isEmptyTree(parent) ? removed(after, path, false) : after;
}

/** A block that loses its last entry is nothing, a flow collection is an empty one. */
function without(tree: Tree, part: string | number | undefined): Tree {
  if (tree.kind !== 'map' && tree.kind !== 'list') return tree;
  const after: Tree =
    tree.kind === 'list'
      ? { ...tree, items: tree.items.filter((_, index) => index !== part) }
      : { ...tree, entries: tree.entries.filter(({ key }) => part === undefined || !isKey(key, part)) };
  return isEmptyTree(after) && !tree.isFlow ? nothing : after;
}

function nodeAt(tree: Tree | undefined, [part, ...rest]: YamlPath): Tree | undefined {
  return part === undefined || tree === undefined ? tree : nodeAt(childAt(tree, part), rest);
}

/** The node below a tree; undefined where there is none. */
export function childAt(tree: Tree, part: string | number): Tree | undefined {
  if (tree.kind === 'list') return tree.items[part as number];
  return tree.kind === 'map' ? tree.entries.find(({ key }) => isKey(key, part))?.value : undefined;
}

function filtered(on: Tree, filters: Extract<Change, { do: 'filter-triggers' }>['filters']): Tree {
  return Object.entries(filters)
    .flatMap(([event, patterns]) => Object.entries(patterns).map(([key, value]) => ({ event, key, value })))
    .reduce(
      (map, { event, key, value }) => update(map, [event], (filter) => withEntry(filter, key, treeOf(value), [])),
      triggersAsMap(on),
    );
}

function triggersAsMap(on: Tree): Tree {
  const events = on.kind === 'list' ? on.items : on.kind === 'scalar' ? [on] : null;
  if (events === null) return on;
  return { kind: 'map', entries: events.map((key) => ({ key, value: nothing })), anchor: null, tag: null };
}
