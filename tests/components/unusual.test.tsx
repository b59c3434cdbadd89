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

async function show(base: '' | '/demo', mayFile: boolean, isTracked = true) {
  const data = { anomalies: [anomaly], level_shifts: [] } as unknown as Parameters<typeof Unusual>[0]['data'];
  const pageContext = { base, pages: mayFile ? ['repos/:owner/:repo/issues/new'] : [] };
  const page = () => <Unusual data={data} isTracked={isTracked} zone="Asia/Saigon" csv={() => '/csv'} />;
  const Page = createRoutesStub([
    { id: 'root', path: '/repos/:owner/:repo', Component: page, loader: () => pageContext },
  ]);
  render(<Page initialEntries={['/repos/octo/web']} hydrationData={{ loaderData: { root: pageContext } }} />);
  await screen.findByText('run 5');
  return screen.queryByRole('link', { name: 'File an issue' })?.getAttribute('href') ?? null;
}

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
