// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { Unusual } from '../../app/routes/repo/workflow/unusual.tsx';

const anomaly = {
  run: { id: 5, number: 5, attempt: 1, url: '#' },
  at: '2026-11-16T10:00:00.000Z',
  metric: 'duration' as const,
  direction: 'high' as const,
  severity: 'extreme' as const,
  score: 9,
  value_ms: 600_000,
  expected_ms: 60_000,
  limit_ms: 120_000,
  sample: 1,
  event: 'push',
  head_branch: 'main',
};

type Data = Parameters<typeof Unusual>[0]['data'];

async function show(base: '' | '/demo', mayFile: boolean, isTracked = true) {
  await draw({ anomalies: [anomaly] }, { base, pages: mayFile ? ['repos/:owner/:repo/issues/new'] : [] }, isTracked);
  await screen.findByText('run 5');
  return screen.queryByRole('link', { name: 'File an issue' })?.getAttribute('href') ?? null;
}

async function draw(parts: Partial<Data>, pageContext = { base: '', pages: [] as string[] }, isTracked = true) {
  const data = { anomalies: [], level_shifts: [], baselines: [], ...parts } as unknown as Data;
  const page = () => <Unusual data={data} isTracked={isTracked} zone="Asia/Saigon" csv={() => '/csv'} />;
  const Page = createRoutesStub([
    { id: 'root', path: '/repos/:owner/:repo', Component: page, loader: () => pageContext },
  ]);
  render(<Page initialEntries={['/repos/octo/web']} hydrationData={{ loaderData: { root: pageContext } }} />);
  await screen.findAllByText(/unusual/i);
}

const baseline: Data['baselines'][number] = {
  metric: 'duration',
  series: 'schedule',
  runs: 20,
  median_ms: 60_000,
  spread_ms: 3_000,
  low_ms: 30_000,
  high_ms: 120_000,
  sample: 20,
};

test('where nothing could be judged, nothing is said to be usual', async () => {
  await draw({});
  expect(screen.getByText('Unusual runs need eight earlier runs of the same event type.')).toBeTruthy();
  expect(screen.getByText('Lasting changes need 20 runs of the same event type.')).toBeTruthy();
  expect(screen.queryByText('Baselines')).toBeNull();
});

test('what was judged is said with what it was held against', async () => {
  await draw({ baselines: [baseline] });
  expect(screen.getByText('No unusual runs.')).toBeTruthy();
  expect(screen.getByText('No lasting change in duration or queue wait.')).toBeTruthy();
  const table = screen.getByRole('table', { name: 'Baselines' });
  expect(table.textContent?.replaceAll('\u00a0', ' ')).toContain('of scheduled runs1 min3 s30 s2 min20');
});

test('eight runs are enough for an unusual one, not for a lasting change', async () => {
  await draw({ baselines: [{ ...baseline, runs: 8, sample: 8 }] });
  expect(screen.getByText('No unusual runs.')).toBeTruthy();
  expect(screen.getByText('Lasting changes need 20 runs of the same event type.')).toBeTruthy();
});

test('who may file an issue is led to one that is written in advance', async () => {
  expect(await show('', true)).toMatch(/^\/repos\/octo\/web\/issues\/new\?.*metric=duration/);
  expect(screen.getByText('1 run').textContent).toMatch(/^1.run$/);
});

test.each([
  ['who may not', '', false, true],
  ['the demo', '/demo', true, true],
  ['who reads of a repository without a tracker', '', true, false],
] as const)('%s is not', async (_name, base, mayFile, isTracked) => {
  expect(await show(base, mayFile, isTracked)).toBeNull();
});
