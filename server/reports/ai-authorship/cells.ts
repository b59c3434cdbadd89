import type { FactRepository, SyncState } from '../../facts/fact-repository.ts';
import type { ComparedClass } from '../../metrics/ai-authorship/comparison/gather.ts';
import { countPullRequests, meetsFloor } from '../../metrics/ai-authorship/floors.ts';
import type { MarkedGroup } from '../../metrics/ai-authorship/groups.ts';
import { findHiddenCells } from '../../metrics/ai-authorship/hidden-cells.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { addMonths, type Month, startOfMonth } from './months.ts';
import type { MarksReading } from './source.ts';

export type ComparedRepository = Pick<Repository, 'id' | 'owner' | 'repo' | 'defaultBranch' | 'private'>;

/** What is compared of a repository. */
export interface RepositoryCells {
  repository: ComparedRepository;
  /** Oldest first. */
  months: Month[];
  /** Those of which the shares of both sides are shown: of others, a count would tell how many have a mark. */
  shown: Month[];
  /** From when on everything that ended is stored; null in the sample, which stores nothing. */
  storedFrom: Instant | null;
}

/** The repositories and months of a scope, each compared as a whole or not at all. */
export interface ComparedCells {
  cells: RepositoryCells[];
  /** All of the scope, with and without a mark: how many have one would tell of a month that it has, however small. */
  considered: number;
}

/** What of a reading of marks decides. */
export type MarkedScope = Pick<
  MarksReading,
  'groups' | 'rest' | 'readings' | 'months' | 'tableVersion' | 'now' | 'calendar'
> & { repositories: readonly ComparedRepository[] };

/** An outcome is followed for 30 days, also of what was opened on the last day of a month. */
const followedFor = 31 * dayMs;

/** What came of the pull requests of a month by then counts, for good. */
export const settledAt = (month: Month, calendar: Calendar): Instant =>
  startOfMonth(addMonths(month, 1), calendar) + followedFor;

/** What ended longer ago may be missing: the nightly reading is behind. */
const staleMs = 2 * dayMs;

/**
 * What of a scope can be compared: months that are settled, of repositories whose marks were read by this table and whose
 * pull requests are all stored, where both sides meet the floors. Which months and repositories are requested beside them
 * makes no difference.
 */
export async function listCells(
  scope: MarkedScope,
  compared: ComparedClass,
  facts: Pick<FactRepository, 'syncStates'> | null,
): Promise<ComparedCells> {
  const { groups, rest, repositories, months } = scope;
  const byMonth = Map.groupBy([...groups, ...rest], ({ month }) => month);
  const byRepository = Map.groupBy(groups, ({ repositoryId }) => repositoryId);
  const found: ComparedCells = { cells: [], considered: repositories.length * months.all.length };
  let isAnyMarked = false;
  for (const repository of repositories) {
    const own = Map.groupBy(byRepository.get(repository.id) ?? [], ({ month }) => month);
    const wanted = months.all.filter(
      (month) => isMarkedBy(scope, repository, month) && areSidesEnough(own.get(month), compared),
    );
    const stored = await storedMonths(wanted, repository, scope, facts);
    if (stored.months.length === 0) continue;
    const shown = stored.months.filter((month) =>
      areSharesShown(own.get(month) ?? [], byMonth.get(month) ?? [], compared),
    );
    found.cells.push({ repository, ...stored, shown });
    isAnyMarked ||= stored.months.some((month) => markedOf(own.get(month), compared).length > 0);
  }
  return isAnyMarked ? found : { ...found, cells: [] };
}

/** By the table of now, and after the month was settled; of a pass that is underway, below what it reads anew. */
function isMarkedBy(
  { readings, tableVersion, now, calendar }: MarkedScope,
  { id }: ComparedRepository,
  month: Month,
): boolean {
  const reading = readings.get(id);
  const settled = settledAt(month, calendar);
  if (reading?.version !== tableVersion || settled > now) return false;
  return settled <= (reading.readThrough ?? 0) && settled <= (reading.pass?.until ?? Number.POSITIVE_INFINITY);
}

const markedOf = (own: readonly MarkedGroup[] = [], { class: wanted, agent }: ComparedClass): MarkedGroup[] =>
  own.filter((one) => one.class === wanted && (agent === null || one.agent === agent) && one.prs > 0);

/**
 * Whether there are enough of both sides, as far as their authors are stored: what is fewer costs no request. Those without
 * a mark are averaged where there is no other, too.
 */
function areSidesEnough(own: readonly MarkedGroup[] = [], compared: ComparedClass): boolean {
  const marked = markedOf(own, compared);
  const unmarked = own.filter((one) => one.class === 'unmarked');
  if (marked.length === 0 && compared.agent !== null) return false;
  return meetsFloor(marked) && countPullRequests(unmarked) > 0 && meetsFloor(unmarked);
}

/** Whether whoever sees these repositories is shown the shares of both sides in one of them. */
function areSharesShown(
  own: readonly MarkedGroup[],
  ofMonth: readonly MarkedGroup[],
  { class: wanted }: ComparedClass,
): boolean {
  const isOwn = new Set(own);
  const hidden = findHiddenCells(
    own,
    ofMonth.filter((one) => !isOwn.has(one)),
  );
  return !hidden.has(wanted) && !hidden.has('unmarked');
}

async function storedMonths(
  months: Month[],
  repository: ComparedRepository,
  { now, calendar }: MarkedScope,
  facts: Pick<FactRepository, 'syncStates'> | null,
): Promise<Omit<RepositoryCells, 'repository' | 'shown'>> {
  if (facts === null) return { months, storedFrom: null };
  const states: SyncState[] = months.length === 0 ? [] : await facts.syncStates(repository);
  const state = states.find(({ kind }) => kind === 'pull_requests');
  if (!state || state.capped || state.through < now - staleMs) return { months: [], storedFrom: null };
  return {
    months: months.filter(
      (month) => startOfMonth(month, calendar) >= state.floor && settledAt(month, calendar) <= state.through,
    ),
    storedFrom: state.floor,
  };
}
