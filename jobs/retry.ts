import type { Instant } from '../server/metrics/kernel/facts.ts';
import { hourMs } from '../server/metrics/kernel/window.ts';
import type { SlotRuns } from '../server/store/job-runs.ts';

type SlotRun = SlotRuns[number];

const firstPauseMs = 15_000;
/** What fails or dies so often is not mended by trying again; the next slot is. */
const maxFailures = 12;
/** What one repository alone does not give is not requested every few seconds all day long. */
const maxPromptResumptions = 15;

/** When a slot is run next, an instant that may be over; null when it is done, or given up. */
export function nextAttemptAt(runs: SlotRuns, now: Instant): Instant | null {
  const [latest] = runs;
  if (!latest) return now;
  if (isWaiting(latest)) return resumeAfter(latest, countLatest(runs, isWaiting));
  if (!hasFailed(latest)) return null;
  const failures = countLatest(runs, hasFailed);
  if (failures >= maxFailures) return null;
  if (latest.status === 'aborted') return now;
  return (latest.finishedAt ?? now) + Math.min(firstPauseMs * 2 ** (failures - 1), hourMs);
}

/** When the platform gives more again, and later and later where it does not. */
function resumeAfter({ resumeAt, finishedAt }: SlotRun, times: number): Instant {
  const from = resumeAt as Instant;
  const pauseMs = times > maxPromptResumptions ? firstPauseMs * 2 ** (times - maxPromptResumptions) : 0;
  return Math.max(from, (finishedAt ?? from) + pauseMs);
}

const hasFailed = ({ status }: SlotRun) => status === 'failed' || status === 'aborted';
const isWaiting = ({ status, resumeAt }: SlotRun) => status === 'partial' && resumeAt !== null;

/** How many runs in a row are such, from the latest back. */
function countLatest(runs: SlotRuns, isSuch: (run: SlotRun) => boolean): number {
  const end = runs.findIndex((run) => !isSuch(run));
  return end === -1 ? runs.length : end;
}
