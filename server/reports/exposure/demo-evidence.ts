import type { Context } from '../../access/context.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import type { ExecutedUses } from '../../codehost/runs/logs.ts';
import type { LiveWorkflowRun, Repository } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { isFixed, type UsedRef, usesIn } from '../../scan/action-uses.ts';
import { reachOfJobs } from '../../scan/job-reach.ts';
import { readWorkflow } from '../../scan/read-workflow.ts';
import { nameUse } from '../../scan/used-in-turn.ts';
import type { Workflow } from '../../scan/workflow.ts';

import type { ExposedAttempt, Stretch } from '../../store/exposed-runs.ts';
import { sampleLedger } from './demo.ts';
import type { EvidenceSource } from './evidence.ts';
import type { LedgerSource } from './source.ts';

/** More than the sample has of a repository. */
const maxPages = 1000;

/** The sample organization has no database: what ran are its runs, and its files have always been as they are. */
export async function sampleEvidence(repositories: readonly Repository[], context: Context): Promise<EvidenceSource> {
  const codehost = await context.codehost();
  const { runs } = codehost;
  const ledger = await sampleLedger(repositories, context);
  const logs = [...(await inventLogs(repositories, ledger, codehost)), ...(await readExecuted(repositories, context))];
  return {
    async attempts(_, { from, to }) {
      const found = repositories.map(async (repository) => {
        const { items } = await runs.recent(repository, 0, maxPages);
        return items.map((run) => toAttempt(run, repository.id)).filter((one) => isWithin(one, { from, to }));
      });
      return (await Promise.all(found)).flat();
    },
    completeRepositories: async (ids) => new Set(ids),
    async usesOnDays(ids, { actionKeys, commits, days }) {
      const used = await ledger.presentUses(ids);
      const named = used.filter(({ actionKey, ref }) => actionKeys.includes(actionKey) || commits.includes(ref));
      const all = listDays(days).map((day) => Date.parse(day) / dayMs);
      return named.map((use) => ({ ...use, days: all }));
    },
    daysRead: async (ids, days) => ids.flatMap((repositoryId) => listDays(days).map((day) => ({ repositoryId, day }))),
    namesOf: async (actionKey) => ({ all: [actionKey], shown: [actionKey], isIdKnown: true }),
    async commitsOf(shas, actionKeys, ids) {
      const used = (await ledger.presentUses(ids)).filter(({ actionKey }) => actionKeys.includes(actionKey));
      const refIds = [...new Set(used.map(({ refId }) => refId))];
      const rows = [...(await ledger.newestHistories(refIds, maxPages)).values()].flat();
      return rows.flatMap(({ commit }) => (commit !== null && shas.includes(commit) ? { sha: commit, commit } : []));
    },
    usedSince: async () => [],
    releases: async () => [],
    loggedRuns: async (ids) =>
      new Set(logs.flatMap(({ repositoryId, row }) => (ids.includes(repositoryId) ? row.runId : []))),
    async logsOf(runIds) {
      const wanted = new Set(runIds);
      return logs.flatMap(({ row }) => (wanted.has(row.runId) ? row : []));
    },
    async recordedCommits(shas) {
      const named = new Set(logs.flatMap((one) => one.downloads).map(({ commit }) => commit));
      return new Set(shas.filter((sha) => named.has(sha)));
    },
    // No action of the sample was ever renamed.
    knownNames: async () => {
      const uses = await ledger.presentUses(repositories.map(({ id }) => id));
      return new Set(uses.map(({ actionKey }) => actionKey));
    },
    jobsOfUnknownNames: async () => new Set(),
    async downloads(jobIds, { actionKeys, commits }) {
      const wanted = new Set(jobIds);
      const own = logs.flatMap((one) => one.downloads).filter(({ jobId }) => wanted.has(jobId));
      return own.filter(({ actionKey, commit }) => actionKeys.includes(actionKey) || commits.includes(commit));
    },
  };
}

/** The one whose logs were read. */
const loggedRepository = 'tidewater-web';

