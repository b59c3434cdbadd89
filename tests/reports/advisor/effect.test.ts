import { expect, test } from 'vitest';
import { toEffect } from '../../../server/reports/advisor/effect.ts';

const band = (low: number, mid: number, high: number) => ({ low, mid, high });

const next = {
  from: 0,
  reductionPct: band(-2, 1, 3),
  minutesSaved: band(-20, 10, 30),
  costSaved: band(-0.2, 0.1, 0.3),
};

const effect = { reason: null, history: null, next, demand: null, drifting: false, days: [] };

test('what lets runs end earlier saves no minutes and adds none below zero', () => {
  const wall = {
    history: { p50Before: 720, p50After: 600, p90Before: 720, p90After: 600 },
    next: { p50: band(-140, -120, -100), p90: null },
  };
  expect(toEffect({ ...effect, saves: 'wall time', wall }, true).next28Days).toMatchObject({
    minutesSaved: { low: -20, mid: 0, high: 0 },
    reductionPct: { low: -2, mid: 0, high: 0 },
    costSaved: { low: -0.2, mid: 0, high: 0 },
    minutesAdded: { low: 0, mid: 0, high: 20 },
    wallP50ChangeS: { low: -140, mid: -120, high: -100 },
  });
});

test('what saves minutes keeps its bands', () => {
  expect(toEffect({ ...effect, saves: 'minutes', wall: null }, true).next28Days).toMatchObject({
    minutesSaved: { low: -20, mid: 10, high: 30 },
    costSaved: { low: -0.2, mid: 0.1, high: 0.3 },
    minutesAdded: null,
  });
});
