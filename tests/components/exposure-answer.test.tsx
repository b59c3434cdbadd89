// @vitest-environment jsdom
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { ExposureAnswer } from '../../app/routes/org/exposure-answer.tsx';

const counts = (more: object = {}) => ({ proven: 0, possible: 0, unknown: 0, no: 0, ...more });

/** The text of an answer. */
function answerText(
  repositories: object,
  { reasons = [], partial = false, runs = { no: 1 } }: { reasons?: string[]; partial?: boolean; runs?: object },
) {
  const totals = {
    repositories: counts(repositories),
    runs: counts(runs),
    attempts: counts(),
    first_use: null,
    last_use: null,
  };
  const answer = { repositories: [], suspects: [], logs: { kept: 3 }, ledger_since: null };
  const data = { ...answer, totals, coverage: { reasons }, partial };
  const Root = createRoutesStub([{ id: 'root', path: '/', Component: () => <ExposureAnswer data={data as never} /> }]);
  const known = { now: 0, zone: 'UTC', base: '', csrf: '' };
  const holder = document.createElement('div');
  holder.innerHTML = renderToString(<Root hydrationData={{ loaderData: { root: known } }} />);
  const text = (holder.textContent ?? '').replaceAll('\u00a0', ' ');
  return text;
}

/** What stands under the label of affected runs. */
function affectedRuns(...given: Parameters<typeof answerText>) {
  const text = answerText(...given);
  return text.slice(text.indexOf('Affected runs'), text.indexOf('Possibly affected runs'));
}

test('what affected means is said beside the figures', () => {
  expect(answerText({ possible: 1 }, {})).toContain('Affected means the compromised code was downloaded by the job.');
});

test('where no run is stored, none is counted', () => {
  const text = answerText({ unknown: 2 }, { runs: {} });
  expect(text.match(/No runs of this time are stored\./g)).toHaveLength(4);
  expect(text).not.toContain('in reach');
  expect(answerText({ no: 2 }, { runs: {} })).toContain('No run is known to have had it in reach.');
});

test('where no repository is visible, there is no 0', () => {
  const text = answerText({}, { runs: {} });
  expect(text.match(/You see no repository there\./g)).toHaveLength(4);
  expect(text).not.toContain('0');
});

test('no affected run is a finding only where every repository is cleared', () => {
  expect(affectedRuns({ no: 2 }, {})).toMatch(/^Affected runs0/);
  expect(affectedRuns({ no: 1, unknown: 1 }, { reasons: ['logs_unread'] })).toContain('not to their end');
  expect(affectedRuns({ possible: 1 }, {})).toContain('could not be checked');
  expect(affectedRuns({ no: 2 }, { partial: true })).toContain('could not be checked');
});
