import { getOutcome, isConclusive } from '../../metrics/kernel/outcome.ts';
import { getAction } from '../../scan/actions.ts';
import { findDeployment } from '../../scan/deploys.ts';
import type { Job } from '../../scan/workflow.ts';
import type { RecordedAttempt } from '../history.ts';
import { createJobFinder } from '../job-names.ts';
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
    'A cell with 200 or more runs that passed or failed, in none of which it failed while no other cell did. Failures that passed when run again do not count, and are shown.',
  *find(file) {
    const findJob = createJobFinder(file.workflow);
    for (const job of file.workflow.jobs) {
      const matrix = readMatrix(job);
      if (matrix === null || matrix.cells.length < minCells) continue;
      // Names that another job could have, too, tell nothing of this one.
      if (!matrix.cells.every(({ name }) => findJob(name) === job)) continue;
      const { judged, failures } = judgeCells(file, matrix);
      const redundant = judged
        .filter(({ evidence, alone }) => evidence.length >= minRuns && alone === 0)
        .toSorted((one, other) => other.minutes - one.minutes);
      const required = file.requiredChecks;
      const found = redundant.find(({ cell }) => !required?.includes(cell.name)) ?? redundant[0];
      if (!found) continue;
      const { cell } = found;
      yield {
        anchor: ['jobs', job.id, 'strategy', 'matrix', 'exclude'],
        offset: job.strategy?.offset ?? job.offset,
        ...describe(found, matrix, failures),
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

interface Judged {
  cell: Cell;
  /** Of each run in which it passed or failed, the last such attempt. */
  evidence: EvidenceRun[];
  /** Runs in which it failed, no other cell did, and it did not pass when it was run again. */
  alone: number;
  /** Runs in which it failed, no other cell did, and it passed when it was run again. */
  mended: number;
  minutes: number;
}

/** What each cell that may be left out came to, and how many runs of the matrix failed; in one pass over the runs. */
function judgeCells({ attempts }: AdvisedFile, matrix: Matrix): { judged: Judged[]; failures: number } {
  const names = new Set(matrix.cells.map(({ name }) => name));
  const judged = new Map(
    spareCells(matrix).map((cell): [string, Judged] => [
      cell.name,
      { cell, evidence: [], alone: 0, mended: 0, minutes: 0 },
    ]),
  );
  let failures = 0;
  for (const run of Map.groupBy(attempts ?? [], ({ runId }) => runId).values()) {
    const { hasFailed, cells } = readRun(run, names);
    if (hasFailed) failures++;
    for (const [name, { last, alone, minutes }] of cells) {
      const one = judged.get(name);
      if (!one) continue;
      if (last) one.evidence.push({ attempt: last, why: alone === 'mended' ? flaky : 'it did not fail alone' });
      if (alone) one[alone]++;
      one.minutes += minutes;
    }
  }
  return { judged: [...judged.values()], failures };
}

const flaky = 'it failed alone and passed when it was run again';

/** What a cell came to in all attempts of a run. */
interface CellInRun {
  /** In which it passed or failed. */
  last: RecordedAttempt | null;
  /** Whether it failed while no other cell did, and whether a later attempt passed. */
  alone: 'alone' | 'mended' | null;
  passed: boolean;
  minutes: number;
}

/** The cells of a matrix in the attempts of one run, which are looked at from the last one on. */
function readRun(attempts: readonly RecordedAttempt[], names: ReadonlySet<string>) {
  const cells = new Map<string, CellInRun>();
  let hasFailed = false;
  for (const attempt of attempts.toSorted((one, other) => other.attempt - one.attempt)) {
    const jobs = (attempt.jobs ?? []).filter(({ name }) => names.has(name));
    const failing = jobs.filter((job) => getOutcome(job) === 'fail');
    hasFailed ||= failing.length > 0;
    for (const job of jobs) {
      const cell = cells.get(job.name) ?? { last: null, alone: null, passed: false, minutes: 0 };
      cells.set(job.name, cell);
      if (isConclusive(job)) cell.last ??= attempt;
      if (failing.length === 1 && failing[0] === job) cell.alone ??= cell.passed ? 'mended' : 'alone';
      cell.passed ||= getOutcome(job) === 'pass';
      cell.minutes += minutesOf(job) ?? 0;
    }
  }
  return { hasFailed, cells };
}

/** A cell that brings out something of its own is not one to leave out. */
const uploadsArtifacts = ({ steps }: Job) => steps.some((step) => /artifact|upload/.test(getAction(step) ?? ''));

function describe({ cell, evidence, mended, minutes }: Judged, { cells }: Matrix, failures: number) {
  const runs = evidence.length;
  const bound = Math.ceil(300 / runs);
  const finding =
    mended === 0
      ? `“${cell.name}” never failed alone in ${runs} runs`
      : `“${cell.name}” failed alone in ${mended} of ${runs} runs, passed in each when it was run again`;
  return {
    text: `${finding}, and took ${minutes} min; ${cells.length - 1} other cells stay.`,
    sample: runs,
    facts: [
      { label: 'Runs of the cell', value: String(runs), unit: null },
      { label: 'Runs in which it failed alone and passed when run again', value: String(mended), unit: null },
      { label: 'Failing runs of the matrix', value: String(failures), unit: null },
      { label: 'Minutes of the cell', value: String(minutes), unit: 'min' },
    ],
    evidence,
    risks: [
      {
        text: `Runs that failed in this cell alone, also when run again; of future runs up to ${bound}% may.`,
        count: 0,
        of: runs,
      },
      ...(mended === 0
        ? []
        : [{ text: 'Runs that failed in this cell alone and passed when run again.', count: mended, of: runs }]),
    ],
  } satisfies Partial<Finding>;
}

function toChange(job: Job, matrix: Matrix, cell: Cell): Change {
  const at = ['jobs', job.id, 'strategy', 'matrix'];
  const keys = matrix.axes.map(({ key }) => key);
  return matrix.hasExclude
    ? { do: 'append', at: [...at, 'exclude'], value: cell.values }
    : { do: 'insert', at, key: 'exclude', value: [cell.values], after: keys.toReversed() };
}
