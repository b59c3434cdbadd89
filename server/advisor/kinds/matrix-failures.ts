import type { Instant } from '../../metrics/kernel/facts.ts';
import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { getAction } from '../../scan/actions.ts';
import { type Job, textIn, valueIn, type Workflow } from '../../scan/workflow.ts';
import type { RecordedAttempt, RecordedJob } from '../history.ts';
import { createJobFinder } from '../job-names.ts';
import { type AdvisedFile, type Finding, kind, withoutHistory } from '../kind.ts';
import { reasonsWhere } from '../reasons.ts';
import { startedRuns } from '../replay/demand.ts';
import { type ChangedTimes, endAt, retime, type WorldChange } from '../replay/world-change.ts';

/** Contract of the advisor, section 2.8. */
export const matrixFailures = kind({
  id: 'ADV-06',
  title: 'Stop the matrix at its first failure',
  certainty: 'recorded',
  definition: 'Failing runs of a matrix in which another cell ended after the first one had failed.',
  *find(file) {
    const findJob = createJobFinder(file.workflow);
    for (const job of file.workflow.jobs) {
      const failFast = textIn(job.strategy, 'fail-fast');
      // Without a matrix it says nothing, and taken out it would leave an empty strategy, which is invalid.
      if (failFast?.value !== 'false' || valueIn(job.strategy, 'matrix') === null) continue;
      const isCell = (name: string) => findJob(name) === job;
      const matrices = matricesOf(file, isCell);
      const failed = matrices.filter(({ cells }) => cells.some(hasFailed));
      const ranOn = failed.filter(({ cells }) => ranOnAfterFailure(cells));
      yield {
        anchor: ['jobs', job.id, 'strategy', 'fail-fast'],
        offset: failFast.offset,
        ...(file.attempts === null
          ? withoutHistory(`Cells of “${job.id}” run on after one of them has failed.`)
          : describe(matrices, failed, ranOn)),
        reasons: reasonsWhere({
          continue_on_error: valueIn(job.node, 'continue-on-error') !== null,
          reads_artifacts: mayReadArtifacts(file.workflow, job),
          flaky: isOftenFlaky(failed, file),
          history_absent: file.attempts === null,
          sample_too_small: file.attempts !== null && countRuns(ranOn) < minRuns,
        }),
        changes: [{ do: 'remove', at: ['jobs', job.id, 'strategy', 'fail-fast'] }],
        counterfactual: {
          change: stopAtFirstFailure(isCell, file.cancellationMs),
          demand: startedRuns(file.workflowId),
          restsOnWaits: true,
        },
      };
    }
  },
});

const minRuns = 10;
const maxFlakyShare = 0.1;

/** The cells of a matrix in one attempt. */
interface MatrixRun {
  attempt: RecordedAttempt;
  cells: readonly RecordedJob[];
}

function matricesOf({ attempts }: AdvisedFile, isCell: (name: string) => boolean): MatrixRun[] {
  return (attempts ?? []).flatMap((attempt) => {
    const cells = (attempt.jobs ?? []).filter(({ name }) => isCell(name));
    return cells.length > 1 ? [{ attempt, cells }] : [];
  });
}

const hasFailed = (job: RecordedJob) => getOutcome(job) === 'fail';

/** As if the other cells had been cancelled when the first one had failed; contract, section 2.8. */
const stopAtFirstFailure =
  (isCell: (name: string) => boolean, cancellationMs: number): WorldChange =>
  (attempts) =>
    attempts.map((attempt) => {
      const cells = (attempt.jobs ?? []).filter(({ name }) => isCell(name));
      return cells.some(hasFailed) ? retime(attempt, timesAfterFailure(cells, cancellationMs)) : attempt;
    });

function timesAfterFailure(cells: readonly RecordedJob[], cancellationMs: number): ChangedTimes {
  const failedAt = endOfFirstFailure(cells);
  const ranOn = cells.filter(({ isTaken, completedAt }) => isTaken && completedAt !== null && completedAt > failedAt);
  const times = ranOn.map((job) => {
    const isWaiting = (job.startedAt ?? 0) >= failedAt;
    return [job, isWaiting ? null : endAt(job, failedAt + cancellationMs)] as const;
  });
  // A job that ended within the delay keeps its times.
  return new Map(times.filter(([job, changed]) => changed !== null || (job.startedAt ?? 0) >= failedAt));
}

const endOfFirstFailure = (cells: readonly RecordedJob[]): Instant =>
  Math.min(...cells.filter(hasFailed).map(({ completedAt }) => completedAt ?? Number.POSITIVE_INFINITY));

/** Whether another cell ended after the first one had failed. */
function ranOnAfterFailure(cells: readonly RecordedJob[]): boolean {
  const first = endOfFirstFailure(cells);
  return cells.some(({ startedAt, completedAt }) => startedAt !== null && completedAt !== null && completedAt > first);
}

/** Whether a job that runs after a failure reads what cells upload. */
function mayReadArtifacts({ jobs }: Workflow, job: Job): boolean {
  const uploads = job.steps.some((step) => getAction(step) === 'actions/upload-artifact');
  return (
    uploads &&
    jobs.some(
      (other) =>
        /\b(always|failure|cancelled)\s*\(/.test(other.condition?.value ?? '') &&
        other.steps.some((step) => /^actions\/(download-artifact|upload-artifact\/merge)$/.test(getAction(step) ?? '')),
    )
  );
}

/** Whether many of the failing runs passed when they were run again. */
function isOftenFlaky(failed: readonly MatrixRun[], { attempts }: AdvisedFile): boolean {
  const passed = new Set(
    (attempts ?? []).flatMap(({ runId, attempt, conclusion }) =>
      attempt > 1 && conclusion === 'success' ? [runId] : [],
    ),
  );
  const runs = new Set(failed.map(({ attempt }) => attempt.runId));
  const flaky = [...runs].filter((id) => passed.has(id)).length;
  return flaky > 0 && flaky >= maxFlakyShare * runs.size;
}

/** A run and its re-runs are one. */
const countRuns = (matrices: readonly MatrixRun[]): number =>
  new Set(matrices.map(({ attempt }) => attempt.runId)).size;

function describe(matrices: readonly MatrixRun[], failed: readonly MatrixRun[], ranOn: readonly MatrixRun[]) {
  const second = ranOn.filter(({ cells }) => cells.filter(hasFailed).length > 1);
  return {
    text: `In ${countRuns(ranOn)} of ${countRuns(failed)} failing runs other cells ran on after the first one had failed.`,
    sample: countRuns(matrices),
    facts: [
      { label: 'Runs of the matrix', value: String(countRuns(matrices)), unit: null },
      { label: 'Failing runs', value: String(countRuns(failed)), unit: null },
    ],
    evidence: ranOn.map(({ attempt }) => ({ attempt, why: 'cells ran on after a failure' })),
    risks: [
      {
        text: 'Runs in which a second cell failed too: seen only later.',
        count: countRuns(second),
        of: countRuns(ranOn),
      },
    ],
  } satisfies Partial<Finding>;
}
