import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { OpenPullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import type { Bots } from '../../metrics/pull-requests/bots.ts';
import { scopeHoursToMerge, scopeMerges } from '../../metrics/pull-requests/merges.ts';
import { inHours, type MergeRecord, type Scope } from '../../metrics/pull-requests/pull-requests.ts';
import {
  findLongestWait,
  type OpenScope,
  scopeAwaitingReview,
  scopeOpen,
} from '../../metrics/pull-requests/scope-open.ts';
import type { MergedOfRepositories } from '../../store/merged-pull-requests.ts';
import { sampleCi } from '../ci/demo.ts';
import { type CiScope, readScope, type ScopeRepository } from '../ci/reading.ts';
import { type Comparison, findComparison, type Range } from '../kernel/period.ts';
import { findStoredFrom, isStored } from '../kernel/stored-coverage.ts';
import { judgeMerges } from '../overview/merge-verdicts.ts';
import { readMerges } from '../overview/merges.ts';
import { coverOpen, type OpenOfScope, readOpen } from './open.ts';
import type { ScopePullRequests } from './schema.ts';

type Answer = Domain<typeof ScopePullRequests>;
type Row = Answer['repositories'][number];

interface Input {
  org?: string | undefined;
  range: Range;
  compare: Comparison;
  bots?: Bots | undefined;
}

/** Pull requests of a scope, open ones as they were last read, from stored facts alone. */
export async function scopePullRequests({ org, range, compare, bots }: Input, context: Context): Promise<Answer> {
  const scope = await readScope({ org }, range, context, (items) => sampleCi(items, context));
  const compared = findComparison(compare, scope.window, scope.calendar);
  const [merges, open] = await Promise.all([readMerges(scope, { compared, bots }, context), readOpen(scope, context)]);
  const { people, lists, figures } = merges;
  const now = context.services.clock.now();
  const openScope = { people, bots, now };
  const rows = listRows(scope, { open, openScope, lists, compared });
  const covered = coverOpen(scope, open);
  const waits = rows.flatMap(({ longestWait }) => longestWait ?? []);
  return {
    org: org ?? null,
    range,
    compare,
    bots: bots ?? 'in',
    window: scope.window,
    comparison: compared,
    totals: {
      ...countOpen(
        [...open.values()].flatMap(({ items }) => items),
        openScope,
        open.size > 0,
      ),
      openComplete: covered.coverage.complete,
      merged: figures.prsMerged,
      mergedBefore: figures.prsMergedBefore,
      mergedVerdict: figures.prsMergedVerdict,
      medianHoursToMerge: figures.medianHoursToMerge,
      medianHoursToMergeBefore: figures.medianHoursToMergeBefore,
      hoursToMergeVerdict: figures.hoursToMergeVerdict,
      mergeSample: figures.mergeSample,
      mergeSampleBefore: figures.mergeSampleBefore,
    },
    longestWait: waits.sort((a, b) => a.since - b.since)[0] ?? null,
    days: merges.days,
    repositories: rows.sort(byWait),
    openAsOf: open.size === 0 ? null : Math.min(...[...open.values()].map(({ asOf }) => asOf)),
    openPullRequests: covered,
    mergedPullRequests: merges.repositories,
    mergedFrom: findStoredFrom(merges.stored),
    mergedThrough: merges.through,
    reposIncluded: scope.repositories.size,
    reposVisible: scope.visible,
    partial: merges.missing.length > 0 || !covered.coverage.complete,
    partialReasons: merges.missing,
    timezone: scope.calendar.timezone,
    generatedAt: merges.through ?? scope.window.to,
    dataSource: 'database',
  };
}

/** Those that wait longest first, then those with most open. */
const byWait = (a: Row, b: Row): number =>
  (a.longestWait?.since ?? Number.POSITIVE_INFINITY) - (b.longestWait?.since ?? Number.POSITIVE_INFINITY) ||
  (b.open ?? -1) - (a.open ?? -1) ||
  a.repo.localeCompare(b.repo, 'en');

const countOpen = (items: readonly OpenPullRequest[], scope: OpenScope, isRead: boolean) => ({
  open: isRead ? scopeOpen(scope)(items).value : null,
  awaitingReview: isRead ? scopeAwaitingReview(scope)(items).value : null,
});

interface Known {
  open: OpenOfScope;
  openScope: OpenScope;
  lists: { now: MergedOfRepositories; before: MergedOfRepositories | null };
  compared: Window | null;
}

function listRows(scope: CiScope, known: Known): Row[] {
  const merged = Map.groupBy(known.lists.now.pullRequests, ({ repoId }) => repoId);
  const before = Map.groupBy(known.lists.before?.pullRequests ?? [], ({ repoId }) => repoId);
  return [...scope.repositories.values()].map((repository) => ({
    repo: repository.name,
    ...openOf(repository, known),
    ...mergedOf(repository, scope, known, [merged.get(repository.id) ?? [], before.get(repository.id) ?? []]),
  }));
}

function openOf({ id, name }: ScopeRepository, { open, openScope }: Known) {
  const known = open.get(id);
  const longest = findLongestWait(known?.items ?? [], openScope);
  return {
    ...countOpen(known?.items ?? [], openScope, known !== undefined),
    openComplete: known?.complete ?? false,
    openAsOf: known?.asOf ?? null,
    longestWait: longest && {
      repo: name,
      number: longest.pullRequest.number,
      htmlUrl: longest.pullRequest.htmlUrl,
      since: longest.since,
      hours: inHours(openScope.now - longest.since) ?? 0,
    },
  };
}

function mergedOf(
  { id }: ScopeRepository,
  { window, calendar }: CiScope,
  { lists, compared, openScope: { people, bots, now } }: Known,
  [current, earlier]: [current: readonly MergeRecord[], earlier: readonly MergeRecord[]],
) {
  const stored = lists.now.stored.get(id);
  const isWhole = isStored(stored, window, now);
  const isCounted = lists.now.counted.includes(id);
  const measure = (merges: readonly MergeRecord[], of: Window) => {
    const scope: Scope = { window: of, people, bots };
    return { merged: scopeMerges(scope)(merges).value, hours: scopeHoursToMerge(scope)(merges) };
  };
  const figures = measure(current, window);
  const isCompared = compared !== null && lists.before !== null && isWhole && isStored(stored, compared, now);
  const before = compared && isCompared ? measure(earlier, compared) : null;
  const verdicts = judgeMerges(
    { pullRequests: current, window },
    compared && isCompared ? { pullRequests: earlier, window: compared } : null,
    { people, bots, calendar },
  );
  return {
    merged: isCounted ? figures.merged : null,
    mergedBefore: before?.merged ?? null,
    mergedVerdict: verdicts.merged,
    medianHoursToMerge: figures.hours.value,
    medianHoursToMergeBefore: before?.hours.value ?? null,
    hoursToMergeVerdict: verdicts.hours,
    mergeSample: figures.hours.sample,
    mergeSampleBefore: before?.hours.sample ?? null,
    partial: !isWhole,
  };
}
