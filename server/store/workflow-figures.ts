import type { JobGroup } from '../metrics/cost/workflow-spend.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Interval } from '../metrics/kernel/intervals.ts';
import type { Window } from '../metrics/kernel/window.ts';
import { type FlakyTally, type RunTally, tallyRuns } from '../metrics/runs/run-figures.ts';
import type { Database } from './database.ts';
import { workflowStatements as statements } from './statements.ts';
import { type RunRow, type StoredRun, toStoredRun } from './stored-run.ts';

/** The database's own id. */
interface RepositoryKey {
  repoId: number;
}

/** A workflow of a repository; its id is the platform's. */
export interface WorkflowKey extends RepositoryKey {
  workflowId: number;
}

/** What the runs of a window come to: all of them together, and by workflow. */
export interface WindowTally {
  total: RunTally;
  workflows: (RunTally & WorkflowKey & { workflow: string | null })[];
}

/** What the runs of one day come to, each figure of the same runs as that of a window. */
export interface DayTally
  extends Pick<RunTally, 'completed' | 'timed' | 'medianMs' | 'p90Ms' | 'passed' | 'failed' | 'waitMs' | 'runTimeMs'> {
  date: string;
}

/** What the stored jobs of a workflow took, of those of its runs whose jobs were stored. */
export interface StoredJobs extends WorkflowKey {
  runs: number;
  groups: JobGroup[];
}

/** The same of the runs that were created on a day. */
export interface DayJobs {
  date: string;
  completed: number;
  costed: number;
  groups: (JobGroup & { isPublic: boolean })[];
}

/** By workflow, and by day, oldest first. */
export interface StoredCosts {
  workflows: StoredJobs[];
  days: DayJobs[];
}

export interface CostOptions {
  /** From when on other prices hold, in order. */
  priceChanges: readonly Instant[];
  /** Of the days. */
  zone: string;
  /** Public repositories, by the database's own ids. */
  publicIds: readonly number[];
}

/** What stored runs of several repositories come to in a window of their creation. */
export function workflowFigures(database: Database) {
  return {
    async tally(repoIds: readonly number[], window: Window): Promise<WindowTally> {
      const parameters = { ...toParameters(repoIds, window), percentiles };
      const rows = (await database.run<TallyRow>(statements.workflow_figures, parameters)).map(toTally);
      const workflows = rows.filter(({ repoId }) => repoId !== null);
      const total = rows.find(({ repoId }) => repoId === null);
      return { total: total ?? tallyRuns([]), workflows: workflows as WindowTally['workflows'] };
    },
    /** The days that have a run, oldest first; of one workflow where it is named. */
    days: (
      repoIds: readonly number[],
      window: Window,
      zone: string,
      workflowId: number | null = null,
    ): Promise<DayTally[]> =>
      database.run<DayTally>(statements.workflow_days, {
        ...toParameters(repoIds, window),
        zone,
        workflow_id: workflowId,
      }),
    flakiness: (repoIds: readonly number[], window: Window): Promise<(WorkflowKey & FlakyTally)[]> =>
      database.run(statements.workflow_flakiness, toParameters(repoIds, window)),
    /** Workflows and days without a run whose jobs were stored are without groups, or absent. */
    async costs(repoIds: readonly number[], window: Window, options: CostOptions): Promise<StoredCosts> {
      const rows = await database.run<CostRow>(statements.workflow_costs, {
        ...toParameters(repoIds, window),
        zone: options.zone,
        price_changes: options.priceChanges,
        public_ids: options.publicIds,
      });
      const ofWorkflows = Map.groupBy(rows.filter(hasKey), ({ repoId, workflowId }) => `${repoId} ${workflowId}`);
      const ofDays = Map.groupBy(rows.filter(hasDate), ({ date }) => date);
      return {
        workflows: [...ofWorkflows.values()].flatMap((own) => {
          const [first] = own;
          return first ? [{ ...toKey(first), runs: sumRuns(own), groups: own.flatMap(toGroup) }] : [];
        }),
        days: [...ofDays]
          .map(([date, own]) => {
            const costed = own.filter(({ jobs }) => jobs !== null);
            return {
              date,
              completed: sumRuns(own.filter(({ jobs }) => jobs === null)),
              costed: sumRuns(costed),
              groups: costed.flatMap((row) =>
                toGroup(row).map((group) => ({ ...group, isPublic: row.isPublic === true })),
              ),
            };
          })
          .sort((a, b) => (a.date < b.date ? -1 : 1)),
      };
    },
    /** By repository the window of which all its runs are stored; absent where none were ever read. */
    async storedWindows(repoIds: readonly number[]): Promise<Map<number, Window>> {
      const rows = await database.run<RepositoryKey & Window>(statements.stored_windows, { repo_ids: repoIds });
      return new Map(rows.map(({ repoId, from, to }) => [repoId, { from, to }]));
    },
    /** The newest runs of the window by their latest attempts; of one workflow where it is named. */
    async runs(
      repoIds: readonly number[],
      window: Window,
      limit: number,
      workflowId: number | null = null,
    ): Promise<(StoredRun & RepositoryKey)[]> {
      const parameters = { ...toParameters(repoIds, window), limit, workflow_id: workflowId };
      const rows = await database.run<RunRow & { repo_id: number }>(statements.runs_of_window, parameters);
      return rows.map((row) => ({ ...toStoredRun(row), repoId: row.repo_id }));
    },
  };
}

type Intervals = 'medianInterval' | 'p90Interval' | 'waitInterval';

type Ends = Record<'medianLow' | 'medianHigh' | 'p90Low' | 'p90High' | 'waitLow' | 'waitHigh', number | null>;

type TallyRow = Omit<RunTally, Intervals> & Ends & Nullable<WorkflowKey> & { workflow: string | null };

type Nullable<Type> = { [Key in keyof Type]: Type[Key] | null };

const percentiles = Array.from({ length: 101 }, (_, index) => index / 100);

function toTally({ medianLow, medianHigh, p90Low, p90High, waitLow, waitHigh, ...row }: TallyRow) {
  return {
    ...row,
    medianInterval: toInterval(medianLow, medianHigh),
    p90Interval: toInterval(p90Low, p90High),
    waitInterval: toInterval(waitLow, waitHigh),
  };
}

const toInterval = (low: number | null, high: number | null): Interval | null =>
  low === null || high === null ? null : { low, high };

type CostRow = Nullable<WorkflowKey> &
  Nullable<JobGroup> & { date: string | null; isPublic: boolean | null; runs: number };

const hasKey = (row: CostRow): row is CostRow & WorkflowKey => row.repoId !== null;
const hasDate = (row: CostRow): row is CostRow & { date: string } => row.date !== null;

const sumRuns = (rows: readonly CostRow[]) => rows.reduce((sum, { runs }) => sum + runs, 0);

/** None of runs without jobs. */
function toGroup({ labels, runnerGroup, startedAt, jobs, untimed, idle, minutes, isWasted }: CostRow): JobGroup[] {
  if (labels === null) return [];
  return [
    {
      labels,
      runnerGroup,
      startedAt,
      jobs: jobs ?? 0,
      untimed: untimed ?? 0,
      idle: idle ?? 0,
      minutes: minutes ?? 0,
      isWasted: isWasted === true,
    },
  ];
}

const toKey = ({ repoId, workflowId }: WorkflowKey): WorkflowKey => ({ repoId, workflowId });

const toParameters = (repoIds: readonly number[], { from, to }: Window) => ({ repo_ids: repoIds, from, to });
