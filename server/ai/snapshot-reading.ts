import type { Context, Reply } from '../access/context.ts';
import { mayUse } from '../access/decision.ts';
import type { FeatureKey } from '../access/features.ts';
import type { LiveWorkflowRun, Repository, RepositoryName } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import { ifReadable } from '../reports/kernel/coverage.ts';
import { iso } from '../reports/kernel/instants.ts';
import { readWorkflowRuns } from '../reports/runs/report.ts';
import { workflowChanges } from '../reports/workflow-files/report.ts';
import { cleanName, cleanRepository } from './names.ts';

/** Runs of a workflow that a text is written about: its newest ones. */
export const runsAnalysed = 50;

/** Changes of workflow files that a snapshot holds at most. */
const maxChanges = 10;

/** Commits among which those changes are looked for. */
const commitsRead = 30;

/** Features without which a section of a text about a workflow is left out. */
const sectionFeatures = ['auditTrail', 'performanceTab', 'reliabilityTab'] as const satisfies FeatureKey[];

export type SectionFeature = (typeof sectionFeatures)[number];

/** Those that the caller may use. */
export async function grantedSections(context: Context): Promise<SectionFeature[]> {
  const granted = await Promise.all(sectionFeatures.map((key) => mayUse(key, context)));
  return sectionFeatures.filter((_, index) => granted[index]);
}

/** The newest runs of one workflow, with what surrounds them. */
export interface WorkflowReading {
  repository: Repository;
  /** Newest first, by their latest attempts. */
  runs: LiveWorkflowRun[];
  /** The workflow has no older runs. */
  isComplete: boolean;
  granted: readonly SectionFeature[];
  /** When its file was changed since the oldest run, newest first: null when rejected, absent when not granted. */
  fileChanges?: string[] | null;
}

/** Where a report notes how fresh it is; a snapshot states it by `partial` alone. */
export const discardedReply = (): Reply => ({ status: 200, headers: new Headers() });

/**
 * Reads what the texts about one workflow are made of. An older copy will not do: that nothing stands out in it says
 * nothing about now. Throws the problems of the platform.
 */
export async function readWorkflow(
  input: RepositoryName & { workflow_id: number },
  context: Context,
): Promise<WorkflowReading> {
  const { repository, listing } = await readWorkflowRuns(
    { ...input, per_page: runsAnalysed },
    context,
    discardedReply(),
  );
  if (listing.stale) throw new Problem('upstream_unavailable', 'The latest runs could not be loaded.');
  const reading: WorkflowReading = {
    repository,
    runs: listing.items,
    isComplete: listing.totalCount !== null && listing.totalCount <= listing.items.length,
    granted: await grantedSections(context),
  };
  const isIncluded = reading.granted.includes('auditTrail');
  return isIncluded ? { ...reading, fileChanges: await fileChangesAmong(reading, context) } : reading;
}

async function fileChangesAmong({ repository, runs }: WorkflowReading, context: Context): Promise<string[] | null> {
  const { owner, repo } = repository;
  const path = runs.find(({ workflowPath }) => workflowPath !== null)?.workflowPath ?? null;
  const oldest = runs.at(-1)?.createdAt;
  if (path === null || oldest === undefined) return null;
  const changes = await ifReadable(workflowChanges({ owner, repo, limit: commitsRead }, context, discardedReply()));
  if (changes === null) return null;
  return changes
    .filter(({ filePaths, committedAt }) => filePaths.includes(path) && committedAt >= oldest)
    .slice(0, maxChanges)
    .map(({ committedAt }) => iso(committedAt));
}

/** What a workflow and its repository are called in a prompt. */
export const getNames = ({ repository, runs }: WorkflowReading) => ({
  workflow_name: cleanNameOrNull(runs[0]?.workflowName ?? null, listBranches(runs, repository)),
  repo: cleanRepository(`${repository.owner}/${repository.repo}`),
});

const cleanNameOrNull = (name: string | null, branches: string[]) => (name === null ? null : cleanName(name, branches));

/** Branches that names must not give away: those of the runs, and the default branch, which jobs name too. */
export const listBranches = (runs: readonly LiveWorkflowRun[], { defaultBranch }: Repository): string[] =>
  [defaultBranch, ...runs.map(({ headBranch }) => headBranch)].flatMap((branch) => branch ?? []);
