import { type AuthorshipClass, authoringKinds, type MarkKind, markKinds } from './classes.ts';
import { hasEnoughAuthors, meetsFloor, withComplement } from './floors.ts';
import type { MarkedGroup } from './groups.ts';
import { hasKind, isBranchOnly } from './mark-bits.ts';

/** What shares are of, but those that were not read: their number is of the reading, not of people. */
const countedClasses = ['agent_authored', 'ai_assisted', 'unmarked'] as const;

/** A number that is shown or hidden. */
export type Cell =
  | (typeof countedClasses)[number]
  | `agent ${string}`
  | `kind ${MarkKind}`
  | 'branch_only'
  | 'by_convention';

type Cells = ReadonlyMap<Cell, readonly MarkedGroup[]>;

/**
 * Which numbers of a scope are hidden in a window. Months decide: a window is shown where every month of it is, so that no
 * two windows differ by a month that is hidden. `rest` are the pull requests of the other repositories of its
 * organization, where the scope is one repository.
 */
export function findHiddenCells(groups: readonly MarkedGroup[], rest: readonly MarkedGroup[]): ReadonlySet<Cell> {
  const restByMonth = Map.groupBy(rest, ({ month }) => month);
  const byMonth = Map.groupBy(
    groups.filter((one) => one.class !== 'automation'),
    ({ month }) => month,
  );
  const hidden = new Set<Cell>();
  for (const [month, own] of byMonth)
    for (const cell of hideInMonth(own, restByMonth.get(month) ?? [])) hidden.add(cell);
  return hidden;
}

/**
 * Of one repository a number is hidden where those of the others of its organization together would show a few people; of
 * an organization, where those of its repositories that are hidden would.
 */
function hideInMonth(groups: readonly MarkedGroup[], rest: readonly MarkedGroup[]): ReadonlySet<Cell> {
  const whole = toCells(rest.length === 0 ? groups : [...groups, ...rest]);
  const parts = [...Map.groupBy(groups, ({ repositoryId }) => repositoryId)].map(([id, own]) => {
    const cells = own.length === groups.length && rest.length === 0 ? whole : toCells(own);
    const outside = (cell: Cell) => (whole.get(cell) ?? []).filter(({ repositoryId }) => repositoryId !== id);
    return { cells, hidden: hide(own, cells, outside) };
  });
  const [first] = parts;
  if (first && parts.length === 1) return first.hidden;
  return hide(groups, whole, (cell) =>
    parts.flatMap(({ cells, hidden }) => (hidden.has(cell) ? (cells.get(cell) ?? []) : [])),
  );
}

/** `beside` is what follows of other scopes from the number of a cell. */
function hide(
  groups: readonly MarkedGroup[],
  cells: Cells,
  beside: (cell: Cell) => Iterable<MarkedGroup>,
): ReadonlySet<Cell> {
  if (!hasEnoughAuthors(groups)) return new Set(cells.keys());
  const few = [...cells].filter(
    ([cell, own]) => !meetsFloor(own) || !meetsFloor(beside(cell)) || !meetsFloor(remainderOf(cell, own, groups)),
  );
  const hidden = new Set(few.map(([cell]) => cell));
  for (const family of [isClass, isAgent, isAuthoring, isAssisting]) {
    const total = new Map([...cells].filter(([cell]) => family(cell)));
    for (const cell of withComplement(total, hidden)) hidden.add(cell);
  }
  for (const cell of cells.keys()) if (classesOf(cell).some((one) => hidden.has(one))) hidden.add(cell);
  return hidden;
}

function toCells(groups: readonly MarkedGroup[]): Cells {
  const marked = groups.filter(isMarked);
  const byAgent = Map.groupBy(
    groups.filter((one) => one.class === 'agent_authored'),
    ({ agent }) => agentCell(agent),
  );
  return new Map<Cell, readonly MarkedGroup[]>([
    ...countedClasses.map((own) => [own, groups.filter((one) => one.class === own)] as const),
    ...byAgent,
    ...markKinds.map((kind) => [`kind ${kind}`, marked.filter(({ kinds }) => hasKind(kinds, kind))] as const),
    ['branch_only', groups.filter(({ kinds }) => isBranchOnly(kinds))],
    ['by_convention', marked.filter(isByConvention)],
  ]);
}

/** The cell of an agent; without one several took part. */
export const agentCell = (agent: string | null) => `agent ${agent ?? 'Several'}` as const;

export const isMarked = (one: MarkedGroup): boolean => one.class === 'agent_authored' || one.class === 'ai_assisted';

/** A label or a branch, and no record. */
export const isByConvention = ({ kinds }: MarkedGroup): boolean => !recordKinds.some((kind) => hasKind(kinds, kind));

/** Kinds of mark that are records; a label or a branch is a convention. */
const recordKinds = ['author_account', 'author_app', 'commit_authors', 'co_author', 'trailer'] as const;

const isClass = (cell: Cell) => countedClasses.some((one) => one === cell);
const isAgent = (cell: Cell) => cell.startsWith('agent ');
const isAuthoring = (cell: Cell) => authoringKinds.some((kind) => cell === `kind ${kind}`);
const isAssisting = (cell: Cell) => cell.startsWith('kind ') && !isAuthoring(cell);

/** The classes without whose numbers a cell is not shown. */
function classesOf(cell: Cell): readonly (typeof countedClasses)[number][] {
  if (isClass(cell)) return [];
  if (isAgent(cell)) return ['agent_authored'];
  return cell === 'branch_only' ? ['unmarked'] : ['agent_authored', 'ai_assisted'];
}

/** What a cell leaves of the classes that it is a part of; classes and agents are parts of totals, see `withComplement`. */
function remainderOf(cell: Cell, own: readonly MarkedGroup[], groups: readonly MarkedGroup[]): Iterable<MarkedGroup> {
  if (isClass(cell) || isAgent(cell)) return [];
  const classes: readonly AuthorshipClass[] =
    cell === 'branch_only'
      ? ['unmarked', 'unread']
      : isAuthoring(cell)
        ? ['agent_authored']
        : ['agent_authored', 'ai_assisted'];
  const isOwn = new Set(own);
  return groups.filter((one) => classes.includes(one.class) && !isOwn.has(one));
}
