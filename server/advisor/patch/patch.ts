import type { ChangeSet, Patch, PatchCheck, PatchRefusal } from './change.ts';
import { orderEdits } from './conflicts.ts';
import { formatDiff } from './diff.ts';
import { type PlannedSet, planSet } from './planned-set.ts';
import { Refused } from './refused.ts';
import { nodesBelow, readSource, type Source } from './source.ts';
import { findDefect } from './verify.ts';

export interface PatchResult {
  /** null when nothing is changed. */
  patch: Patch | null;
  refused: { id: string; refusal: PatchRefusal }[];
}

/**
 * Changes a workflow file in place, without writing it anew. Pure; never throws; each patch has passed its
 * verification. Of sets that touch the same, the one of the lower kind is made.
 */
export function patchFile(
  file: { path: string; text: string },
  sets: readonly ChangeSet[],
  check: PatchCheck,
): PatchResult {
  const source = readSource(file.text);
  const refused: PatchResult['refused'] = [];
  const refuse = ({ id }: ChangeSet, reason: Refused) => refused.push({ id, refusal: reason.toRefusal(source) });
  const planned = planSets(source, sets, refuse);
  const build = (chosen: readonly PlannedSet[]) => buildPatch(file.path, source, chosen);
  const sound = keepSound(planned, (chosen) => findDefect(source, chosen, build(chosen), check), refuse);
  return { patch: sound.length > 0 ? build(sound) : null, refused };
}

type Refuse = (set: ChangeSet, reason: Refused) => void;

/** The sets in which something is to be done, and which can be made together. */
function planSets(source: Source, sets: readonly ChangeSet[], refuse: Refuse): PlannedSet[] {
  const planned: PlannedSet[] = [];
  for (const set of sets.toSorted(byKind)) {
    try {
      refuseFile(source);
      const one = planSet(source, set, planned);
      if (one.changes.length > 0) planned.push(one);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refuse(set, error);
    }
  }
  return planned;
}

const byKind = (one: ChangeSet, other: ChangeSet) => {
  const [key, otherKey] = [`${one.kind} ${one.id}`, `${other.kind} ${other.id}`];
  return key < otherKey ? -1 : Number(key > otherKey);
};

/** What no part of a file may be changed with. */
function refuseFile({ text, syntax }: Source) {
  const { problem, documents, hasDirectives, root } = syntax;
  if (problem) throw new Refused('unusual_yaml', `It does not parse: ${problem.message}.`, null, [problem.offset]);
  if (documents !== 1 || hasDirectives) throw new Refused('unusual_yaml', 'It is not one plain document.');
  if (!text.includes('<<')) return;
  for (const node of nodesBelow(root))
    for (const { key } of node.kind === 'map' ? node.entries : [])
      if (key.kind === 'scalar' && key.value === '<<')
        throw new Refused('shared_node', 'It has merge keys, which are read in different ways.', null, [key.start]);
}

/** All that pass the verification together; when they do not, those that pass it one after the other. */
function keepSound(
  planned: readonly PlannedSet[],
  getDefect: (chosen: readonly PlannedSet[]) => string | null,
  refuse: Refuse,
): readonly PlannedSet[] {
  if (planned.length === 0 || getDefect(planned) === null) return planned;
  const sound: PlannedSet[] = [];
  for (const one of planned) {
    const defect = getDefect([...sound, one]);
    if (defect === null) sound.push(one);
    else
      refuse(
        one.set,
        new Refused('not_verified', `The patch was not verified: ${defect}.`, one.changes[0]?.claims[0] ?? null),
      );
  }
  return sound;
}

function buildPatch(path: string, { text }: Source, sets: readonly PlannedSet[]): Patch {
  const edits = orderEdits(sets);
  let [patched, at] = ['', 0];
  for (const { offset, end, insert } of edits) {
    patched += text.slice(at, offset) + insert;
    at = end;
  }
  patched += text.slice(at);
  return { text: patched, edits, diff: formatDiff(path, text, patched) };
}
