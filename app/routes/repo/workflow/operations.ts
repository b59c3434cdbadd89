import { getMarks } from '../../../../server/alerts/operations/marks.ts';
import type { PanelsOf } from '../../../../server/http/adapters.ts';
import { getCiWorkflows, getWorkflowDurations } from '../../../../server/reports/ci/operations.ts';
import { getJobStats } from '../../../../server/reports/jobs/operations.ts';
import { getWorkflowReliability } from '../../../../server/reports/reliability/operations.ts';
import { type getRunDetails, getRuns } from '../../../../server/reports/runs/operations.ts';
import { getWorkflowCost } from '../../../../server/reports/workflow-cost/operations.ts';
import { getWorkflowChanges } from '../../../../server/reports/workflow-files/operations.ts';
import { getWorkflowHealth } from '../../../../server/reports/workflows/operations.ts';

/** What the tabs of a workflow ask, besides its name. */
export const workflowOperations = {
  runs: getRuns,
  health: getWorkflowHealth,
  reliability: getWorkflowReliability,
  jobStats: getJobStats,
  cost: getWorkflowCost,
};

/** What they show beside it where it is known and granted. */
export const besideOperations = {
  jobStats: getJobStats,
  durations: getWorkflowDurations,
  changes: getWorkflowChanges,
  figures: getCiWorkflows,
  marks: getMarks,
};

export type BesideAnswers = PanelsOf<typeof besideOperations>;

export type WorkflowAnswers = PanelsOf<typeof workflowOperations>;

type ResultData<Answer> = Extract<Answer, { ok: true }> extends { data: infer Data } ? Data : never;
export type Run = ResultData<WorkflowAnswers['runs']>[number];
export type Health = ResultData<WorkflowAnswers['health']>;
export type Reliability = ResultData<WorkflowAnswers['reliability']>;
export type Durations = ResultData<BesideAnswers['durations']>;
export type JobStats = ResultData<WorkflowAnswers['jobStats']>;
export type WorkflowCost = ResultData<WorkflowAnswers['cost']>;
export type RunJob = ResultData<PanelsOf<{ jobs: typeof getRunDetails }>['jobs']>[number];

/** What the parts of a workflow's page are drawn with. */
export interface OperationResult {
  zone: string;
  /** Where a number is opened, by its key. */
  evidence(metric: string, more?: { job: string } | { range: string }): string;
  /** The CSV of an operation of this workflow; undefined in the demo. */
  csv(operation: string, more?: Record<string, string>): string;
}
