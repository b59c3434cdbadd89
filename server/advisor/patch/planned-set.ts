import { findInvisible, findTurning } from '../../scan/hidden-characters.ts';
import { type Change, type ChangeSet, type Edit, formatPath, type YamlPath } from './change.ts';
import { leaveNothing, overlap } from './conflicts.ts';
import { planAppend, planInsert } from './insert.ts';
import type { Splice } from './lines.ts';
import type { Plan } from './plan.ts';
import { Refused } from './refused.ts';
import { planRemove } from './remove.ts';
import { planReplace } from './replace.ts';
import type { Source } from './source.ts';
import { planTriggers } from './triggers.ts';

/** How the changes of a recommendation are made. */
export interface PlannedSet {
  set: ChangeSet;
  changes: PlannedChange[];
}

export interface PlannedChange extends Plan {
  change: Change;
  edits: Edit[];
}

/** Refuses a set that overlaps one before it, and one whose own changes do. */
export function planSet(source: Source, set: ChangeSet, before: readonly PlannedSet[]): PlannedSet {
  const changes: PlannedChange[] = [];
  for (const change of set.changes) {
    const plan = planChange(source, change);
    if (plan.splices.length === 0) continue;
    const path = pathOf(change);
    if (plan.splices.length > maxSplices) throw new Refused('unusual_yaml', 'It would change too many lines.', path);
    for (const splice of plan.splices) refuseUnreadable(source, splice, path);
    const edits = plan.splices.map((splice) => ({ ...splice, path: formatPath(path), kind: set.kind }));
    const planned = { ...plan, change, edits };
    const sets = [...before, { set, changes }];
    const other = sets.find((one) => overlap(planned, one.changes));
    const offsets = edits.slice(0, 1).map(({ offset }) => offset);
    if (other) throw new Refused('conflicts_with', `${other.set.kind} changes the same.`, path, offsets);
    if (
      leaveNothing(
        planned,
        sets.flatMap((one) => one.changes),
      )
    )
      throw new Refused('conflicts_with', 'Together with the others it would leave nothing.', path, offsets);
    changes.push(planned);
  }
  return { set, changes };
}

export function planChange(source: Source, change: Change): Plan {
  switch (change.do) {
    case 'insert':
      return planInsert(source, change);
    case 'append':
      return planAppend(source, change);
    case 'replace':
      return planReplace(source, change);
    case 'remove':
      return planRemove(source, change);
    case 'filter-triggers':
      return planTriggers(source, change);
  }
}

/** What a change concerns. */
export function pathOf(change: Change): YamlPath {
  if (change.do === 'filter-triggers') return ['on'];
  return change.do === 'insert' ? [...change.at, change.key] : change.at;
}

/** Far more than a file that people write needs; it bounds what a comparison of lines can take. */
const [maxSplices, maxLines] = [100, 500];

/** What cannot be seen in the lines that a person will compare is not patched around. */
function refuseUnreadable({ text, lines }: Source, { offset, end }: Splice, path: YamlPath) {
  const [from, to] = [Math.max(0, offset === end ? offset - 1 : offset), Math.max(offset, end - 1)];
  const [first, last] = [lines.of(from), lines.of(to)];
  if (last - first > maxLines) throw new Refused('unusual_yaml', 'It would change too many lines.', path, [from]);
  const touched = text.slice(lines.start(first), lines.start(last + 1));
  if (touched.includes('\t')) throw new Refused('tabs', 'There are tabs in these lines.', path, [from]);
  if (findTurning(touched).length + findInvisible(touched).length > 0)
    throw new Refused('hidden_characters', 'There are characters in these lines that cannot be seen.', path, [from]);
}
