import { expect, test } from 'vitest';
import { findAnomalies } from '../../../server/metrics/kernel/anomalies.ts';
import type { MeasuredRun } from '../../../server/metrics/runs/workflow-runs.ts';
import { lognormal, stepped, type TimedRun, twoModes } from '../histories.ts';
import { aRun, hour, minute, randomOf, second } from '../worlds.ts';

type Metric = 'duration' | 'queue_wait';

/** The rule of the contract over one series, oldest first, and nothing beyond it: the runs it finds, in order. */
function plainRule(series: readonly TimedRun[], metric: Metric): Found[] {
  const found: Found[] = [];
  const seen: number[] = [];
  let past: number[] = [];
  let streak: Found[] = [];
  for (const run of series) {
    const one = judged(run, past.slice(-30), seen.slice(-50), metric);
    seen.push(run.ms);
    if (one === null) {
      past.push(run.ms);
      streak = [];
      continue;
    }
    found.push(one);
    streak = streak.every(({ isHigh }) => isHigh === one.isHigh) ? [...streak, one] : [one];
    if (streak.length < 5) continue;
    past = streak.map((each) => each.run.ms);
    streak = [];
  }
  return found;
}

interface Found {
  run: TimedRun;
  isHigh: boolean;
  /** At least five and a tenth of the fifty values before lay there too, reached on three occasions or more. */
  isOfSecondMode: boolean;
}

function judged(run: TimedRun, past: readonly number[], before: readonly number[], metric: Metric): Found | null {
  if (past.length < 8) return null;
  const inSeconds = (ms: number) => Math.log(1 + ms / 1000);
  const centre = middle(past.map(inSeconds));
  const spread = Math.max(1.4826 * middle(past.map((ms) => Math.abs(inSeconds(ms) - centre))), Math.log(1.05));
  const expected = middle(past);
  const [floor, share] = metric === 'duration' ? [30 * second, 0.25] : [minute, 0.5];
  const isHigh = (ms: number) =>
    (inSeconds(ms) - centre) / spread >= 3.5 && ms - expected >= Math.max(floor, share * expected);
  const isLow = (ms: number) =>
    metric === 'duration' && (inSeconds(ms) - centre) / spread <= -3.5 && ms <= 0.5 * expected;
  const side = isHigh(run.ms) ? isHigh : isLow(run.ms) && run.conclusion === 'success' ? isLow : null;
  if (side === null) return null;
  const beyond = before.map(side);
  const count = beyond.filter(Boolean).length;
  const visits = beyond.filter((there, index) => there && !beyond[index - 1]).length;
  const isOfSecondMode = count >= 5 && 10 * count >= before.length && visits >= 3;
  return { run, isHigh: side === isHigh, isOfSecondMode };
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}

const classes: Partial<MeasuredRun>[] = [
  { event: 'push', headBranch: 'main' },
  { event: 'pull_request', headBranch: 'topic' },
  { event: 'schedule', headBranch: 'main' },
  { event: 'push', headBranch: 'topic' },
];
const classOf = ({ event, headBranch }: MeasuredRun) =>
  event === 'push' ? `push ${headBranch === 'main'}` : (event ?? 'none');

/** Runs of one workflow: steady, of two modes or of two levels, some unusual, failed or cancelled, of several events. */
function aWorld(seed: number): TimedRun[] {
  const random = randomOf(seed);
  const count = 20 + Math.floor(random() * 80);
  const steady = lognormal(random, count, 0.02 + 0.2 * random());
  const shapes = [steady, twoModes(random, count, { share: 0.1 + 0.3 * random() }), stepped(steady, count >> 1, 2)];
  const times = shapes[seed % 3] ?? steady;
  const kinds = 1 + Math.floor(random() * classes.length);
  return times.map((ms, index) => ({
    ...aRun({ id: index + 1, createdAt: Date.UTC(2026, 0, 1) + index * hour }),
    ...classes[Math.floor(random() * kinds)],
    conclusion: (['failure', 'cancelled'] as const)[Math.floor(random() * 12)] ?? 'success',
    ms: Math.round(ms * (random() < 0.04 ? 0.2 + 5 * random() : 1)),
  }));
}

/** Classes of ten and more runs that passed or failed stand alone, the others together. */
function seriesIn(runs: readonly TimedRun[]): TimedRun[][] {
  const conclusive = runs.filter(({ conclusion }) => conclusion !== 'cancelled');
  const groups = Map.groupBy(conclusive, classOf);
  const isLarge = (run: TimedRun) => (groups.get(classOf(run))?.length ?? 0) >= 10;
  const large = [...groups.values()].filter(({ length }) => length >= 10);
  return [...large, conclusive.filter((run) => !isLarge(run))];
}

test.each([
  ['duration', 617, 13],
  ['queue_wait', 536, 6],
] as const)(
  'of %s: the page shows what the plain rule finds, until a second mode is accepted',
  (metric, byRuleAlone, byPageAlone) => {
    const seen = { same: 0, found: 0, ofSecondMode: 0, byRuleAlone: 0, byPageAlone: 0 };
    for (let seed = 1; seed <= 600; seed++) {
      const runs = aWorld(seed);
      const { anomalies } = findAnomalies(runs, { metric, getValue: ({ ms }) => ms, defaultBranch: 'main' });
      const shown = new Set(anomalies.map(({ run }) => run.id));
      for (const series of seriesIn(runs)) {
        const plain = plainRule(series, metric);
        const ofPage = series.filter(({ id }) => shown.has(id)).map(({ id }) => id);
        const ofRule = plain.map(({ run }) => run.id);
        // From the first run on that they judge differently, what either expects is another.
        const first = ofRule.findIndex((id, index) => id !== ofPage[index]);
        const at = first === -1 && ofPage.length > ofRule.length ? ofRule.length : first;
        if (at === -1) {
          seen.same += 1;
          seen.found += ofRule.length;
          continue;
        }
        // Until then the page shows no run that the rule does not find; the rule finds one of a second mode.
        const missing = plain[at];
        expect([seed, missing?.run.id ?? null, missing?.isOfSecondMode]).toEqual([seed, expect.any(Number), true]);
        expect(ofPage[at] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(missing?.run.id ?? 0);
        seen.ofSecondMode += 1;
        seen.byRuleAlone += ofRule.filter((id) => !shown.has(id)).length;
        const found = new Set(ofRule);
        seen.byPageAlone += ofPage.filter((id) => !found.has(id)).length;
      }
    }
    // Both happen: many equal series with something to find, and some with a second mode.
    expect(seen.same).toBeGreaterThan(500);
    expect(seen.found).toBeGreaterThan(200);
    expect(seen.ofSecondMode).toBeGreaterThan(20);
    // The worlds are always the same: what either finds alone is counted to the run.
    expect([seen.byRuleAlone, seen.byPageAlone]).toEqual([byRuleAlone, byPageAlone]);
  },
);
