import { describe, expect, test } from 'vitest';
import { findAnomalies } from '../../../server/metrics/kernel/anomalies.ts';
import { computeBaseline, judge } from '../../../server/metrics/kernel/baseline.ts';
import { findLevelShifts } from '../../../server/metrics/kernel/level-shifts.ts';
import { getEventClass } from '../../../server/metrics/runs/series.ts';
import { processorMs } from '../../support/processor-time.ts';
import { durationOfTimed, historyOf, lognormal, type TimedRun } from '../histories.ts';
import { aRun, minute, randomOf, second } from '../worlds.ts';

const times = (count: number, seconds: number): number[] => Array(count).fill(seconds * second);

function durations(runs: readonly TimedRun[]) {
  return { ...findAnomalies(runs, durationOfTimed), levelShifts: findLevelShifts(runs, durationOfTimed) };
}

describe('a value against its past', () => {
  test('of ten times 60 s: 66 s is nothing', () => {
    expect(judge(66 * second, times(10, 60), 'duration')).toBeNull();
  });

  test('of ten times 60 s: 180 s is high and extreme', () => {
    expect(judge(180 * second, times(10, 60), 'duration')).toEqual({
      direction: 'high',
      score: 22.3,
      severity: 'extreme',
    });
  });

  test('of seven values is never judged', () => {
    expect(judge(6000 * second, times(7, 60), 'duration')).toBeNull();
    expect(judge(6000 * second, times(8, 60), 'duration')).not.toBeNull();
  });

  test('waiting 30 s instead of 5 s is no anomaly, waiting 65 s is', () => {
    expect(judge(30 * second, times(10, 5), 'queue_wait')).toBeNull();
    expect(judge(64 * second, times(10, 5), 'queue_wait')).toBeNull();
    expect(judge(65 * second, times(10, 5), 'queue_wait')?.direction).toBe('high');
  });

  test('a third of the median is low, a shorter wait is no news', () => {
    expect(judge(200 * second, times(10, 600), 'duration')?.direction).toBe('low');
    expect(judge(301 * second, times(10, 600), 'duration')).toBeNull();
    expect(judge(0, times(10, 600), 'queue_wait')).toBeNull();
  });

  test('must be far off in time as well as in spread', () => {
    expect(judge(20 * second, times(10, 5), 'duration')).toBeNull();
    expect(judge(89 * second, times(10, 60), 'duration')).toBeNull();
    expect(judge(749 * second, times(10, 600), 'duration')).toBeNull();
    expect(judge(750 * second, times(10, 600), 'duration')?.direction).toBe('high');
  });

  test.each([
    [72.5, null],
    [90, 'extreme'],
    [600, 'extreme'],
  ])('60 s then %d s is %s', (seconds, severity) => {
    expect(judge(seconds * second, times(10, 60), 'duration')?.severity ?? null).toBe(severity);
  });

  test.each([
    [1.3, 'high'],
    [1.26, 'moderate'],
    [1.5, 'extreme'],
  ])('an hour then %d hours is %s', (factor, severity) => {
    expect(judge(3600 * factor * second, times(10, 3600), 'duration')?.severity).toBe(severity);
  });

  test('is shown with the bounds it is judged by', () => {
    const past = [50, 55, 58, 60, 60, 61, 65, 70, 72].map((seconds) => seconds * second);
    const baseline = computeBaseline(past, 'duration');
    if (baseline?.lowMs == null) throw new Error('no baseline');
    expect(baseline).toMatchObject({ medianMs: 60 * second, sample: 9 });
    expect(judge(baseline.highMs + 1, past, 'duration')?.direction).toBe('high');
    expect(judge(baseline.highMs - 1, past, 'duration')).toBeNull();
    expect(judge(baseline.lowMs - 1, past, 'duration')?.direction).toBe('low');
    expect(judge(baseline.lowMs + 1, past, 'duration')).toBeNull();
    expect(computeBaseline(past, 'queue_wait')?.lowMs).toBeNull();
    expect(computeBaseline(past.slice(2), 'duration')).toBeNull();
  });
});

