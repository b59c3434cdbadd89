import { type getRunDetails, getRuns, getWorkflowHealth } from '../../../../server/api/codehost.ts';
import { getWorkflowCost } from '../../../../server/api/cost.ts';
import { getJobStats } from '../../../../server/api/jobs.ts';
import { getWorkflowReliability } from '../../../../server/api/reliability.ts';
import type { PanelsOf } from '../../../../server/http/doors.ts';

/** What the tabs of a workflow ask, besides its name. */
export const workflowOperations = {
  runs: getRuns,
  health: getWorkflowHealth,
  reliability: getWorkflowReliability,
  jobStats: getJobStats,
  cost: getWorkflowCost,
};

export type WorkflowAnswers = PanelsOf<typeof workflowOperations>;

type DataOf<Answer> = Extract<Answer, { ok: true }> extends { data: infer Data } ? Data : never;
export type Run = DataOf<WorkflowAnswers['runs']>[number];
export type Health = DataOf<WorkflowAnswers['health']>;
export type Reliability = DataOf<WorkflowAnswers['reliability']>;
export type JobStats = DataOf<WorkflowAnswers['jobStats']>;
export type WorkflowCost = DataOf<WorkflowAnswers['cost']>;
export type RunJob = DataOf<PanelsOf<{ jobs: typeof getRunDetails }>['jobs']>[number];

/** What the parts of a workflow's page are drawn with. */
export interface Told {
  now: number;
  zone: string;
  /** Where a number is opened, by its key. */
  evidence(metric: string, more?: { job: string }): string;
  /** The CSV of an operation of this workflow; undefined in the demo. */
  csv(operation: string, more?: Record<string, string>): string | undefined;
}
