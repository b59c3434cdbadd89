import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** One run of one of our own scheduled jobs. */
export const JobRun = defineEntity({
  name: 'JobRun',
  tableName: 'job_runs',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    job: p.text(),
    slot: p.text(),
    trigger: p.text().$type<'internal' | 'http' | 'manual'>(),
    startedAt: instant(),
    finishedAt: instant().strictNullable(),
    status: p.text().$type<'running' | 'done' | 'partial' | 'failed' | 'aborted'>(),
    summary: p.json<Record<string, number>>(),
    resumeAt: instant().strictNullable(),
  },
  indexes: [
    { name: 'job_runs_by_slot', properties: ['job', 'slot'] },
    {
      name: 'job_runs_by_start',
      properties: ['job', 'startedAt'],
      columns: [{ name: 'job' }, { name: 'started_at', sort: 'desc' }],
    },
  ],
});

/** Which process may do a job at present. */
export const JobLease = defineEntity({
  name: 'JobLease',
  tableName: 'job_leases',
  properties: {
    job: p.text().primary(),
    holder: p.text(),
    acquiredAt: instant(),
    expiresAt: instant(),
  },
});
