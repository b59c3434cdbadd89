// @vitest-environment jsdom
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { ExposureRuns } from '../../app/routes/org/exposure-runs.tsx';

/** Links to files, with what they say they have. */
function listFiles(total: number) {
  const run = {
    id: 1,
    attempt: 1,
    number: 1,
    workflow: 'CI',
    html_url: null,
    event: 'push',
    head_branch: null,
    started_at: 0,
  };
  const use = {
    run,
    repo: 'octo/web',
    suspect: 'some/tool',
    verdict: 'unknown',
    reasons: [],
    proof: null,
    likelihood: null,
  };
  const data = {
    org: 'octo',
    suspects: [],
    uses: total > 0 ? [use] : [],
    total,
    page: 1,
    pages: Math.max(1, Math.ceil(total / 25)),
  };
  const address = '/?name=some%2Ftool&page=3';
  const Root = createRoutesStub([{ id: 'root', path: '/', Component: () => <ExposureRuns data={data as never} /> }]);
  const known = { now: 0, zone: 'UTC', base: '', csrf: '', pages: [] };
  const holder = document.createElement('div');
  holder.innerHTML = renderToString(
    <Root initialEntries={[address]} hydrationData={{ loaderData: { root: known } }} />,
  );
  return [...holder.querySelectorAll<HTMLAnchorElement>('a[href*="format="]')].map((link) => {
    const query = new URLSearchParams(link.getAttribute('href')?.split('?')[1]);
    return `${query.get('format')} ${query.get('page')} ${(link.textContent ?? '').replaceAll('\u00a0', ' ')}`;
  });
}

test('a CSV has all attempts; SARIF has a thousand, and the others are offered by what they have', () => {
  expect(listFiles(0)).toEqual([]);
  expect(listFiles(1000)).toEqual(['csv null CSV', 'sarif null SARIF']);
  expect(listFiles(2001)).toEqual([
    'csv null CSV',
    'sarif 1 1 to 1,000',
    'sarif 2 1,001 to 2,000',
    'sarif 3 2,001 to 2,001',
  ]);
});
