import type { Context } from '../../access/context.ts';
import { readFacts } from '../../facts/facts.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import { getOutcome, isConclusive } from '../../metrics/kernel/outcome.ts';
import { isWithin, type Window } from '../../metrics/kernel/window.ts';
import { getEndedAt, type MergeRecord } from '../../metrics/pull-requests/pull-requests.ts';
import { getQueueWait } from '../../metrics/runs/queue-wait.ts';
import { getDuration } from '../../metrics/runs/workflow-runs.ts';
import type { CountedValue, DayOutcomes } from '../../store/window-runs.ts';
import { listAllRuns } from '../ci/demo.ts';
import type { StoredScope } from '../ci/reading.ts';
import type { StoredWindows } from '../kernel/stored-coverage.ts';
import { findDayOf, type Period } from './periods.ts';

/** What figures are made of: runs are stored by one synchronization, pull requests by another. */
export type ComparedKind = 'runs' | 'pull_requests';

/** Where the facts of both periods come from. */
export interface ComparisonSource {
  windows(kind: ComparedKind): Promise<StoredWindows>;
  outcomes(repoIds: readonly number[], period: Period): Promise<DayOutcomes[]>;
  durations(repoIds: readonly number[], window: Window): Promise<CountedValue[]>;
  waits(repoIds: readonly number[], window: Window): Promise<CountedValue[]>;
  merges(repoIds: readonly number[], window: Window): Promise<MergeRecord[]>;
  /** Merged or closed ones. */
  ended(repoIds: readonly number[], window: Window): Promise<(PullRequest & { repoId: number })[]>;
}

/** Metrics of the same facts of a period read them once. */
export function findSource(scope: StoredScope, context: Context): ComparisonSource {
  const source = context.isDemo ? sampleSource(scope, context) : storedSource(scope, context);
  const outcomes = new Map<Window, Promise<DayOutcomes[]>>();
  const ended = new Map<Window, ReturnType<ComparisonSource['ended']>>();
  return {
    ...source,
    outcomes(repoIds, period) {
      const read = outcomes.get(period.window) ?? source.outcomes(repoIds, period);
      outcomes.set(period.window, read);
      return read;
    },
    ended(repoIds, window) {
      const read = ended.get(window) ?? source.ended(repoIds, window);
      ended.set(window, read);
      return read;
    },
  };
}

function storedSource({ source, repositories }: StoredScope, { store }: Context): ComparisonSource {
  const all = [...repositories.keys()];
  const { windowRuns } = store;
  return {
    windows: (kind) => (kind === 'runs' ? source.storedWindows(all) : store.pullRequestWindows(all)),
    outcomes: (repoIds, { window, days }) => windowRuns.outcomes(repoIds, window, days),
    durations: windowRuns.durations,
    waits: windowRuns.waits,
    merges: async (repoIds, window) => (await store.mergedPullRequests(repoIds, window)).pullRequests,
    ended: store.endedPullRequests,
  };
}

/** The sample organization has no database: its figures come from the facts that a database would hold. */
function sampleSource({ source, repositories }: StoredScope, context: Context): ComparisonSource {
  const all = [...repositories.keys()];
  const readEach = async <Fact>(repoIds: readonly number[], read: (name: string, id: number) => Promise<Fact[]>) => {
    const wanted = [...repositories.values()].filter(({ id }) => repoIds.includes(id));
    return (await Promise.all(wanted.map(({ name, id }) => read(name, id)))).flat();
  };
  const getRepository = async (name: string) => {
    const [owner = '', repo = ''] = name.split('/');
    return (await context.codehost()).repositories.get({ owner, repo });
  };
  const listRuns = (repoIds: readonly number[], window: Window) =>
    readEach(repoIds, async (name) => listAllRuns(await context.codehost(), await getRepository(name), window));
  const listEnded = (repoIds: readonly number[], window: Window) =>
    readEach(repoIds, async (name, repoId) => {
      const { facts, clock } = context.services;
      const reading = { codehost: await context.codehost(), factRepository: facts, clock };
      const request = { since: window.from, maxAgeMs: window.to - window.from };
      const { items } = await readFacts(reading, await getRepository(name), 'pull_requests', request);
      return items.filter((one) => isWithin(getEndedAt(one), window)).map((one) => ({ ...one, repoId }));
    });
  return {
    windows: () => source.storedWindows(all),
    async outcomes(repoIds, period) {
      const byDay = Map.groupBy(await listRuns(repoIds, period.window), ({ createdAt }) =>
        findDayOf(createdAt, period),
      );
      return [...byDay].map(([day, runs]) => ({
        day,
        runs: runs.length,
        passed: runs.filter((run) => getOutcome(run) === 'pass').length,
        failed: runs.filter((run) => getOutcome(run) === 'fail').length,
      }));
    },
    async durations(repoIds, window) {
      const runs = (await listRuns(repoIds, window)).filter(isConclusive);
      return runs.flatMap((run) => toCounted(getDuration(run)));
    },
    waits: async (repoIds, window) =>
      (await listRuns(repoIds, window)).flatMap((run) => toCounted(getQueueWait(run).ms)),
    merges: async (repoIds, window) =>
      (await listEnded(repoIds, window)).filter(({ mergedAt }) => isWithin(mergedAt, window)),
    ended: listEnded,
  };
}

const toCounted = (value: number | null): CountedValue[] => (value === null ? [] : [{ value, count: 1 }]);
