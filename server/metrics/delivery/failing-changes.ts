import type { Instant } from '../kernel/facts.ts';
import { metric } from '../kernel/metric.ts';
import { getOutcome } from '../kernel/outcome.ts';
import { latestAttempts, type MeasuredRun, newestFirst } from '../runs/workflow-runs.ts';

/** A commit of the default branch that changed workflow files. */
export interface FileChange {
  committedAt: Instant;
  /** Of the workflow files that are there after it; null when they are not known. */
  paths: readonly string[] | null;
}

/** Runs of a changed workflow that failed from the first one after the change on, where the one before had passed. */
export interface FailuresAfter {
  path: string;
  passedBefore: MeasuredRun;
  firstFailed: MeasuredRun;
  /** Failed runs in a row, at least two. */
  failures: number;
  /** true while nothing has passed since. */
  lasts: boolean;
}

/** A change, and what became of the runs of each file that it changed. */
export interface JudgedChange<Change extends FileChange = FileChange> {
  change: Change;
  failures: FailuresAfter[];
  /** Why it is unknown of some files; null when it is not. */
  unknown: string | null;
}

/**
 * Judges changes by the runs of each file's workflow on the default branch: the newest ones without a gap. Runs count
 * by their latest attempt; cancelled and skipped ones are passed over.
 */
export function judgeChanges<Change extends FileChange>(
  changes: readonly Change[],
  runsByKey: ReadonlyMap<string, readonly MeasuredRun[]>,
): JudgedChange<Change>[] {
  const ordered = new Map([...runsByKey].map(([path, runs]) => [path, oldestFirst(runs)]));
  return changes.map((change) => {
    const found = (change.paths ?? []).map((path) => afterChange(path, change.committedAt, ordered.get(path) ?? []));
    const unknown = found.find((one) => typeof one === 'string') ?? null;
    return {
      change,
      failures: found.flatMap((one) => (one === null || typeof one === 'string' ? [] : one)),
      unknown: whyNot(change) ?? unknown,
    };
  });
}

/** How many changes were followed by failures; of some it is unknown. */
export const changesBeforeFailures = metric<JudgedChange>({
  key: 'changes_before_failures',
  label: 'Changes that started a failure streak',
  unit: 'count',
  better: 'lower',
  source: 'changes whose runs before and after are known',
  definition:
    'Changes of a workflow file after which two or more runs of the workflow on the default branch failed in a row, ' +
    'starting with the first run, while the run before the change passed. Cancelled and skipped runs are ignored. ' +
    'This does not show the cause.',
  counts: ({ failures, unknown }) => failures.length > 0 || unknown === null || unknown,
  value: (judged) => judged.filter(({ failures }) => failures.length > 0).length,
});

function whyNot({ paths }: FileChange): string | null {
  if (paths === null) return 'its files are not known';
  return paths.length === 0 ? 'it only removed files' : null;
}

const oldestFirst = (runs: readonly MeasuredRun[]) =>
  newestFirst(latestAttempts(runs).filter((run) => getOutcome(run) !== 'void')).reverse();

/** null where runs did not fail from then on; a reason where it is unknown. */
function afterChange(path: string, at: Instant, runs: readonly MeasuredRun[]): FailuresAfter | string | null {
  if (runs.length === 0) return 'no run of its workflow on the default branch is known';
  const index = runs.findIndex(({ createdAt }) => createdAt >= at);
  const [firstFailed, ...later] = index === -1 ? [] : runs.slice(index);
  if (!firstFailed) return 'no run since is known';
  const passedBefore = runs[index - 1];
  // Without it, more runs may lie between the change and the first one that is known.
  if (!passedBefore) return 'no run before it is known';
  if (getOutcome(firstFailed) === 'pass' || getOutcome(passedBefore) === 'fail') return null;
  if ([passedBefore, firstFailed].some((run) => getOutcome(run) === 'running')) return 'a run around it has not ended';
  const end = later.findIndex((run) => getOutcome(run) !== 'fail');
  const failures = 1 + (end === -1 ? later.length : end);
  const hasPassed = later.some((run) => getOutcome(run) === 'pass');
  if (failures > 1) return { path, passedBefore, firstFailed, failures, lasts: !hasPassed };
  return later[0] && getOutcome(later[0]) === 'pass' ? null : 'only one run since has ended, and failed';
}
