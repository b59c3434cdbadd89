import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { getSpan } from '../../metrics/runs/jobs.ts';
import { jobsNeeded } from '../../scan/conditions.ts';
import { valueIn } from '../../scan/workflow.ts';
import type { RecordedAttempt, RecordedJob } from '../history.ts';
import { createJobMatcher } from '../job-names.ts';
import { type AdvisedFile, type Finding, kind, withoutHistory } from '../kind.ts';
import { type Edge, listUnusedEdges, removeEdge } from '../needs.ts';
import { type PredictionReason, reasonsWhere } from '../reasons.ts';
import { isContended } from '../replay/contention.ts';
import { startedRuns } from '../replay/demand.ts';
import { type PassingCells, startEarlier, wouldRun } from '../replay/earlier-start.ts';
import { createMapper, lastEnd, type MappedJobs } from '../replay/needs-replay.ts';

/** Contract of the advisor, section 2.10. */
export const earlierStarts = kind({
  id: 'ADV-08',
  title: 'Start a job earlier',
  certainty: 'modelled',
  saves: 'wall time',
  definition:
    'A job waits for another one of which it reads no output, result or artifact, and which ended last of all that it waits for in half of the runs or more.',
  *find(file) {
    const edges = listUnusedEdges(file.workflow);
    if (edges.length === 0) return;
    const runs = file.attempts === null ? null : readRuns(file, file.attempts);
    for (const edge of edges) {
      const { job, needed } = edge;
      const change = removeEdge(edge);
      const waits = runs && countWaits(edge, file, runs.fitting);
      if (waits && waits.last * 2 < waits.runs) continue;
      yield {
        anchor: ['jobs', job.id, 'needs', needed.id],
        offset: valueIn(job.node, 'needs')?.offset ?? job.offset,
        ...(waits === null
          ? withoutHistory(`“${job.id}” waits for “${needed.id}” and reads nothing of it.`)
          : describe(edge, waits)),
        reasons: reasonsWhere({
          history_absent: runs === null,
          jobs_not_mapped: runs !== null && !runs.isMapped,
          sample_too_small: waits !== null && runs?.isMapped === true && waits.runs < minRuns,
          unusual_yaml: change === null,
        }),
        changes: change === null ? [] : [change],
        counterfactual:
          waits === null
            ? null
            : {
                change: startEarlier({ workflow: file.workflow, edge, passing: waits.passing }),
                demand: startedRuns(file.workflowId),
                withheld: whyWithheld(file, waits),
              },
      };
    }
  },
});

const minRuns = 30;
const minMapped = 0.95;

interface Run {
  attempt: RecordedAttempt;
  mapped: MappedJobs;
}

/** The attempts that ran the file as it is now, and whether jobs can be distinguished. */
function readRuns({ workflow }: AdvisedFile, attempts: readonly RecordedAttempt[]) {
  const match = createJobMatcher(workflow);
  const names = attempts.flatMap(({ jobs }) => (jobs ?? []).map(({ name }) => match(name).length));
  const mapped = names.filter((count) => count === 1).length;
  const mapJobs = createMapper(workflow);
  return {
    isMapped: names.every((count) => count < 2) && mapped >= minMapped * names.length,
    fitting: attempts.flatMap((attempt): Run[] => {
      const ofFile = mapJobs(attempt);
      return ofFile === null ? [] : [{ attempt, mapped: ofFile }];
    }),
  };
}

interface Waits {
  /** In which the job ran. */
  runs: number;
  /** In which the other one ended last of all that it waits for. */
  last: number;
  evidence: RecordedAttempt[];
  /** Runs in which the job would have run, too. */
  added: number;
  passing: PassingCells[];
}

function countWaits({ job, needed }: Edge, { workflow }: AdvisedFile, runs: readonly Run[]): Waits {
  const needs = jobsNeeded(workflow, job);
  const others = needs.filter((one) => one !== needed);
  const ran = runs.filter(({ mapped }) => (mapped.get(job) ?? []).some(({ isTaken }) => isTaken));
  const waited = ran.filter(({ mapped }) => {
    const end = lastEnd(mapped.get(needed) ?? []);
    return end !== null && end > (lastEnd(others.flatMap((one) => mapped.get(one) ?? [])) ?? 0);
  });
  return {
    runs: ran.length,
    last: waited.length,
    evidence: waited.map(({ attempt }) => attempt),
    added: runs.filter(({ mapped }) => isSkipped(mapped.get(job)) && wouldRun({ job, needed }, needs, mapped)).length,
    passing: ran.flatMap(({ attempt: { arrivedAt }, mapped }) => {
      const cells = mapped.get(job) ?? [];
      // Of one without its times, or whose clock went back, it is not known how long it takes.
      return cells.every((one) => getOutcome(one) === 'pass' && getSpan(one) !== null) ? [{ arrivedAt, cells }] : [];
    }),
  };
}

/** What a job would take where it never passed is not known. */
function whyWithheld({ attempts }: AdvisedFile, { added, passing }: Waits): PredictionReason | null {
  if (isContended(attempts ?? [])) return 'shared_pool';
  return added > 0 && passing.length === 0 ? 'nothing_to_compare' : null;
}

const isSkipped = (cells: readonly RecordedJob[] = []): boolean =>
  cells.some(({ conclusion }) => conclusion === 'skipped');

function describe({ job, needed }: Edge, { runs, last, evidence, added }: Waits) {
  return {
    text: `In ${last} of ${runs} runs “${job.id}” waited for “${needed.id}” last, and reads nothing of it.`,
    sample: runs,
    facts: [
      { label: `Runs with “${job.id}”`, value: String(runs), unit: null },
      { label: `Runs in which it waited for “${needed.id}” last`, value: String(last), unit: null },
    ],
    evidence: evidence.map((attempt) => ({ attempt, why: `waited for “${needed.id}”` })),
    risks: [
      {
        text: `Runs in which “${needed.id}” did not pass: “${job.id}” would have run as well.`,
        count: added,
        of: runs + added,
      },
    ],
  } satisfies Partial<Finding>;
}
