import { type Agent, fetch } from 'undici';
import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { type JobLog, JobLogReader, type JobTimes } from '../../metrics/security/job-log.ts';
import type { UsedRef } from '../../scan/action-uses.ts';
import { repositoryParams } from '../client/names.ts';
import type { Transport } from '../client/transport.ts';

/** A reusable workflow that a run called, with the commit that the platform took. */
export type CalledWorkflow = UsedRef & { commit: string };

export interface LogReads {
  logs: {
    /**
     * What the log of a job names, read from its start in bounded memory; one request, and a download that counts
     * against no budget. `expired`: deleted by its age. `missing`: there is none. `unreadable`: it cannot be downloaded.
     */
    ofJob(name: RepositoryName, jobId: number, times: JobTimes): Promise<JobLog | 'expired' | 'missing' | 'unreadable'>;
    /** The reusable workflows that an attempt called, also those that called ones call; null when it is gone. */
    called(name: RepositoryName, runId: number, attempt: number): Promise<CalledWorkflow[] | null>;
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
    async called(name, runId, attempt) {
      const { fresh } = await transport.rest<CalledWorkflow[] | 'gone'>({
        operation: 'get called workflows',
        route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}',
        params: { ...repositoryParams(name), run_id: runId, attempt_number: attempt },
        read: (data) => attemptSchema.parse(data).referenced_workflows,
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
async function download(link: string, times: JobTimes, agent: Agent): Promise<JobLog | 'unreadable'> {
  try {
    const answer = await fetch(link, { dispatcher: agent, signal: AbortSignal.timeout(downloadMs) });
    if (answer.status !== 200 || answer.body === null) {
      await answer.body?.cancel();
      return 'unreadable';
    }
    const reader = new JobLogReader(times);
    // Leaving the loop ends the download.
    for await (const chunk of answer.body) if (!reader.push(chunk)) break;
    return reader.end();
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

const attemptSchema = z.object({
  referenced_workflows: z
    .array(calledSchema)
    .nullish()
    .transform((all) => all ?? []),
});
