// @vitest-environment jsdom
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { ExposureAnswer } from '../../app/routes/org/exposure-answer.tsx';

const counts = (more: object = {}) => ({ proven: 0, possible: 0, unknown: 0, no: 0, ...more });

/** What stands under the label of affected runs. */
function affectedRuns(
  repositories: object,
  { reasons = [], partial = false }: { reasons?: string[]; partial?: boolean },
) {
  const totals = {
    repositories: counts(repositories),
    runs: counts(),
    attempts: counts(),
    first_use: null,
    last_use: null,
  };
  const answer = { repositories: [], suspect: { names: [] }, logs: { kept: 3 }, ledger_since: null };
  const data = { ...answer, totals, coverage: { reasons }, partial };
  const Root = createRoutesStub([{ id: 'root', path: '/', Component: () => <ExposureAnswer data={data as never} /> }]);
  const known = { now: 0, zone: 'UTC', base: '', csrf: '' };
  const holder = document.createElement('div');
  holder.innerHTML = renderToString(<Root hydrationData={{ loaderData: { root: known } }} />);
  const text = (holder.textContent ?? '').replaceAll('\u00a0', ' ');
  return text.slice(text.indexOf('Affected runs'), text.indexOf('Possibly affected runs'));
}

test('no affected run is a finding only where every repository is cleared', () => {
  expect(affectedRuns({ no: 2 }, {})).toMatch(/^Affected runs0/);
  expect(affectedRuns({ no: 1, unknown: 1 }, { reasons: ['logs_unread'] })).toContain('not to their end');
  expect(affectedRuns({ possible: 1 }, {})).toContain('could not be checked');
  expect(affectedRuns({ no: 2 }, { partial: true })).toContain('could not be checked');
});
