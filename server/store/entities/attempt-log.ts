import { defineEntity, p } from '@mikro-orm/core';
import type { CalledWorkflow, ExecutedUses } from '../../codehost/runs/logs.ts';
import type { JobGrants } from '../../metrics/security/job-log.ts';
import type { reachedRunners } from '../../scan/action-uses.ts';
import { Repository } from './repository.ts';
import { instant } from './types.ts';

/**
 * What became of the log of a job. `missing`: the platform has none, though the job ran. `unreadable`: another try may
 * read it. `unread`: there was no time for it yet, or no quota. `none`: the job never had a runner.
 */
export type JobLogState = 'complete' | 'cut' | 'expired' | 'missing' | 'unreadable' | 'unread' | 'none';

/** A job of an attempt whose logs were read. */
export interface LoggedJob {
  id: number;
  name: string;
  /** null where it never had a runner. */
  startedAt: number | null;
  completedAt: number | null;
  log: JobLogState;
  /** What the head of its log says that it was granted; missing where that was not read. */
  grants?: JobGrants;
  runner?: (typeof reachedRunners)[number];
}

/** A run attempt whose logs are to be read, or were. */
export const AttemptLog = defineEntity({
  name: 'AttemptLog',
  tableName: 'attempt_logs',
  properties: {
    runId: p.bigint('number').primary(),
    runAttempt: p.integer().primary(),
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade'),
    /** When it ended as far as it was known: one that goes on after an approval is read again. */
    endedAt: instant(),
    /** When somebody had it read; null where nobody did. */
    requestedAt: instant().strictNullable(),
    /** null while it waits. */
    readAt: instant().strictNullable(),
    /** All of its jobs, none where the platform knows none; null where these could not be read. */
    jobs: p.json<LoggedJob[]>().strictNullable(),
    /** The workflows that it called; null where that could not be read. */
    called: p.json<CalledWorkflow[]>().strictNullable(),
    /** What its workflow file uses; null where that could not be read, or it is not certain which file ran. */
    file: p.json<ExecutedUses>().strictNullable(),
    /** Whether another try may read more of it, beside the logs of its jobs. */
    isPartial: p.boolean().default(false),
  },
  indexes: [
    { name: 'attempt_logs_by_repo', properties: ['repoId', 'endedAt'] },
    { name: 'attempt_logs_waiting', properties: ['endedAt'], where: 'read_at is null' },
  ],
});

/** What a job downloaded, as its log names it. */
export const ActionDownload = defineEntity({
  name: 'ActionDownload',
  tableName: 'action_downloads',
  properties: {
    jobId: p.bigint('number').primary(),
    actionKey: p.text().primary(),
    ref: p.text().primary(),
    commit: p.text().primary(),
    isInStep: p.boolean().primary(),
    /** Of an action that is published as an immutable package. */
    digest: p.text().strictNullable(),
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade'),
    at: instant(),
    isAtOtherTime: p.boolean(),
    readAt: instant(),
  },
  indexes: [
    { name: 'action_downloads_by_repo', properties: ['repoId'] },
    { name: 'action_downloads_by_reading', properties: ['readAt'], type: 'brin' },
  ],
});
