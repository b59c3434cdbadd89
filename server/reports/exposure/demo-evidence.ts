import type { Context } from '../../access/context.ts';
import type { LiveWorkflowRun, Repository } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import type { ExposedAttempt, Stretch } from '../../store/exposed-runs.ts';
import { sampleLedger } from './demo.ts';
import type { EvidenceSource } from './evidence.ts';

/** More than the sample has of a repository. */
const maxPages = 1000;

/** The sample organization has no database: what ran are its runs, and its files have always been as they are. */
export async function sampleEvidence(repositories: readonly Repository[], context: Context): Promise<EvidenceSource> {
  const { runs } = await context.codehost();
  const ledger = await sampleLedger(repositories, context);
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
      return named.flatMap((use) => listDays(days).map((day) => ({ ...use, day })));
    },
    daysRead: async (ids, days) => ids.flatMap((repositoryId) => listDays(days).map((day) => ({ repositoryId, day }))),
    namesOf: async (actionKey) => ({ all: [actionKey], shown: [actionKey] }),
    usedSince: async () => [],
    releases: async () => [],
  };
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
