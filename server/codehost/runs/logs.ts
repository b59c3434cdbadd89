import { type Agent, fetch } from 'undici';
import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { type JobGrants, type JobLog, JobLogReader, type JobTimes } from '../../metrics/security/job-log.ts';
import type { UsedRef } from '../../scan/action-uses.ts';
import type { FileReach, NestedRef, UnknownUse } from '../../scan/used-in-turn.ts';
import { repositoryParams } from '../client/names.ts';
import type { Transport } from '../client/transport.ts';

/** A reusable workflow that a run called, with the commit that the platform took. */
export type CalledWorkflow = UsedRef & { commit: string };

/** The workflow file that certainly ran. */
export interface ExecutedFile {
  path: string;
  commit: string;
}

/** What that file uses, directly and in turn. */
export interface ExecutedUses {
  /**
   * `readAt`: at which commit it was read what it uses in turn; null where it was not. `reach`: of workflow files, what their
   * jobs have in reach; missing where that was not read.
   */
  uses: (NestedRef & { readAt: string | null; reach?: FileReach })[];
  /** Of what could not be followed. */
  unknown: Pick<UnknownUse, 'reason' | 'privateSources'>[];
  /** Whether the rest is still to be read: there was no time for it, or no quota. */
  isCut: boolean;
}

/** What the platform wrote down of an attempt. */
export interface RunRecord {
  /** The reusable workflows that it called, also those that called ones call; null where the platform does not say. */
  called: CalledWorkflow[] | null;
  /** null where the event does not tell which file ran. */
  file: ExecutedFile | null;
}

/** What the log of a job names, and what its head says that the job was granted; missing where that was not read. */
export type ReadJobLog = JobLog & { grants?: JobGrants };

export interface LogReads {
  logs: {
    /**
     * What the log of a job names, read from its start in bounded memory; one request, and a download that counts
     * against no budget. `expired`: deleted by its age. `missing`: there is none. `unreadable`: it cannot be downloaded.
     */
    ofJob(
      name: RepositoryName,
      jobId: number,
      times: JobTimes,
    ): Promise<ReadJobLog | 'expired' | 'missing' | 'unreadable'>;
    /** null when the attempt is gone. */
    record(name: RepositoryName, runId: number, attempt: number): Promise<RunRecord | null>;
  };
}

/** Reads what the platform wrote down of runs. Never from a cache. */
export const createLogs = (transport: Transport, agent: Agent): LogReads => ({
  logs: {
    async ofJob(name, jobId, times) {
      const { fresh } = await transport.rest<{ link: string } | 'expired' | 'missing'>({
        operation: 'get job log',
        route: 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs',
        params: { ...repositoryParams(name), job_id: jobId },
        isLink: true,
        read: (_data, headers) => ({ link: z.url({ protocol: /^https?$/ }).parse(headers.location) }),
        errorStatuses: [404, 410],
        fromError: ({ status }) => (status === 410 ? 'expired' : 'missing'),
      });
      const answer = fresh?.value ?? 'missing';
      return typeof answer === 'string' ? answer : download(answer.link, times, agent);
    },
    async record(name, runId, attempt) {
      const { fresh } = await transport.rest<RunRecord | 'gone'>({
        operation: 'get run attempt',
        route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}',
        params: { ...repositoryParams(name), run_id: runId, attempt_number: attempt },
        read: (data) => attemptSchema.parse(data),
        errorStatuses: [404, 410],
        fromError: () => 'gone',
      });
      const answer = fresh?.value ?? 'gone';
      return answer === 'gone' ? null : answer;
    },
  },
});

const downloadMs = 60_000;

/** The link is not the platform's: it is not given the token. */
async function download(link: string, times: JobTimes, agent: Agent): Promise<ReadJobLog | 'unreadable'> {
  try {
    const answer = await fetch(link, { dispatcher: agent, signal: AbortSignal.timeout(downloadMs) });
    if (answer.status !== 200 || answer.body === null) {
      await answer.body?.cancel();
      return 'unreadable';
    }
    const reader = new JobLogReader(times);
    // Leaving the loop ends the download.
    for await (const chunk of answer.body) if (!reader.push(chunk)) break;
    return { ...reader.end(), grants: reader.grants() };
  } catch {
    // The download broke off.
    return 'unreadable';
  }
}

const calledSchema = z
  .object({ path: z.string(), sha: z.string() })
  .transform(({ path: written, sha: commit }, context): CalledWorkflow => {
    const [, owner, repo, path, ref] = /^([^/@]+)\/([^/@]+)\/([^@]+)@(.+)$/.exec(written) ?? [];
    if (path === undefined || ref === undefined) {
      context.addIssue({ code: 'custom', message: 'is no called workflow' });
      return z.NEVER;
    }
    return { actionKey: `${owner}/${repo}`.toLowerCase(), path, kind: 'reusable_workflow', ref, commit };
  });

/** Runs of pull requests have a merge commit, others of them the base branch, and required workflows another repository. */
const eventsOfTheirCommit = new Set(['push', 'schedule', 'workflow_dispatch']);
const workflowPath = /^(\.github\/workflows\/[^/@]+\.ya?ml)(?:@.*)?$/s;

const attemptSchema = z
  .object({
    event: z.string(),
    path: z.string().nullish(),
    head_sha: z.string(),
    referenced_workflows: z.array(calledSchema).nullish(),
  })
  .transform((run): RunRecord => {
    const [, path] = workflowPath.exec(run.path ?? '') ?? [];
    const isCertain = path !== undefined && eventsOfTheirCommit.has(run.event);
    return { called: run.referenced_workflows ?? null, file: isCertain ? { path, commit: run.head_sha } : null };
  });