describe('anomalies among the runs of a workflow', () => {
  test('are judged by the past alone: an early outlier is not excused by later ones', () => {
    const runs = historyOf([...times(10, 60), 600 * second, ...times(10, 60)]);
    const later = historyOf([...times(10, 60), 600 * second, ...times(40, 600)]);
    expect(durations(runs).anomalies.map(({ run }) => run.id)).toEqual([11]);
    expect(durations(later).anomalies.map(({ run }) => run.id)).toContain(11);
  });

  test('do not become part of what is expected', () => {
    const runs = historyOf([...times(10, 60), 600 * second, 60 * second, 600 * second]);
    const { anomalies } = durations(runs);
    expect(anomalies.map(({ run, baseline }) => [run.id, baseline.medianMs, baseline.sample])).toEqual([
      [13, 60 * second, 11],
      [11, 60 * second, 10],
    ]);
  });

  test('are held against the last thirty values, so that a slow drift is followed', () => {
    const { anomalies, baselines } = durations(historyOf([...times(40, 60), ...times(30, 75)]));
    expect(anomalies).toEqual([]);
    expect(baselines[0]?.baseline).toMatchObject({ medianMs: 75 * second, sample: 30 });
  });

  test('five in a row are one level shift, and the sixth is normal', () => {
    const { anomalies, levelShifts, baselines } = durations(historyOf([...times(10, 60), ...times(30, 180)]));
    expect(anomalies.map(({ run }) => run.id)).toEqual([15, 14, 13, 12, 11]);
    expect(levelShifts).toHaveLength(1);
    expect(levelShifts[0]).toMatchObject({
      direction: 'high',
      fromMs: 60 * second,
      toMs: 180 * second,
      since: { id: 11 },
      seenWith: { id: 15 },
    });
    expect(baselines).toMatchObject([{ series: 'default_branch_push', baseline: { medianMs: 180 * second } }]);
  });

  test('four in a row are no shift, nor are five with a normal run between', () => {
    expect(durations(historyOf([...times(10, 60), ...times(4, 180), ...times(9, 60)])).levelShifts).toEqual([]);
    const broken = historyOf([...times(10, 60), ...times(3, 180), ...times(1, 60), ...times(2, 180)]);
    expect(durations(broken)).toMatchObject({ levelShifts: [], anomalies: { length: 5 } });
  });

  test('a run that suddenly takes less time counts when it passed', () => {
    const past = historyOf(times(10, 600));
    expect(durations([...past, ...historyOf(times(1, 200), {}, 11)]).anomalies).toMatchObject([{ direction: 'low' }]);
    expect(durations([...past, ...historyOf(times(1, 200), { conclusion: 'failure' }, 11)]).anomalies).toEqual([]);
  });

  test('ignore void and open runs, unknown values and earlier attempts', () => {
    const past = historyOf(times(10, 60));
    const odd = [
      ...historyOf(times(1, 900), { conclusion: 'cancelled' }, 11),
      ...historyOf(times(1, 900), { status: 'in_progress', conclusion: null }, 12),
      ...historyOf(times(1, 900), { id: 10, attempt: 0 }, 10),
    ];
    expect(durations([...past, ...odd]).anomalies).toEqual([]);
    const unknown = findAnomalies(past, { metric: 'duration', getValue: () => null, defaultBranch: 'main' });
    expect(unknown).toMatchObject({ anomalies: [], baselines: [{ baseline: null }] });
  });

  test('hold classes of events apart once each has ten runs', () => {
    const nightly = historyOf(times(10, 1800), { event: 'schedule' }, 101);
    const pushes = historyOf(times(12, 60));
    const interleaved = [...nightly, ...pushes].map((run) => ({ ...run, createdAt: (run.id % 100) * minute }));
    const { anomalies, baselines } = durations(interleaved);
    expect(anomalies).toEqual([]);
    expect(baselines.map(({ series, baseline }) => [series, baseline?.medianMs])).toEqual([
      ['default_branch_push', 60 * second],
      ['schedule', 1800 * second],
    ]);
    const few = [...pushes, ...nightly.slice(0, 9)];
    expect(durations(few).baselines.map(({ series, runs }) => [series, runs])).toEqual([
      ['default_branch_push', 12],
      ['mixed', 9],
    ]);
  });

  test.each([
    ['pull_request', 'main', 'pull_request'],
    ['push', 'main', 'default_branch_push'],
    ['push', 'topic', 'other'],
    ['schedule', 'main', 'schedule'],
    ['workflow_dispatch', 'main', 'other'],
  ])('%s on %s belongs to %s', (event, headBranch, expected) => {
    expect(getEventClass(aRun({ event, headBranch }), 'main')).toBe(expected);
  });

  test('do not depend on the order of the runs', () => {
    const runs = historyOf(lognormal(randomOf(3), 200, 0.15).map((ms) => (ms % 9 === 0 ? 3 * ms : ms)));
    const shuffled = runs.toSorted((a, b) => ((a.id * 7919) % 211) - ((b.id * 7919) % 211));
    expect(durations(runs).anomalies.length).toBeGreaterThan(0);
    expect(durations(shuffled)).toEqual(durations(runs));
  });
});

describe('histories that only vary', () => {
  test.each([
    ['long histories', 8, 1000],
    ['young histories', 200, 40],
  ])('are flagged in at most 2 %% of the runs: %s', (_, histories, length) => {
    const random = randomOf(20260301);
    let flagged = 0;
    for (let count = 0; count < histories; count++) {
      flagged += durations(historyOf(lognormal(random, length, 0.15))).anomalies.length;
    }
    expect(flagged / (histories * length)).toBeLessThanOrEqual(0.02);
  });

  test('and yet a run of twice the time is found', () => {
    const random = randomOf(7);
    let found = 0;
    for (let count = 0; count < 200; count++) {
      const past = lognormal(random, 60, 0.15);
      found += Number(durations(historyOf([...past, 1200 * second])).anomalies[0]?.run.id === 61);
    }
    expect(found).toBeGreaterThanOrEqual(180);
  });
});

test('a thousand runs are judged in well under a second', () => {
  const runs = historyOf(lognormal(randomOf(9), 1000, 0.3));
  expect(processorMs(() => durations(runs))).toBeLessThan(500);
});
