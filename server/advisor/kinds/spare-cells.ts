import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { getAction } from '../../scan/actions.ts';
import { findDeployment } from '../../scan/deploys.ts';
import type { Job } from '../../scan/workflow.ts';
import type { RecordedAttempt, RecordedJob } from '../history.ts';
import { type AdvisedFile, type EvidenceRun, type Finding, kind } from '../kind.ts';
import { type Cell, type Matrix, readMatrix, repeatsWork, spareCells } from '../matrix-cells.ts';
import type { Change } from '../patch/change.ts';
import { reasonsWhere } from '../reasons.ts';
import { minutesOf } from '../replay/days.ts';
import { startedRuns } from '../replay/demand.ts';
import { withoutJobs } from '../replay/world-change.ts';

/** Contract of the advisor, section 2.9. */
export const spareMatrixCells = kind({
  id: 'ADV-07',
  title: 'Run fewer cells of the matrix',
  certainty: 'recorded',
  addsRisk: true,
  definition:
    'A cell with 200 or more runs that passed or failed, in none of which it failed while no other cell did. Failures that a re-run of the same commit mended do not count.',
  *find(file) {
    for (const job of file.workflow.jobs) {
      const matrix = readMatrix(job);
      if (matrix === null || matrix.cells.length < minCells) continue;
      const runs = matrixRuns(file, matrix);
      const redundant = spareCells(matrix)
        .map((cell) => judge(cell, runs))
        .filter(({ conclusive, alone }) => conclusive.length >= minRuns && alone === 0)
        .toSorted((one, other) => other.minutes - one.minutes);
      const required = file.requiredChecks;
      const found = redundant.find(({ cell }) => !required?.includes(cell.name)) ?? redundant[0];
      if (!found) continue;
      const { cell } = found;
      yield {
        anchor: ['jobs', job.id, 'strategy', 'matrix', 'exclude', cell.name],
        offset: job.strategy?.offset ?? job.offset,
        ...describe(found, matrix),
        reasons: reasonsWhere({
          divides_work: !repeatsWork(matrix),
          deploys: findDeployment(file.workflow, job) !== null || job.environment !== null,
          uploads_artifacts: uploadsArtifacts(job),
          required_unknown: required === null,
          required_check: required?.includes(cell.name) ?? false,
        }),
        changes: [toChange(job, matrix, cell)],
        counterfactual: {
          change: withoutJobs(({ name }) => name === cell.name),
          demand: startedRuns(file.workflowId),
        },
      };
    }
  },
});

const minCells = 4;
const minRuns = 200;

/** What the cells of a matrix came to in one attempt. */
interface MatrixRun {
  attempt: RecordedAttempt;
  jobs: ReadonlyMap<string, RecordedJob>;
}

function matrixRuns({ attempts }: AdvisedFile, { cells }: Matrix): MatrixRun[] {
  const names = new Set(cells.map(({ name }) => name));
  return (attempts ?? []).flatMap((attempt) => {
    const jobs = new Map((attempt.jobs ?? []).filter(({ name }) => names.has(name)).map((job) => [job.name, job]));
    return jobs.size > 0 ? [{ attempt, jobs }] : [];
  });
}

interface Judged {
  cell: Cell;
  /** Attempts, one a run, in which it passed or failed. */
  conclusive: RecordedAttempt[];
  /** Runs in which it failed and no other cell did. */
  alone: number;
  /** Failing runs of the matrix. */
  failures: number;
  minutes: number;
}

function judge(cell: Cell, runs: readonly MatrixRun[]): Judged {
  const outcomeIn = ({ jobs }: MatrixRun, name = cell.name) => {
    const job = jobs.get(name);
    return job ? getOutcome(job) : 'void';
  };
  const byRun = Map.groupBy(runs, ({ attempt }) => attempt.runId);
  const isMended = ({ attempt }: MatrixRun) =>
    (byRun.get(attempt.runId) ?? []).some(
      (later) => later.attempt.attempt > attempt.attempt && outcomeIn(later) === 'pass',
    );
  const hasOtherFailure = (run: MatrixRun) =>
    [...run.jobs.keys()].some((name) => name !== cell.name && outcomeIn(run, name) === 'fail');
  const conclusive = runs.filter((run) => outcomeIn(run) !== 'void');
  const failing = runs.filter((run) => [...run.jobs.keys()].some((name) => outcomeIn(run, name) === 'fail'));
  const alone = conclusive.filter((run) => outcomeIn(run) === 'fail' && !hasOtherFailure(run) && !isMended(run));
  return {
    cell,
    conclusive: [...new Map(conclusive.map(({ attempt }) => [attempt.runId, attempt])).values()],
    alone: alone.length,
    failures: failing.length,
    minutes: runs.reduce((sum, { jobs }) => {
      const job = jobs.get(cell.name);
      return sum + (job ? (minutesOf(job) ?? 0) : 0);
    }, 0),
  };
}

/** A cell that brings out something of its own is not one to leave out. */
const uploadsArtifacts = ({ steps }: Job) => steps.some((step) => /artifact|upload/.test(getAction(step) ?? ''));

function describe({ cell, conclusive, failures, minutes }: Judged, { cells }: Matrix) {
  const runs = conclusive.length;
  const bound = Math.ceil(300 / runs);
  return {
    text: `“${cell.name}” never failed alone in ${runs} runs, and took ${minutes} min; ${cells.length - 1} other cells stay.`,
    sample: runs,
    facts: [
      { label: 'Runs of the cell', value: String(runs), unit: null },
      { label: 'Failing runs of the matrix', value: String(failures), unit: null },
      { label: 'Minutes of the cell', value: String(minutes), unit: 'min' },
    ],
    evidence: conclusive.map((attempt): EvidenceRun => ({ attempt, why: 'it did not fail alone' })),
    risks: [{ text: `Runs that failed in this cell alone; of future runs up to ${bound}% may.`, count: 0, of: runs }],
  } satisfies Partial<Finding>;
}

function toChange(job: Job, matrix: Matrix, cell: Cell): Change {
  const at = ['jobs', job.id, 'strategy', 'matrix'];
  const keys = matrix.axes.map(({ key }) => key);
  return matrix.hasExclude
    ? { do: 'append', at: [...at, 'exclude'], value: cell.values }
    : { do: 'insert', at, key: 'exclude', value: [cell.values], after: keys.toReversed() };
}
