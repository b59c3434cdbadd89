import { type Interval, rateInterval } from '../kernel/intervals.ts';
import { type AuthorshipClass, authorshipClasses, type MarkKind, markKinds } from './classes.ts';
import { countPullRequests, hasEnoughAuthors } from './floors.ts';
import type { MarkedGroup } from './groups.ts';
import { agentCell, type Cell, findHiddenCells, isByConvention, isMarked } from './hidden-cells.ts';
import { hasKind, isBranchOnly } from './mark-bits.ts';

/** A number of pull requests with its share; null where it is hidden. */
export interface Share {
  prs: number | null;
  sharePct: number | null;
  interval: Interval | null;
  /** false where it is hidden, whoever wrote them. */
  authorsFloorMet: boolean;
  suppressed: boolean;
}

export interface Shares {
  /** Of pull requests that are no automation; that of automation is of all. */
  classes: (Share & { class: AuthorshipClass })[];
  /** Of agent-authored ones, the most first. */
  agents: (Pick<Share, 'prs' | 'sharePct' | 'suppressed'> & { agent: string })[];
  marks: { kind: MarkKind; prs: number | null }[];
  branchOnly: number | null;
  sensitivity: { withBranchOnlyPct: number | null; recordsOnlyPct: number | null };
  /** Whether enough people are known to have written any of them. */
  isScopeShown: boolean;
}

/**
 * What share of pull requests carries which mark, with the floors of section 3.7 of the contract. `rest` are those of
 * the organization outside of the one repository that is requested: what is shown of both must not show a few people.
 */
export function measureShares(groups: readonly MarkedGroup[], rest: readonly MarkedGroup[]): Shares {
  const byClass = Map.groupBy(groups, (one) => one.class);
  const of = (one: AuthorshipClass) => byClass.get(one) ?? [];
  const isScopeShown = hasEnoughAuthors(groups.filter((one) => one.class !== 'automation'));
  const hidden = findHiddenCells(groups, rest);
  const isShown = (own: AuthorshipClass): boolean =>
    isScopeShown && (own === 'automation' || own === 'unread' || !hidden.has(own));
  const total = countPullRequests(groups.filter((one) => one.class !== 'automation'));
  const classes = authorshipClasses.map((own) => ({
    class: own,
    ...toShare(of(own), { total: own === 'automation' ? countPullRequests(groups) : total, isShown: isShown(own) }),
  }));
  return {
    classes,
    agents: isShown('agent_authored') ? measureAgents(of('agent_authored'), { hidden, total }) : [],
    ...measureMarks(groups, { hidden, isShown, total }),
    isScopeShown,
  };
}

interface ShareOptions {
  total: number;
  isShown: boolean;
}

function toShare(groups: readonly MarkedGroup[], { total, isShown }: ShareOptions): Share {
  if (!isShown) return { prs: null, sharePct: null, interval: null, authorsFloorMet: false, suppressed: true };
  const prs = countPullRequests(groups);
  const interval = rateInterval(prs, total);
  return {
    prs,
    sharePct: toPercent(prs, total),
    interval: interval && { low: Math.round(interval.low), high: Math.round(interval.high) },
    authorsFloorMet: hasEnoughAuthors(groups),
    suppressed: false,
  };
}

const toPercent = (count: number, total: number) => (total === 0 ? null : Math.round((100 * count) / total));

interface HiddenOptions {
  hidden: ReadonlySet<Cell>;
  total: number;
}

/** By agent, the most first; the order of hidden ones says nothing of their number. */
function measureAgents(groups: readonly MarkedGroup[], { hidden, total }: HiddenOptions): Shares['agents'] {
  const byAgent = Map.groupBy(groups, ({ agent }) => agent ?? 'Several');
  return [...byAgent]
    .map(([agent, own]) => ({ agent, count: countPullRequests(own), suppressed: hidden.has(agentCell(agent)) }))
    .toSorted((one, other) => rank(other) - rank(one) || (one.agent < other.agent ? -1 : 1))
    .map(({ agent, count, suppressed }) => ({
      agent,
      prs: suppressed ? null : count,
      sharePct: suppressed ? null : toPercent(count, total),
      suppressed,
    }));
}

const rank = ({ count, suppressed }: { count: number; suppressed: boolean }) => (suppressed ? 0 : count);

interface MarkOptions extends HiddenOptions {
  isShown(own: AuthorshipClass): boolean;
}

/** How often each kind of mark was found, and what other rules would count. */
function measureMarks(
  groups: readonly MarkedGroup[],
  { hidden, isShown, total }: MarkOptions,
): Pick<Shares, 'marks' | 'branchOnly' | 'sensitivity'> {
  const areMarksShown = isShown('agent_authored') && isShown('ai_assisted');
  const marked = groups.filter(isMarked);
  const countOfMarked = (cell: Cell, isCounted: (one: MarkedGroup) => boolean): number | null =>
    areMarksShown && !hidden.has(cell) ? countPullRequests(marked.filter(isCounted)) : null;
  const byConvention = countOfMarked('by_convention', isByConvention);
  const branchOnly =
    isShown('unmarked') && !hidden.has('branch_only')
      ? countPullRequests(groups.filter(({ kinds }) => isBranchOnly(kinds)))
      : null;
  const count = countPullRequests(marked);
  return {
    marks: markKinds.map((kind) => ({ kind, prs: countOfMarked(`kind ${kind}`, ({ kinds }) => hasKind(kinds, kind)) })),
    branchOnly,
    sensitivity: {
      withBranchOnlyPct: areMarksShown && branchOnly !== null ? toPercent(count + branchOnly, total) : null,
      recordsOnlyPct: byConvention !== null ? toPercent(count - byConvention, total) : null,
    },
  };
}
