import type { JobGroup } from '../metrics/cost/workflow-spend.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
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

/** Runs that passed or failed on one day; times in ms. */
export interface DayTally {
  date: string;
  timed: number;
  medianMs: number | null;
  p90Ms: number | null;
}

/** The stored jobs of a workflow, of those of its runs whose jobs are stored. */
export interface StoredJobs extends WorkflowKey {
  runs: number;
  groups: JobGroup[];
}

/** What stored runs of several repositories come to in a window of their creation. */
export function workflowFigures(database: Database) {
  return {
    async tally(repoIds: readonly number[], window: Window): Promise<WindowTally> {
      const rows = await database.run<TallyRow>(statements.workflow_figures, toParameters(repoIds, window));
      const workflows = rows.filter(({ repoId }) => repoId !== null);
      const total = rows.find(({ repoId }) => repoId === null);
      return { total: total ?? tallyRuns([]), workflows: workflows as WindowTally['workflows'] };
    },
    /** The days that have a run which passed or failed, oldest first. */
    days: (repoIds: readonly number[], window: Window, zone: string): Promise<DayTally[]> =>
      database.run<DayTally>(statements.workflow_days, { ...toParameters(repoIds, window), zone }),
    flakiness: (repoIds: readonly number[], window: Window): Promise<(WorkflowKey & FlakyTally)[]> =>
      database.run(statements.workflow_flakiness, toParameters(repoIds, window)),
    /** Workflows without a run whose jobs are stored are absent. */
    async jobs(repoIds: readonly number[], window: Window, priceChanges: readonly Instant[]): Promise<StoredJobs[]> {
      const parameters = { ...toParameters(repoIds, window), price_changes: priceChanges };
      const rows = await database.run<JobRow>(statements.workflow_costs, parameters);
      const byWorkflow = Map.groupBy(rows, ({ repoId, workflowId }) => `${repoId} ${workflowId}`);
      return [...byWorkflow.values()].flatMap((own): StoredJobs[] => {
        const [first] = own;
        return first ? [{ ...toKey(first), runs: first.runs, groups: own.filter(hasJobs) }] : [];
      });
    },
    /** By repository, from when on all its runs are stored; absent where none were ever read. */
    async storedFrom(repoIds: readonly number[]): Promise<Map<number, Instant>> {
      const rows = await database.run<{ repoId: number; from: Instant }>(statements.runs_stored_from, {
        repo_ids: repoIds,
      });
      return new Map(rows.map(({ repoId, from }) => [repoId, from]));
    },
    /** The newest runs of the window by their latest attempts. */
    async runs(repoIds: readonly number[], window: Window, limit: number): Promise<(StoredRun & RepositoryKey)[]> {
      const parameters = { ...toParameters(repoIds, window), limit };
      const rows = await database.run<RunRow & { repo_id: number }>(statements.runs_of_window, parameters);
      return rows.map((row) => ({ ...toStoredRun(row), repoId: row.repo_id }));
    },
  };
}

type TallyRow = RunTally & { [Key in keyof WorkflowKey]: number | null } & { workflow: string | null };

type JobRow = WorkflowKey & { runs: number } & (JobGroup | { [Key in keyof JobGroup]: null });

const hasJobs = (row: JobRow): row is WorkflowKey & { runs: number } & JobGroup => row.labels !== null;

const toKey = ({ repoId, workflowId }: WorkflowKey): WorkflowKey => ({ repoId, workflowId });

const toParameters = (repoIds: readonly number[], { from, to }: Window) => ({ repo_ids: repoIds, from, to });
