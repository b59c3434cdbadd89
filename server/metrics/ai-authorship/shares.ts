import { type Interval, rateInterval } from '../kernel/intervals.ts';
import { type AuthorshipClass, authorshipClasses, type MarkKind, markKinds } from './classes.ts';
import { countPullRequests, hasEnoughAuthors, mayShow, withComplement } from './floors.ts';
import type { MarkedGroup } from './groups.ts';
import { hasKind, isBranchOnly } from './mark-bits.ts';

/** A number of pull requests with its share; null where it is hidden. */
export interface Share {
  prs: number | null;
  sharePct: number | null;
  interval: Interval | null;
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
 * the organization outside of the one repository that is asked for: what is shown of both must not show a few people.
 */
export function measureShares(groups: readonly MarkedGroup[], rest: readonly MarkedGroup[]): Shares {
  const byClass = Map.groupBy(groups, (one) => one.class);
  const of = (one: AuthorshipClass) => byClass.get(one) ?? [];
  const isScopeShown = hasEnoughAuthors(groups.filter((one) => one.class !== 'automation'));
  const isShown = (own: AuthorshipClass): boolean => {
    if (own === 'unread') return isScopeShown;
    const areOfPeople = own !== 'automation' && own !== 'agent_authored';
    const outside = rest.filter((one) => one.class === own);
    const isIsolating = areOfPeople && outside.length > 0 && !hasEnoughAuthors(outside);
    return isScopeShown && !isIsolating && mayShow(of(own), { areOfPeople });
  };
  const cells = counted.map((own) => [own, { prs: countPullRequests(of(own)), isShown: isShown(own) }] as const);
  const shown = withComplement(new Map<AuthorshipClass, (typeof cells)[number][1]>(cells));
  for (const own of ['automation', 'unread'] as const) if (isShown(own)) shown.add(own);
  const total = countPullRequests(groups.filter((one) => one.class !== 'automation'));
  const classes = authorshipClasses.map((own) => ({
    class: own,
    ...toShare(of(own), { total: own === 'automation' ? countPullRequests(groups) : total, isShown: shown.has(own) }),
  }));
  return {
    classes,
    agents: shown.has('agent_authored') ? measureAgents(of('agent_authored'), total) : [],
    ...measureMarks(groups, { shown, total }),
    isScopeShown,
  };
}

/** What shares are of, but those that were not read: their number is of the reading, not of people. */
const counted = ['agent_authored', 'ai_assisted', 'unmarked'] as const satisfies AuthorshipClass[];

interface ShareOptions {
  total: number;
  isShown: boolean;
}

function toShare(groups: readonly MarkedGroup[], { total, isShown }: ShareOptions): Share {
  const authorsFloorMet = hasEnoughAuthors(groups);
  if (!isShown) return { prs: null, sharePct: null, interval: null, authorsFloorMet, suppressed: true };
  const prs = countPullRequests(groups);
  const interval = rateInterval(prs, total);
  return {
    prs,
    sharePct: toPercent(prs, total),
    interval: interval && { low: Math.round(interval.low), high: Math.round(interval.high) },
    authorsFloorMet,
    suppressed: false,
  };
}

const toPercent = (count: number, total: number) => (total === 0 ? null : Math.round((100 * count) / total));

/** By agent; accounts of machines are no people, so that the number of pull requests alone decides. */
function measureAgents(groups: readonly MarkedGroup[], total: number): Shares['agents'] {
  const byAgent = Map.groupBy(groups, ({ agent }) => agent ?? 'Several');
  const cells = [...byAgent].map(
    ([agent, own]) => [agent, { prs: countPullRequests(own), isShown: mayShow(own, { areOfPeople: false }) }] as const,
  );
  const shown = withComplement(new Map(cells));
  return cells
    .toSorted(([one, a], [other, b]) => b.prs - a.prs || (one < other ? -1 : 1))
    .map(([agent, { prs }]) => {
      const isShown = shown.has(agent);
      return {
        agent,
        prs: isShown ? prs : null,
        sharePct: isShown ? toPercent(prs, total) : null,
        suppressed: !isShown,
      };
    });
}

interface MarkOptions {
  shown: ReadonlySet<AuthorshipClass>;
  total: number;
}

/** How often each kind of mark was found, and what other rules would count. */
function measureMarks(
  groups: readonly MarkedGroup[],
  { shown, total }: MarkOptions,
): Pick<Shares, 'marks' | 'branchOnly' | 'sensitivity'> {
  const countOrNull = (own: readonly MarkedGroup[], areOfPeople = true): number | null =>
    own.every((one) => shown.has(one.class)) && mayShow(own, { areOfPeople }) ? countPullRequests(own) : null;
  const areMarksShown = shown.has('agent_authored') && shown.has('ai_assisted');
  const marked = groups.filter((one) => one.class === 'agent_authored' || one.class === 'ai_assisted');
  const byConvention = countOrNull(marked.filter(({ kinds }) => !recordKinds.some((kind) => hasKind(kinds, kind))));
  const branchOnly = shown.has('unmarked') ? countOrNull(groups.filter(({ kinds }) => isBranchOnly(kinds))) : null;
  const count = countPullRequests(marked);
  return {
    marks: markKinds.map((kind) => ({
      kind,
      prs: areMarksShown
        ? countOrNull(
            marked.filter(({ kinds }) => hasKind(kinds, kind)),
            kind !== 'author_account',
          )
        : null,
    })),
    branchOnly,
    sensitivity: {
      withBranchOnlyPct: areMarksShown && branchOnly !== null ? toPercent(count + branchOnly, total) : null,
      recordsOnlyPct: areMarksShown && byConvention !== null ? toPercent(count - byConvention, total) : null,
    },
  };
}

/** Kinds of mark that are records; a label or a branch is a convention. */
const recordKinds = ['author_account', 'author_app', 'commit_authors', 'co_author', 'trailer'] as const;
