import { defineEntity, p } from '@mikro-orm/core';
import type { Conclusion, RunStatus } from '../../metrics/kernel/facts.ts';
import { instant } from './types.ts';

/** What is stored of an attempt, besides what identifies it. */
const attemptColumns = () => ({
  workflowId: p.bigint('number'),
  workflowName: p.text().strictNullable(),
  runNumber: p.integer(),
  event: p.text(),
  status: p.text().$type<RunStatus>(),
  conclusion: p.text().$type<Conclusion>().strictNullable(),
  headBranch: p.text().strictNullable(),
  headSha: p.text(),
  actorId: p.bigint('string').strictNullable(),
  triggeringActorId: p.bigint('string').strictNullable(),
  createdAt: instant(),
  runStartedAt: instant().strictNullable(),
  updatedAt: instant(),
  completedAt: instant().strictNullable(),
  durationMs: p.bigint('number').strictNullable(),
  jobWaitMs: p.bigint('number').strictNullable(),
  queueWaitMs: p.bigint('number').strictNullable(),
  htmlUrl: p.text().strictNullable(),
  syncedAt: instant(),
});

/** The latest attempt of a workflow run. */
export const WorkflowRun = defineEntity({
  name: 'WorkflowRun',
  tableName: 'workflow_runs',
  properties: {
    id: p.bigint('number').primary(),
    repoId: p.integer().primary(),
    runAttempt: p.integer(),
    ...attemptColumns(),
  },
  indexes: [
    {
      name: 'workflow_runs_by_creation',
      expression: `create index workflow_runs_by_creation on workflow_runs (repo_id, created_at desc, id desc) include (status, conclusion, duration_ms, queue_wait_ms)`,
    },
    {
      name: 'workflow_runs_by_workflow',
      properties: ['repoId', 'workflowId', 'createdAt'],
      columns: [{ name: 'repo_id' }, { name: 'workflow_id' }, { name: 'created_at', sort: 'desc' }],
    },
    {
      name: 'workflow_runs_by_conclusion',
      expression: `create index workflow_runs_by_conclusion on workflow_runs (repo_id, conclusion, created_at desc, id desc) where (conclusion <> 'success')`,
    },
    { name: 'workflow_runs_unfinished', properties: ['repoId'], where: `status <> 'completed'` },
  ],
});

/** An attempt that a later one superseded. */
export const WorkflowRunAttempt = defineEntity({
  name: 'WorkflowRunAttempt',
  tableName: 'workflow_run_attempts',
  properties: {
    id: p.bigint('number').primary(),
    runAttempt: p.integer().primary(),
    repoId: p.integer().primary(),
    ...attemptColumns(),
  },
  indexes: [
    {
      name: 'workflow_run_attempts_by_creation',
      properties: ['repoId', 'createdAt'],
      columns: [{ name: 'repo_id' }, { name: 'created_at', sort: 'desc' }],
    },
  ],
});
