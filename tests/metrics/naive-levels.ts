import type { Slowdown } from '../../server/metrics/runs/slowdowns.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';

/** Change points a second time, by trying every way to cut a short series into levels. */
export function naiveChangePoints(values: number[]): number[] {
  const ranks = values.map((value) => average(values.map((other) => Math.sign(value - other))));
  const independent = bestCut(ranks, 1);
  if (independent.length === 1) return [];
  const best = bestCut(ranks, widening(levelsOf(ranks, independent)));
  if (best.length === 1) return [];
  const starts = [0, ...best.slice(0, -1)];
  const within = starts.flatMap((start, level) =>
    naiveChangePoints(values.slice(start, best[level])).map((index) => start + index),
  );
  return [...starts.slice(1), ...within].sort((a, b) => a - b);
}

/** Ends of the levels that are worth most, one end if no change is worth its price. */
function bestCut(ranks: number[], widening: number): number[] {
  const length = ranks.length;
  const spread = ranks.reduce((sum, rank) => sum + rank ** 2, 0) / (length - 1);
  const cuts = allCuts(0, length);
  if (spread === 0 || cuts.length === 0) return [length];
  const worth = (ends: number[]) => {
    const levels = levelsOf(ranks, ends);
    const explained = levels.reduce((sum, level) => sum + level.length * average(level) ** 2, 0) / spread / widening;
    const shortness = levels.reduce((sum, level) => sum + 2 * Math.log(length / level.length), 0);
    return explained - shortness - (levels.length - 1) * (8 - 100 / length);
  };
  return cuts.reduce((best, cut) => (worth(cut) > worth(best) ? cut : best));
}

function allCuts(start: number, length: number): number[][] {
  const rest = length - start;
  if (rest < 10) return [];
  const further = Array.from({ length: rest }, (_, more) => start + more).filter((end) => end - start >= 10);
  return [[length], ...further.flatMap((end) => allCuts(end, length).map((ends) => [end, ...ends]))];
}

function levelsOf(ranks: number[], ends: number[]): number[][] {
  return ends.map((end, level) => ranks.slice(level === 0 ? 0 : ends[level - 1], end));
}

function widening(levels: number[][]): number {
  const apart = (lag: number) =>
    average(levels.flatMap((level) => level.slice(lag).map((rank, index) => (rank - (level[index] ?? 0)) ** 2)));
  const far = average([3, 4, 5, 6].map(apart));
  const correlation = far === 0 ? 0 : Math.max(0, Math.min(0.8, 1 - apart(1) / far));
  return (1 + correlation) / (1 - correlation);
}

function average(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Slowdowns a second time, of histories of at most 45 runs in levels of ten or more, by workflow and event. */
export function naiveSlowdowns(runs: MeasuredRun[], branch: string): Slowdown[] | null {
  const counted = runs.filter(
    (run) =>
      run.status === 'completed' &&
      run.conclusion === 'success' &&
      run.startedAt !== null &&
      run.headBranch === branch &&
      run.event !== 'pull_request',
  );
  const keys = new Set(counted.map((run) => `${run.workflowId} ${run.event}`));
  const series = [...keys].map((key) => counted.filter((run) => `${run.workflowId} ${run.event}` === key));
  if (series.every((one) => one.length < 20)) return null;
  return series.flatMap((one) => {
    const ordered = one.sort((a, b) => a.createdAt - b.createdAt);
    const times = ordered.map((run) => run.updatedAt - (run.startedAt ?? 0));
    const ends = [0, ...mattering(times, naiveChangePoints(times)), times.length];
    const [from = 0, at = 0] = ends.slice(-3, -1);
    const first = ordered[at];
    const [old, fresh] = [middle(times.slice(from, at)), middle(times.slice(at))];
    if (ends.length < 3 || first === undefined || fresh <= old) return [];
    const { workflowId, workflowName: workflow, createdAt: since } = first;
    return [{ workflowId, workflow, since, fromMs: Math.round(old), toMs: Math.round(fresh) }];
  });
}

/** The least change is excluded until each makes up ten seconds and 5 %. */
function mattering(times: number[], points: number[]): number[] {
  const weights = points.map((point, index) => {
    const old = middle(times.slice(points[index - 1] ?? 0, point));
    return Math.abs(middle(times.slice(point, points[index + 1])) - old) / Math.max(10_000, 0.05 * old);
  });
  const least = Math.min(...weights);
  return least >= 1 ? points : mattering(times, points.toSpliced(weights.indexOf(least), 1));
}

function middle(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return average([sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0]);
}
