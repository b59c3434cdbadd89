// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Answer } from '../../app/routes/pull-requests/answer.tsx';
import { OpenBars } from '../../app/routes/pull-requests/bars.tsx';
import { Cards } from '../../app/routes/pull-requests/cards.tsx';
import type { PullRequests } from '../../app/routes/pull-requests/page.tsx';
import { RepositoryTable } from '../../app/routes/pull-requests/table.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const wait = { repo: 'octo/web', number: 7, html_url: 'https://codehost.example/7', since: '2026-11-15', hours: 30 };
const figures = {
  open: 4,
  open_complete: true,
  awaiting_review: 2,
  merged: 0,
  merged_before: null,
  median_hours_to_merge: null,
  median_hours_to_merge_before: null,
  merge_sample: 0,
  merge_sample_before: null,
};
const row = { ...figures, repo: 'octo/web', open_as_of: null, longest_wait: null, partial: false };
const toData = (totals: object, more: object = {}) =>
  ({
    org: null,
    range: '30',
    compare: 'off',
    bots: 'in',
    window: { from: '2026-10-17T10:00:00Z', to: '2026-11-16T10:00:00Z' },
    totals: { ...figures, ...totals },
    longest_wait: wait,
    days: [],
    repositories: [],
    open_as_of: null,
    open_pull_requests: { coverage: { read: 1, expected: 2 } },
    merged_pull_requests: { coverage: { read: 2, expected: 2 } },
    partial_reasons: [],
    repos_included: 2,
    ...more,
  }) as unknown as PullRequests;

test.each([
  [{}, '4 open, 2 awaiting review. Longest wait: octo/web#7, 1 d 6 h.'],
  [{ open_complete: false }, 'At least 4 open, at least 2 awaiting review. Longest known wait: octo/web#7, 1 d 6 h.'],
  [{ awaiting_review: null }, '4 open. Longest known wait: octo/web#7, 1 d 6 h.'],
])('the lead calls only what is complete exact: %j', (totals, lead) => {
  const { container } = drawInRoot(<Answer data={toData(totals)} />, page);
  expect(container.textContent?.replaceAll('\u00a0', ' ')).toBe(lead);
});

test.each([
  [{ open: null, awaiting_review: null }, 'Not read in the last 36 hours.'],
  [{ awaiting_review: null }, 'Not every review could be read.'],
])('the card of those awaiting review says why it is empty: %j', (totals, reason) => {
  drawInRoot(<Cards data={toData(totals)} />, page);
  expect(screen.getByRole('article', { name: 'Awaiting review' }).textContent).toContain(`–${reason}`);
});

test.each([
  [{ open: null, awaiting_review: null }, 'Not read in the last 36 hours.'],
  [{ awaiting_review: null }, 'Not every review could be read.'],
  [{ awaiting_review: 0 }, 'None is awaiting review.'],
  [{}, 'Since when is not known.'],
])('the table says why no wait is shown: %j', (own, reason) => {
  drawInRoot(<RepositoryTable data={toData({}, { repositories: [{ ...row, ...own }] })} search="" />, page);
  expect(cellTexts()[2]).toBe(`– ${reason}`);
});

test.each([
  [null, 'Range not fully synced.'],
  [0, 'Nothing was merged.'],
])('and why there is no time to merge, with %j merged', (merged, reason) => {
  drawInRoot(<RepositoryTable data={toData({}, { repositories: [{ ...row, merged }] })} search="" />, page);
  expect(cellTexts()[4]).toBe(`– ${reason}`);
});

function cellTexts() {
  const [, first] = screen.getAllByRole('row');
  return within(first as HTMLElement)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
}

test('bars count what could not be read', () => {
  const known = Array.from({ length: 7 }, (_, index) => ({ ...row, repo: `octo/a${index}` }));
  const repositories = [...known, { ...row, repo: 'octo/api', awaiting_review: null }];
  drawInRoot(<OpenBars data={toData({}, { repositories })} />, page);
  expect(screen.getByText('Top 6 of 8, 1 not fully read')).toBeTruthy();
});
