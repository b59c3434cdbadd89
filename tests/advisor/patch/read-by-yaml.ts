import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import type { Change, YamlPath } from '../../../server/advisor/patch/change.ts';

type Data = Record<string | number, unknown>;

/** What the second parser reads; what is empty is null, and every other scalar a text. */
export const readByYaml = (text: string): unknown => simple(parse(text, { uniqueKeys: false, logLevel: 'silent' }));

/** What the second parser must read after changes of a file. */
export function expectByYaml(text: string, changes: readonly Change[]): unknown {
  const root = structuredClone(parse(text, { uniqueKeys: false, logLevel: 'silent' })) as Data;
  for (const change of changes.filter((one) => !isMade(root, one))) apply(root, change);
  return simple(root);
}

/** Whether a value is there already. Whatever else changes it, nothing is done for that. */
function isMade(root: Data, change: Change): boolean {
  if (change.do === 'replace') return isDeepStrictEqual(simple(nodeAt(root, change.at)), simple(change.value));
  const items = change.do === 'append' ? (nodeAt(root, change.at) as unknown[]) : [];
  return change.do === 'append' && items.some((item) => isDeepStrictEqual(simple(item), simple(change.value)));
}

const gone = Symbol('removed');

function apply(root: Data, change: Change) {
  if (change.do === 'insert') mapAt(root, change.at)[change.key] ??= change.value;
  if (change.do === 'append') (nodeAt(root, change.at) as unknown[]).push(change.value);
  if (change.do === 'replace') holderOf(root, change.at)[change.at.at(-1) ?? ''] = change.value;
  if (change.do === 'remove') holderOf(root, change.at)[change.at.at(-1) ?? ''] = gone;
  if (change.do === 'remove' && change.orEmptyParent) {
    const isEmpty = Object.values(holderOf(root, change.at)).every((value) => value === gone);
    if (isEmpty) holderOf(root, change.at.slice(0, -1))[change.at.at(-2) ?? ''] = gone;
  }
  if (change.do !== 'filter-triggers') return;
  const events = typeof root.on === 'string' ? [root.on] : root.on;
  if (Array.isArray(events)) root.on = Object.fromEntries(events.map((event) => [event, null]));
  for (const [event, filter] of Object.entries(change.filters)) Object.assign(mapAt(root, ['on', event]), filter);
}

const nodeAt = (root: Data, path: YamlPath): unknown =>
  path.reduce<unknown>((node, part) => (node as Data)[part], root);
const holderOf = (root: Data, path: YamlPath) => nodeAt(root, path.slice(0, -1)) as Data;

/** The map at a path, made where it is missing. */
function mapAt(root: Data, path: YamlPath): Data {
  return path.reduce<Data>((node, part) => {
    node[part] ??= {};
    return node[part] as Data;
  }, root);
}

function simple(node: unknown): unknown {
  if (Array.isArray(node)) {
    const items = node.filter((item) => item !== gone).map(simple);
    return items.length > 0 ? items : null;
  }
  if (typeof node !== 'object' || node === null) return node === null || node === undefined ? null : String(node);
  const entries = Object.entries(node).filter(([, value]) => value !== gone);
  return entries.length > 0 ? Object.fromEntries(entries.map(([key, value]) => [key, simple(value)])) : null;
}
