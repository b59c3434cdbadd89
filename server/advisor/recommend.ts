import { createHash } from 'node:crypto';
import type { LargerRunnerLabels } from '../metrics/cost/runner-prices.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { splitLines } from '../scan/lines.ts';
import { readWorkflow } from '../scan/read-workflow.ts';
import type { Surroundings } from '../scan/rule.ts';
import { suppressionsIn } from '../scan/suppressions.ts';
import type { Workflow } from '../scan/workflow.ts';
import type { RecordedAttempt } from './history.ts';
import { createJobFinder } from './job-names.ts';
import type { AdvisedFile, Certainty, DocumentationChange, Finding, Kind, LongestPassing } from './kind.ts';
import { kinds } from './kinds.ts';
import { formatPath, type YamlPath } from './patch/change.ts';
import { reasonsWhere } from './reasons.ts';
import { measureCancellation } from './replay/cancellation.ts';
import { nameStep } from './step-times.ts';
import { commonReasons, nameSteps } from './traits.ts';

/** A repository with its workflow files and what is known around them. */
export interface AdvisedRepository {
  /** The platform's. */
  id: number;
  /** Ids of kinds that are not looked for. */
  kindsOff: readonly string[];
  defaultBranch: string;
  files: readonly { path: string; text: string }[];
  /** Whether there are others that could not be read. */
  hasUnreadFiles: boolean;
  /** Names of the files at its root; null where they cannot be read. */
  rootFiles: readonly string[] | null;
  /** What its caches take; null where that is not known. */
  cacheBytes: number | null;
  /** Names of the checks that pull requests to the default branch need; null where that is not known. */
  requiredChecks: readonly string[] | null;
  /** Pull requests by the files that they change; null where they were not read. */
  documentation: readonly DocumentationChange[] | null;
  /** Ids of workflows by the path of their file. */
  workflowIds: ReadonlyMap<string, number>;
  around: Surroundings;
  /** Attempts in the usable window; null without one. */
  attempts: readonly RecordedAttempt[] | null;
  /** Starts of the days that were counted; empty without a usable window. */
  days: readonly Instant[];
  /** Of all that is stored, whatever the window. */
  longestPassing: readonly LongestPassing[];
  /** What the labels of larger runners are billed as. */
  largerRunners: LargerRunnerLabels;
  /** null where they cannot be read. */
  deployedAt: readonly Instant[] | null;
  now: Instant;
}

/** A finding with what identifies it. */
export interface Recommendation extends Finding {
  /** The same for the same place of the same file, also when it changes elsewhere. */
  id: string;
  kind: Kind;
  path: string;
  workflowName: string;
  workflowId: number | null;
  line: number;
  /** Of the recorded jobs of the workflow those that fit no job of the file, or several, rounded up; null without any. */
  unmappedJobsPct: number | null;
}

/**
 * Looks for recommendations of every kind in the workflow files of a repository, by path and kind. Pure, and never
 * throws: a file that does not parse has none.
 */
export function recommend(repository: AdvisedRepository): Recommendation[] {
  const workflows = repository.files.map(({ path, text }) => readWorkflow(path, text));
  const cancellationMs = measureCancellation(repository.attempts ?? []);
  const byWorkflow = Map.groupBy(repository.attempts ?? [], ({ workflowId }) => workflowId);
  return workflows
    .filter(({ root, problems }) => root !== null && problems.length === 0)
    .flatMap((workflow) => {
      const workflowId = repository.workflowIds.get(workflow.path) ?? null;
      const attempts = repository.attempts && (byWorkflow.get(workflowId ?? 0) ?? []);
      const others = workflows.filter((one) => one !== workflow);
      const ofRepository = repository.attempts;
      return findIn(
        { ...repository, workflow, workflowId, others, attempts, ofRepository, cancellationMs },
        repository,
      );
    });
}

/** Where history shows nothing, the effect is not known. */
export const certaintyOf = ({ kind, counterfactual }: Recommendation): Certainty =>
  counterfactual === null && kind.certainty !== 'risk' ? 'unknown' : kind.certainty;

/** Whether nothing but the checks that pull requests need, which are not known, keeps one from being offered. */
export const dependsOnChecks = (found: readonly Recommendation[]): boolean =>
  found.some(({ reasons: [first, ...others] }) => first === 'required_unknown' && others.length === 0);

/** Names of the steps in workflow files whose recorded times are looked at. */
export function watchedSteps({ files, rootFiles }: Pick<AdvisedRepository, 'files' | 'rootFiles'>): string[] {
  const workflows = files.map(({ path, text }) => readWorkflow(path, text));
  const names = workflows.flatMap((workflow) =>
    kinds.flatMap((kind) =>
      [...(kind.watches?.(workflow, { rootFiles }) ?? [])].flatMap((step) => nameStep(step) ?? []),
    ),
  );
  return [...new Set(names)].slice(0, maxWatched);
}

/** Far above what files of people come to, so that looking for them in months of jobs has an end. */
const maxWatched = 100;

function findIn(file: AdvisedFile, { id: repositoryId, kindsOff }: AdvisedRepository): Recommendation[] {
  const wanted = kinds.filter(({ id }) => !kindsOff.includes(id));
  const { workflow, workflowId } = file;
  const lines = splitLines(workflow.text);
  const unmappedJobsPct = unmappedPct(file);
  const findSuppression = suppressionsIn(workflow, lines, file.now);
  return wanted.flatMap((kind) =>
    [...kind.find(file)].map((finding) => {
      const line = lines.of(finding.offset);
      const isSuppressed = [kind.id, ...(kind.rules ?? [])].some(
        (rule) => findSuppression(line, rule)?.state === 'active',
      );
      return {
        ...finding,
        id: identify(repositoryId, workflow, kind, nameSteps(finding.anchor, workflow)),
        kind,
        path: workflow.path,
        workflowName: workflow.name ?? workflow.path,
        workflowId,
        line,
        unmappedJobsPct,
        reasons: [...reasonsWhere({ suppressed: isSuppressed }), ...commonReasons(workflow), ...finding.reasons],
      };
    }),
  );
}

function unmappedPct({ workflow, attempts }: AdvisedFile): number | null {
  const findJob = createJobFinder(workflow);
  const jobs = (attempts ?? []).flatMap((one) => one.jobs ?? []);
  const unmapped = jobs.filter(({ name }) => findJob(name) === null).length;
  return jobs.length === 0 ? null : Math.ceil((100 * unmapped) / jobs.length);
}

function identify(repositoryId: number, { path }: Workflow, { id }: Kind, anchor: YamlPath): string {
  return createHash('sha256')
    .update([repositoryId, path, id, formatPath(anchor)].join(' | '))
    .digest('hex')
    .slice(0, 16);
}
