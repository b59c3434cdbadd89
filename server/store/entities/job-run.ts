import { defineEntity, p } from '@mikro-orm/core';

/** One run of one of our own scheduled jobs. */
export const JobRun = defineEntity({
  name: 'JobRun',
  tableName: 'job_runs',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    job: p.text(),
    slot: p.text(),
    trigger: p.text().$type<'internal' | 'http' | 'manual'>(),
    startedAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
    resumeAt: p.datetime().nullable(),
    status: p.text().$type<'running' | 'done' | 'partial' | 'failed' | 'aborted'>(),
    summary: p.json<Record<string, number>>(),
  },
});
