import type { ChangeSet, Patch, PatchCheck, PatchRefusal, RefusalCode } from './change.ts';
import { orderEdits } from './conflicts.ts';
import { formatDiff } from './diff.ts';
import { type PlannedSet, planSet } from './planned-set.ts';
import { Refused } from './refused.ts';
import { nodesBelow, Source } from './source.ts';
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
  const source = new Source(file.text);
  const refused: PatchResult['refused'] = [];
  const refuse = ({ id }: ChangeSet, reason: Refused) => refused.push({ id, refusal: reason.toWireReason(source) });
  const planned = planSets(source, sets, refuse);
  const attempt = (chosen: readonly PlannedSet[]): Attempt => {
    const patch = buildPatch(file.path, source, chosen);
    return {
      patch,
      refusal: check.showsCredential(patch.diff) ? showsCredential : toDefect(findDefect(source, chosen, patch, check)),
    };
  };
  return { patch: planned.length > 0 ? makeSound(planned, attempt, refuse) : null, refused };
}

interface Attempt {
  patch: Patch;
  /** How the last set of it is refused; null for a patch that passed its verification. */
  refusal: ((last: PlannedSet) => Refused) | null;
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

/** The patch of all sets; when it does not pass its verification, that of those that pass it one after the other. */
function makeSound(
  planned: readonly PlannedSet[],
  attempt: (chosen: readonly PlannedSet[]) => Attempt,
  refuse: Refuse,
): Patch | null {
  const all = attempt(planned);
  if (all.refusal === null) return all.patch;
  let [sound, patch]: [PlannedSet[], Patch | null] = [[], null];
  for (const one of planned) {
    const next = attempt([...sound, one]);
    if (next.refusal === null) [sound, patch] = [[...sound, one], next.patch];
    else refuse(one.set, next.refusal(one));
  }
  return patch;
}

const toDefect = (defect: string | null): Attempt['refusal'] =>
  defect === null ? null : (last) => refuseSet(last, 'not_verified', `The patch was not verified: ${defect}.`);

const showsCredential = (last: PlannedSet) =>
  refuseSet(last, 'shows_credential', 'A hard-coded credential is in these lines. Revoke it and remove it first.');

const refuseSet = ({ changes }: PlannedSet, code: RefusalCode, text: string) =>
  new Refused(
    code,
    text,
    changes[0]?.claims[0] ?? null,
    changes[0]?.edits.slice(0, 1).map(({ offset }) => offset),
  );

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
