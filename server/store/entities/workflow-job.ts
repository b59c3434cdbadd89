import { defineEntity, p } from '@mikro-orm/core';
import type { Conclusion, JobStep } from '../../metrics/kernel/facts.ts';
import { Repository } from './repository.ts';
import { instant } from './types.ts';

/** A job of a run attempt. */
export const WorkflowJob = defineEntity({
  name: 'WorkflowJob',
  tableName: 'workflow_jobs',
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    repoId: p.integer(),
    runId: p.bigint('number'),
    runAttempt: p.integer(),
    name: p.text(),
    workflowName: p.text().strictNullable(),
    status: p.text(),
    conclusion: p.text().$type<Conclusion>().strictNullable(),
    createdAt: instant().strictNullable(),
    startedAt: instant().strictNullable(),
    completedAt: instant().strictNullable(),
    runnerName: p.text().strictNullable(),
    runnerGroup: p.text().strictNullable(),
    labels: p.json<string[]>(),
    htmlUrl: p.text(),
    steps: p.json<JobStep[]>(),
    storedAt: instant(),
    detail: p.text().defaultRaw(`'full'`),
  },
  indexes: [
    { name: 'workflow_jobs_by_run', properties: ['runId', 'runAttempt'] },
    { name: 'workflow_jobs_by_age', properties: ['storedAt'], type: 'brin' },
  ],
});

/** A run attempt of which all jobs are stored. */
export const JobReading = defineEntity({
  name: 'JobReading',
  tableName: 'job_readings',
  properties: {
    runId: p.bigint('number').primary(),
    runAttempt: p.integer().primary(),
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade'),
    detail: p.text(),
    jobs: p.integer(),
    readAt: instant(),
  },
  indexes: [
    { name: 'job_readings_by_age', properties: ['readAt'], type: 'brin' },
    { name: 'job_readings_by_repo', properties: ['repoId'] },
  ],
});
