import { isPlainText } from '../../scan/yaml-scalars.ts';
import type { Value } from './change.ts';
import { isList, isMap } from './render.ts';

/** What a file says, however it is laid out. The nodes of a file that was read are such trees. */
export type Tree = TreeMap | TreeList | TreeScalar | { kind: 'alias'; name: string };

interface Marks {
  anchor: string | null;
  tag: string | null;
}

interface TreeMap extends Marks {
  kind: 'map';
  isFlow?: boolean;
  entries: readonly TreeEntry[];
}

export interface TreeEntry {
  key: Tree;
  value: Tree;
  /** Whether a change has put it there. */
  isNew?: boolean;
}

interface TreeList extends Marks {
  kind: 'list';
  isFlow?: boolean;
  items: readonly Tree[];
}

interface TreeScalar extends Marks {
  kind: 'scalar';
  value: string;
  style: 'plain' | 'single' | 'double' | 'block';
}

const scalar = (value: string, style: TreeScalar['style']): TreeScalar => ({
  kind: 'scalar',
  value,
  style,
  anchor: null,
  tag: null,
});

export const textTree = (value: string): Tree => scalar(value, 'single');
export const nothing: Tree = scalar('', 'plain');

export function treeOf(value: Value): Tree {
  if (isList(value)) return { kind: 'list', items: value.map(treeOf), anchor: null, tag: null };
  if (!isMap(value)) return typeof value === 'string' ? textTree(value) : scalar(String(value), 'plain');
  const entries = Object.entries(value).map(([key, inner]) => ({ key: textTree(key), value: treeOf(inner) }));
  return { kind: 'map', entries, anchor: null, tag: null };
}

/** A value in place of a node whose quotes are kept. */
export function treeInPlaceOf(before: Tree, value: Value): Tree {
  const isQuoted = before.kind === 'scalar' && before.style !== 'plain' && typeof value !== 'object';
  return isQuoted ? textTree(String(value)) : treeOf(value);
}

/** Whether nothing is written, or a collection of nothing. */
export function isEmptyTree(tree: Tree | undefined): boolean {
  if (tree?.kind === 'map') return tree.entries.length === 0;
  if (tree?.kind === 'list') return tree.items.length === 0;
  return tree?.kind === 'scalar' && tree.style === 'plain' && tree.value === '';
}

/** Whether two trees say the same, in the same order. */
export function isSameTree(one: Tree, other: Tree): boolean {
  if (one === other) return true;
  if (one.kind === 'alias' || other.kind === 'alias')
    return one.kind === 'alias' && other.kind === 'alias' && one.name === other.name;
  if (one.anchor !== other.anchor || one.tag !== other.tag) return false;
  if (one.kind === 'map') return other.kind === 'map' && isSameMap(one, other);
  if (one.kind === 'list') return other.kind === 'list' && isSameList(one, other);
  return other.kind === 'scalar' && isSameScalar(one, other);
}

const isSameMap = (one: TreeMap, other: TreeMap) =>
  one.entries.length === other.entries.length &&
  one.entries.every(({ key, value }, index) => {
    const entry = other.entries[index] as TreeEntry;
    return isSameTree(key, entry.key) && isSameTree(value, entry.value);
  });

const isSameList = (one: TreeList, other: TreeList) =>
  one.items.length === other.items.length &&
  one.items.every((item, index) => isSameTree(item, other.items[index] as Tree));

/** Without quotes, `true` and `12` are no texts. */
function isSameScalar(one: TreeScalar, other: TreeScalar): boolean {
  if (one.value !== other.value) return false;
  const isPlain = one.style === 'plain';
  return isPlain === (other.style === 'plain') || isPlainText(one.value, false);
}

/** Whether a scalar is read as a text. */
export const isTextTree = ({ value, style }: TreeScalar): boolean => style !== 'plain' || isPlainText(value, false);
