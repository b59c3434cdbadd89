import type { SyntaxEntry, SyntaxMap, SyntaxNode } from '../../scan/yaml-syntax.ts';
import type { YamlPath } from './change.ts';
import { Refused } from './refused.ts';
import { nodesBelow, type Source } from './source.ts';

/** The last node of a path that is there. */
export interface Place {
  path: YamlPath;
  node: SyntaxNode;
  /** The map or list that it is in; null for the root. */
  parent: SyntaxNode | null;
  /** The entry whose value it is; null in a list. */
  entry: SyntaxEntry | null;
  /** What of the path is not there. */
  missing: YamlPath;
}

/** Follows a path. Refuses what is shared through an alias, and what readers understand in different ways. */
export function locate(source: Source, path: YamlPath): Place {
  const { root } = source.syntax;
  if (root === null) throw new Refused('unusual_yaml', 'The file holds no map.');
  let place: Place = { path: [], node: root, parent: null, entry: null, missing: path };
  refuseUnsafe(source, place);
  for (let next = childOf(place); next !== null; next = childOf(place)) {
    place = next;
    refuseUnsafe(source, place);
  }
  return place;
}

/** Refuses to change a node as a whole that holds something shared or computed. */
export function refuseParts(source: Source, place: Place) {
  for (const node of nodesBelow(place.node)) {
    refuseUnsafe(source, { ...place, node });
    if (isExpression(node)) throw new Refused('expression', 'Its value is an expression.', place.path, [node.start]);
  }
}

/** Why a node cannot be changed as it is written. */
export function refuseForm({ node, path }: Place): Refused {
  if (isExpression(node)) return new Refused('expression', 'Its value is an expression.', path, [node.start]);
  return new Refused('unusual_yaml', 'It is written in a form that is not changed.', path, [node.start]);
}

const isExpression = (node: SyntaxNode) => node.kind === 'scalar' && node.value.includes('${{');

/** Whether it is a list in brackets or a map in braces. */
export const isFlow = (node: SyntaxNode | null): boolean =>
  (node?.kind === 'map' || node?.kind === 'list') && node.isFlow;

/** How many entries or items there are. */
export const sizeOf = (node: SyntaxNode | null): number =>
  node?.kind === 'map' ? node.entries.length : node?.kind === 'list' ? node.items.length : 0;

/** Whether nothing is written where a value could be. */
export const isEmpty = (node: SyntaxNode): boolean =>
  node.kind === 'scalar' && node.style === 'plain' && node.start === node.end;

export const entriesOf = (map: SyntaxMap, key: string | number): SyntaxEntry[] =>
  map.entries.filter((entry) => entry.key.kind === 'scalar' && entry.key.value === key);

function childOf({ node, path, missing }: Place): Place | null {
  const [part, ...rest] = missing;
  if (part === undefined) return null;
  const below = { path: [...path, part], parent: node, missing: rest };
  if (node.kind === 'list' && typeof part === 'number') {
    const item = node.items[part];
    return item === undefined ? null : { ...below, node: item, entry: null };
  }
  const [entry, again] = node.kind === 'map' ? entriesOf(node, part) : [];
  if (entry === undefined) return null;
  if (again) throw new Refused('unusual_yaml', 'A key is given twice.', below.path, [entry.key.start, again.key.start]);
  return { ...below, node: entry.value, entry };
}

function refuseUnsafe(source: Source, place: Place) {
  const { node, path } = place;
  const name = node.kind === 'alias' ? node.name : node.anchor;
  if (name !== null)
    throw new Refused('shared_node', `It is shared under the name “${name}”.`, path, findShared(source, name));
  if (node.tag !== null) throw new Refused('unusual_yaml', `It has the tag ${node.tag}.`, path, [node.start]);
  if (node.kind !== 'map') return;
  const complex = node.entries.find(
    ({ key }) => key.kind !== 'scalar' || key.anchor !== null || key.tag !== null || isExplicit(source, key),
  );
  if (complex) throw new Refused('unusual_yaml', 'A key is not a simple text.', path, [complex.key.start]);
}

/** A key after a question mark, `? key`. */
function isExplicit({ text }: Source, { start }: SyntaxNode): boolean {
  let at = start - 1;
  while (text[at] === ' ') at--;
  return at < start - 1 && text[at] === '?';
}

const findShared = ({ syntax }: Source, name: string) =>
  [...nodesBelow(syntax.root)]
    .filter((node) => (node.kind === 'alias' ? node.name : node.anchor) === name)
    .map(({ start }) => start);
