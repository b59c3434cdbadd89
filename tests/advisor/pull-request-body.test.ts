import { describe, expect, test } from 'vitest';
import { type BodyParts, pullRequestBody } from '../../server/advisor/pull-request/body.ts';
import type { Band } from '../../server/advisor/replay/band.ts';

const band = (low: number, mid: number, high: number) => ({ low, mid, high });

/** Of a change whose minutes may be fewer by chance. */
const next = {
  from: 0,
  reductionPct: band(-2, 1, 3),
  minutesSaved: band(-20, 10, 30),
  costSaved: band(-0.2, 0.1, 0.3),
};

const sooner = {
  history: { p50Before: 720, p50After: 600, p90Before: 720, p90After: 600 },
  next: { p50: band(-140, -120, -100), p90: null },
};

type Wall = BodyParts['chosen'][number]['effect']['wall'];

const aChange = (wall: Wall): BodyParts['chosen'][number] => ({
  id: 'a'.repeat(16),
  path: '.github/workflows/ci.yml',
  line: 9,
  text: 'In 95 of 95 runs “test” waited for “lint” last.',
  risks: [],
  kind: { title: 'Start a job earlier', certainty: 'modelled' },
  evidence: [],
  effect: { next, reason: null, saves: wall ? 'wall time' : 'minutes', wall },
});

const bodyOf = (chosen: BodyParts['chosen']) =>
  pullRequestBody({
    repository: { owner: 'octo', repo: 'web' },
    chosen,
    window: null,
    reproducedMinutes: 100,
    together: chosen.length > 1 ? { next, reason: null, saves: 'minutes', wall: null } : null,
    showsCost: true,
    pagesUrl: 'https://pages.example',
    webUrl: 'https://codehost.example',
  }).replaceAll('\u00a0', ' ');

const cost = 'At list prices that is 0 to 0.3 USD.';

test('what lets runs end earlier promises no money', () => {
  expect(bodyOf([aChange(sooner)])).toContain('Runs end 1 min 40 s to 2 min 20 s sooner (median) | up to 20 more |');
  expect(bodyOf([aChange(sooner)])).not.toContain('USD');
  expect(bodyOf([aChange(sooner), aChange(sooner)])).not.toContain('USD');
});

test('the time of runs names its statistic: the p90 where the median may stay', () => {
  const slow = { ...sooner, next: { p50: band(-20, 0, 5), p90: band(-140, -120, -100) } };
  expect(bodyOf([aChange(slow)])).toContain('| Slow runs end 1 min 40 s to 2 min 20 s sooner (p90) | up to 20 more |');
  const uncertain = { ...sooner, next: { p50: band(-20, 0, 5), p90: null } };
  expect(bodyOf([aChange(uncertain)])).toContain('| No shorter runs certain | up to 20 more |');
});

test('what saves minutes does, by itself and with others', () => {
  expect(bodyOf([aChange(null)])).toContain(cost);
  expect(bodyOf([aChange(sooner), aChange(null)])).toContain(cost);
});

describe('another runner', () => {
  const other = (costSaved: Band | null, more: Partial<typeof next> = {}) => ({
    ...aChange(null),
    effect: { next: { ...next, ...more, costSaved }, reason: null, saves: 'cost' as const, wall: null },
  });

  test('is told with its minutes where it is not known when runs end', () => {
    expect(
      bodyOf([other(band(1, 2, 3), { reductionPct: band(14.2, 17, 18.6), minutesSaved: band(310, 370, 420) })]),
    ).toContain('| 14–19 % fewer | 310–420 fewer |');
    const slower = { reductionPct: band(-18.6, -17, -14.2), minutesSaved: band(-420, -370, -310) };
    expect(bodyOf([other(band(1, 2, 3), slower)])).toContain('| 14–19 % more minutes | 310–420 more |');
    const timed = { ...other(band(1, 2, 3)), effect: { ...other(null).effect, wall: sooner } };
    expect(bodyOf([timed])).toContain('| Runs end 1 min 40 s to 2 min 20 s sooner (median) |');
  });

  test.each([
    [band(1, 2, 3), '1 to 3 USD less'],
    [band(-0.4, 0.1, 0.3), 'up to 0.3 USD less, or up to 0.4 USD more'],
    [band(-0.4, -0.3, -0.2), 'up to 0.4 USD more'],
  ])('costs %j: %s', (costSaved, text) => {
    expect(bodyOf([other(costSaved)])).toContain(`At list prices that is ${text}.`);
  });
});
