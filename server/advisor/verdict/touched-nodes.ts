import { createHash } from 'node:crypto';
import type { Change, YamlPath } from '../patch/change.ts';
import { childAt, expectTree } from '../patch/expected.ts';
import { pathOf } from '../patch/planned-set.ts';
import { Source } from '../patch/source.ts';
import { isTextTree, type Tree } from '../patch/tree.ts';

/** A node of a workflow file that a change touches, with what stands there before it and after, as fingerprints. */
export interface TouchedNode {
  path: YamlPath;
  before: string;
  after: string;
}

/**
 * The nodes that changes of a file touch. None where steps are among them: these have no names, and their places move
 * with the steps before them.
 */
export function touchedNodes(text: string, changes: readonly Change[]): TouchedNode[] {
  const before = readTree(text);
  const paths = changes.flatMap(pathsOf);
  if (before === null || paths.some((path) => path.includes('steps'))) return [];
  const after = expectTree(before, changes);
  return paths.map((path) => ({ path, before: fingerprint(before, path), after: fingerprint(after, path) }));
}

/** What stands at the touched nodes of a file now: what the change made, what was there before it, or something else. */
export type TouchedState = 'after' | 'before' | 'other';

/** null where the file is not read, or none of its nodes is known. */
export function touchedState(touched: readonly TouchedNode[], text: string | null): TouchedState | null {
  const tree = text === null ? null : readTree(text);
  if (tree === null || touched.length === 0) return null;
  const isAs = (side: 'before' | 'after') => touched.every((node) => fingerprint(tree, node.path) === node[side]);
  if (isAs('after')) return 'after';
  return isAs('before') ? 'before' : 'other';
}

/** The same nodes of a change that was merged otherwise than it was proposed, by what stands there now. */
export function withTouchedState(touched: readonly TouchedNode[], text: string): TouchedNode[] {
  const tree = readTree(text);
  return touched.map((node) => (tree === null ? node : { ...node, after: fingerprint(tree, node.path) }));
}

/** Whether something stands where the change puts something, and nothing where it puts nothing, all of it changed. */
export const isLikeAfter = (touched: readonly TouchedNode[], text: string): boolean =>
  withTouchedState(touched, text).every(({ before, after }, index) => {
    const wanted = touched[index]?.after ?? '';
    return after !== before && (isMissing(wanted) ? after === wanted : !isMissing(after));
  });

const readTree = (text: string): Tree | null => new Source(text).syntax.root;

/** Of triggers the filters alone, so that another event is not taken for a change of them. */
const pathsOf = (change: Change): YamlPath[] =>
  change.do === 'filter-triggers'
    ? Object.entries(change.filters).flatMap(([event, filters]) =>
        Object.keys(filters).map((key) => ['on', event, key]),
      )
    : [pathOf(change)];

const missing = 'missing below ';
const isMissing = (print: string) => print.startsWith(missing);

/** Two nodes that say the same have the same one, however they are written; so have two that end at the same parent. */
function fingerprint(tree: Tree, path: YamlPath): string {
  let node = tree;
  for (const [depth, part] of path.entries()) {
    const child = childAt(node, part);
    if (child === undefined) return `${missing}${depth}`;
    node = child;
  }
  return createHash('sha256')
    .update(JSON.stringify(describe(node)))
    .digest('hex')
    .slice(0, 16);
}

function describe(node: Tree): unknown {
  if (node.kind === 'alias') return { alias: node.name };
  if (node.kind === 'scalar') return [node.value, isTextTree(node)];
  if (node.kind === 'list') return { items: node.items.map(describe) };
  return { entries: node.entries.map(({ key, value }) => [describe(key), describe(value)]) };
}
