import { expect, test } from 'vitest';
import { type BodyParts, pullRequestBody } from '../../server/advisor/pull-request/body.ts';

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
