import type { Instant } from '../server/metrics/kernel/facts.ts';
import { hourMs } from '../server/metrics/kernel/window.ts';
import type { SlotRuns } from '../server/store/job-runs.ts';

/** When a slot is to be begun: an instant, which may be over; null when nothing more is to be done for it. */
export function nextAttemptAt([latest, ...earlier]: SlotRuns, now: Instant): Instant | null {
  if (!latest) return now;
  if (latest.status === 'done') return null;
  if (latest.status === 'partial') return resumed(latest, inARow([latest, ...earlier], waited));
  const failures = inARow([latest, ...earlier], broke);
  if (failures >= maxFailures) return null;
  if (latest.status === 'aborted') return now;
  return (latest.finishedAt ?? now) + Math.min(firstPauseMs * 2 ** (failures - 1), hourMs);
}

const firstPauseMs = 15_000;
/** What fails or dies so often is not mended by trying again; the next slot is. */
const maxFailures = 12;

/** What one repository alone does not give is not requested every few seconds all day long. */
function resumed({ resumeAt, finishedAt }: SlotRuns[number], times: number): Instant | null {
  if (resumeAt === null) return null;
  const pauseMs = times > promptResumptions ? firstPauseMs * 2 ** (times - promptResumptions) : 0;
  return Math.max(resumeAt, (finishedAt ?? resumeAt) + pauseMs);
}

/** Of the twenty runs of a slot that are looked at; the longest pause is so 8 minutes. */
const promptResumptions = 15;

const broke = ({ status }: SlotRuns[number]) => status === 'failed' || status === 'aborted';
const waited = ({ status, resumeAt }: SlotRuns[number]) => status === 'partial' && resumeAt !== null;

function inARow(runs: SlotRuns, are: (run: SlotRuns[number]) => boolean): number {
  const end = runs.findIndex((run) => !are(run));
  return end === -1 ? runs.length : end;
}
