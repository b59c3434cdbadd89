import type { Domain } from '../../api/wire.ts';
import type { FactSet } from '../../facts/facts.ts';
import type { Issue } from '../../metrics/kernel/delivery-facts.ts';
import { dayMs, isWithin, lastDaysWindow, type Window, windowBefore } from '../../metrics/kernel/window.ts';
import { isOpenIssue } from '../../metrics/pull-requests/issues.ts';
import { type Coverage, toCoverage } from '../kernel/coverage.ts';
import type { RepositoryFacts } from '../repositories/facts.ts';

/** The issues that the figures of a period are made of. */
export interface IssuesReading {
  /** Open, or closed in the window. */
  issues: Issue[];
  /** Ends when the facts were read. */
  window: Window;
  set: FactSet<Issue>;
  /** Complete where a cap was met only by closings before the window. */
  coverage: Domain<typeof Coverage>;
  /** The period before; null when it is not known from its start on, and complete. */
  before: Window | null;
}

/** Issues of a repository whose visibility was proved. Throws `issues_disabled` and the other problems of the platform. */
export async function readIssues({ read, now, repository }: RepositoryFacts, days: number): Promise<IssuesReading> {
  const since = now - quarterDays * dayMs;
  const set = await read('issues', { since, maxAgeMs: 5 * 60_000 });
  const window = lastDaysWindow(days, set.asOf);
  const issues = set.items.filter((one) => isOpenIssue(one) || isWithin(one.closedAt, window));
  const earlier = windowBefore(window, Math.max(since, repository.createdAt ?? since));
  const before = earlier && coverageIn(set, set.items, earlier).complete ? earlier : null;
  return { issues, window, set, coverage: coverageIn(set, issues, window), before };
}

/** The reading that all windows of a quarter share. */
const quarterDays = 92;
/** Open ones, and closed ones, that a first reading brings. */
const maxIssues = 1000;

function coverageIn(set: FactSet<Issue>, issues: readonly Issue[], window: Window) {
  const open = issues.filter(isOpenIssue).length;
  // Those that vanished meanwhile make more than the platform counts.
  const allOpen = set.openCount !== null && open === set.openCount;
  const isComplete = !set.partial || (set.capped && allOpen && reachesBack(set, window));
  return toCoverage({
    read: issues.length,
    expected: isComplete ? issues.length : null,
    cap: set.capped ? maxIssues : null,
    reasons: isComplete ? [] : [set.capped ? 'page_cap' : 'sub_fetch_failed'],
  });
}

/** A cap ends the reading of closed issues by their last update, which is never before the closing. */
function reachesBack({ items }: FactSet<Issue>, { from }: Window): boolean {
  return items.some((one) => !isOpenIssue(one) && one.updatedAt <= from);
}
