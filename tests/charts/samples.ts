import type { BarRow } from '../../app/charts/bars.tsx';
import type { TrendPoint } from '../../app/charts/trend.tsx';
import type { WaterfallRow } from '../../app/charts/waterfall.tsx';

export const zone = 'Asia/Saigon';
export const dayMs = 86_400_000;
/** Midnight of 4 May 2026 in the zone. */
export const start = Date.parse('2026-05-03T17:00:00Z');

export const daily = (values: readonly (number | null)[], running = false): TrendPoint[] =>
  values.map((value, index) => ({
    at: start + index * dayMs,
    value,
    running: running && index === values.length - 1,
  }));

export const fortnight = [410, 395, 430, 420, null, null, 405, 500, 515, 490, null, 530, 525, 480].map((seconds) =>
  seconds === null ? null : seconds * 1000,
);

export const barRows: BarRow[] = [
  { day: '2026-05-04', values: null },
  { day: '2026-05-05', values: [1, 12, 2] },
  { day: '2026-05-06', values: [0, 20, 0] },
  { day: '2026-05-07', values: [0, 0, 0] },
  { day: '2026-05-09', values: [7, 3, 1] },
  { day: '2026-05-10', values: [2, 6, 0], running: true },
];

const at = (seconds: number) => start + seconds * 1000;

export const jobs: WaterfallRow[] = [
  { name: 'lint', outcome: 'pass', word: 'passed', queuedAt: at(0), startedAt: at(8), completedAt: at(70) },
  {
    name: 'test <script>alert(1)</script> on a runner with a very long matrix name that cannot fit anywhere',
    outcome: 'fail',
    word: 'failed',
    queuedAt: at(0),
    startedAt: at(95),
    completedAt: at(340),
    steps: [
      { name: 'npm test', outcome: 'fail', word: 'failed', queuedAt: null, startedAt: at(150), completedAt: at(338) },
    ],
  },
  { name: 'build', outcome: 'running', word: 'running', queuedAt: at(70), startedAt: at(300), completedAt: null },
  { name: 'deploy', outcome: 'void', word: 'skipped', queuedAt: at(340), startedAt: at(340), completedAt: at(340) },
  { name: 'notify', outcome: 'running', word: 'queued', queuedAt: at(500), startedAt: null, completedAt: null },
];
export const jobsNow = at(580);