/** One job for each run, which downloaded what the tags of its file's actions led to then. */
async function inventLogs(repositories: readonly Repository[], ledger: LedgerSource, codehost: Platform) {
  const repository = repositories.find(({ repo }) => repo === loggedRepository);
  if (!repository) return [];
  const uses = (await ledger.presentUses([repository.id])).filter(({ kind }) => kind === 'action');
  const histories = await ledger.newestHistories(
    uses.map(({ refId }) => refId),
    maxPages,
  );
  const read = await readFiles(repository, codehost);
  const { items } = await codehost.runs.recent(repository, 0, maxPages);
  return items
    .filter(({ status, conclusion }) => isLogged(status, conclusion))
    .map((run) => {
      const at = run.startedAt ?? run.createdAt;
      const workflow = read.get(run.workflowPath ?? '');
      const written = new Set(workflow ? usesIn(workflow).refs.map(nameUse) : []);
      const file = workflow && eventsOfTheirCommit.has(run.event) ? toUses(repository, workflow, run.headSha) : null;
      const downloads = uses.flatMap((use) => {
        const { refId, actionKey, ref, through } = use;
        if (!written.has(through || nameUse(use))) return [];
        const commit = isFixed(ref) ? ref : histories.get(refId)?.findLast((row) => row.observedFrom <= at)?.commit;
        const line = { jobId: run.id, actionKey, ref, at, digest: null, isInStep: false, isAtOtherTime: false };
        return commit ? { ...line, commit } : [];
      });
      const name = workflow?.jobs[0]?.id ?? 'test';
      const row = { runId: run.id, attempt: run.attempt, endedAt: run.updatedAt, readAt: run.updatedAt };
      const jobs = [{ ...toJob(run, name), log: 'complete' as const }];
      return { repositoryId: repository.id, row: { ...row, jobs, called: [], file, isPartial: false }, downloads };
    });
}

const toJob = ({ id, startedAt, createdAt, updatedAt }: LiveWorkflowRun, name: string) => ({
  id,
  name,
  startedAt: startedAt ?? createdAt,
  completedAt: updatedAt,
  runner: 'hosted' as const,
});

/** The one whose workflow files were read at the commits that ran, and whose logs are not there any more. */
const executedRepository = 'driftwood-docs';
/** Whose file is that of the commit of the run. */
const eventsOfTheirCommit = new Set(['push', 'schedule', 'workflow_dispatch']);

async function readExecuted(repositories: readonly Repository[], context: Context) {
  const repository = repositories.find(({ repo }) => repo === executedRepository);
  if (!repository) return [];
  const codehost = await context.codehost();
  const read = await readFiles(repository, codehost);
  const { items } = await codehost.runs.recent(repository, 0, maxPages);
  return items
    .filter(({ status, conclusion, event }) => isLogged(status, conclusion) && eventsOfTheirCommit.has(event))
    .flatMap((run) => {
      const workflow = read.get(run.workflowPath ?? '');
      if (!workflow) return [];
      const jobs = [{ ...toJob(run, 'publish'), log: 'missing' as const }];
      const row = { runId: run.id, attempt: run.attempt, endedAt: run.updatedAt, readAt: run.updatedAt };
      const file = toUses(repository, workflow, run.headSha);
      return {
        repositoryId: repository.id,
        row: { ...row, jobs, called: [], file, isPartial: false },
        downloads: [],
      };
    });
}

/** Workflow files, by path. */
async function readFiles(repository: Repository, codehost: Platform): Promise<Map<string, Workflow>> {
  const { files } = await codehost.workflowFiles(repository);
  return new Map(
    files.flatMap(({ path, text }) => (typeof text === 'string' ? [[path, readWorkflow(path, text)] as const] : [])),
  );
}

const isLogged = (status: LiveWorkflowRun['status'], conclusion: LiveWorkflowRun['conclusion']): boolean =>
  status === 'completed' && conclusion !== 'skipped';

/** What a workflow file uses, and what its jobs have in reach; only where it pins all that it uses is that followed. */
function toUses({ owner, repo }: Repository, workflow: Workflow, commit: string): ExecutedUses {
  const actionKey = `${owner}/${repo}`.toLowerCase();
  const root: UsedRef = { actionKey, path: workflow.path, kind: 'reusable_workflow', ref: commit };
  const reach = { jobs: reachOfJobs(workflow), privateSources: [] };
  const used = usesIn(workflow).refs.map((use) => ({
    ...use,
    privateSources: [],
    readAt: isFixed(use.ref) ? use.ref : null,
  }));
  return { uses: [{ ...root, privateSources: [], readAt: commit, reach }, ...used], unknown: [], isCut: false };
}

const toAttempt = (run: LiveWorkflowRun, repositoryId: number): ExposedAttempt => ({
  repositoryId,
  runId: run.id,
  attempt: run.attempt,
  runNumber: run.runNumber,
  workflowName: run.workflowName,
  event: run.event,
  headBranch: run.headBranch,
  headSha: run.headSha,
  createdAt: run.createdAt,
  runStartedAt: run.startedAt,
  completedAt: run.status === 'completed' ? run.updatedAt : null,
  htmlUrl: run.htmlUrl,
  jobsBegun: null,
  neverBegan: run.conclusion === 'skipped',
});

const isWithin = ({ createdAt, runStartedAt, completedAt }: ExposedAttempt, { from, to }: Stretch): boolean =>
  (runStartedAt ?? createdAt) <= to && (completedAt === null || completedAt >= from);

function listDays({ from, to }: { from: string; to: string }): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: (last - first) / dayMs + 1 }, (_, index) =>
    new Date(first + index * dayMs).toISOString().slice(0, 10),
  );
}
