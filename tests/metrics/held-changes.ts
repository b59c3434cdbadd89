import { changesBeforeFailures, judgeChanges } from '../../server/metrics/delivery/failing-changes.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import { type HeldMetrics, held } from './held-metrics.ts';
import { conclusive, latest, passed } from './naive.ts';
import { hour, type World } from './worlds.ts';

const paths = [['7.yml'], ['8.yml'], ['7.yml', '8.yml'], ['7.yml'], ['gone.yml', '7.yml'], [], null];

/** The metric of changes of workflow files, over a commit every 22 hours. */
export function heldChanges({ attempts, now }: World): HeldMetrics {
  const main = attempts.filter((run) => run.headBranch === 'main' && run.event !== 'pull_request');
  const runsOf = new Map([7, 8].map((id) => [`${id}.yml`, main.filter(({ workflowId }) => workflowId === id)]));
  const changes = Array.from({ length: 48 }, (_, index) => ({
    committedAt: now - index * 22 * hour,
    paths: paths[index % paths.length] ?? null,
  }));
  return {
    changesBeforeFailures: [held(changesBeforeFailures, judgeChanges(changes, runsOf), naiveCount(changes, runsOf))],
  };
}

type Verdict = 'failures' | 'none' | 'unknown';

function naiveCount(
  changes: { committedAt: number; paths: readonly string[] | null }[],
  runsOf: Map<string, MeasuredRun[]>,
): number | null {
  const verdicts = changes.map(({ committedAt, paths: of }): Verdict => {
    const each = (of ?? []).map((path) => naiveVerdict(committedAt, runsOf.get(path) ?? []));
    if (each.includes('failures')) return 'failures';
    return each.length === 0 || each.includes('unknown') ? 'unknown' : 'none';
  });
  if (verdicts.every((verdict) => verdict === 'unknown')) return null;
  return verdicts.filter((verdict) => verdict === 'failures').length;
}

/** Picks out the run before and the two after, one by one. */
function naiveVerdict(at: number, attempts: MeasuredRun[]): Verdict {
  const ended = conclusive(attempts);
  const open = (run: MeasuredRun) => run.status !== 'completed';
  const known = latest(attempts).filter((run) => open(run) || ended.includes(run));
  const isBefore = (a: MeasuredRun, b: MeasuredRun) =>
    a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);
  const earliest = (runs: MeasuredRun[]) => runs.find((run) => runs.every((one) => one === run || isBefore(run, one)));
  const before = known.filter(({ createdAt }) => createdAt < at);
  const since = known.filter(({ createdAt }) => createdAt >= at);
  const last = before.find((run) => before.every((one) => one === run || isBefore(one, run)));
  const first = earliest(since);
  const second = earliest(since.filter((run) => run !== first));
  if (!first) return 'unknown';
  if (!last) return 'unknown';
  if (passed(first) || (!open(last) && !passed(last))) return 'none';
  if (open(last) || open(first) || !second || open(second)) return 'unknown';
  return passed(second) ? 'none' : 'failures';
}
