// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Habits, HabitsView } from '../../app/routes/people/habits.tsx';
import { LargestTable } from '../../app/routes/people/habits-largest.tsx';
import { CommitSizes } from '../../app/routes/people/habits-sizes.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const read = {
  reposTracked: 1,
  reposSynced: 1,
  prsMerged: 0,
  prsSynced: 0,
  prsTruncated: 0,
  commitsUnmeasured: 0,
  syncedThrough: '2026-11-16T04:47:00.000Z',
  lastRunAt: '2026-11-16T04:47:00.000Z',
  upToDate: true,
  partial: false,
};

function show(coverage: Partial<Habits['coverage']>, isOwnView = false): string {
  const data = {
    available: true,
    untrackedRepo: false,
    days: 30,
    owner: 'octo',
    repo: 'web',
    people: [],
    coverage: { ...read, ...coverage },
  } as unknown as Habits;
  drawInRoot(<HabitsView data={data} canSync={false} isOwnView={isOwnView} login={null} />, page);
  return document.body.textContent?.replaceAll('\u00a0', ' ') ?? '';
}

describe('where nothing is known to be merged', () => {
  test('that is said of the whole window where all of it was read', () => {
    const text = show({});
    expect(text).toContain('No pull request or commit was merged in the last 30 days.');
    expect(text).not.toContain('Incomplete');
  });

  test.each([
    [false, 'No pull request or commit of the last 30 days is synced yet.'],
    [true, 'No pull request or commit of yours of the last 30 days is synced yet.'],
  ])('nothing is claimed of days after the sync stopped, in the own view: %s', (isOwnView, expected) => {
    const text = show({ syncedThrough: '2026-10-10T04:47:00.000Z', upToDate: false, partial: true }, isOwnView);
    expect(text).toContain(expected);
    expect(text).toContain('Incomplete. The sync is behind: later merges are not counted.');
    expect(text).not.toContain('was merged');
  });
});

test('the distribution says lines alone: a commit of few lines may be oversized by its files', () => {
  const commitSizes = [
    { from: 0, to: 400, commits: 9 },
    { from: 401, to: null, commits: 1 },
  ];
  const data = { commitSizes, thresholds: { filesPerCommit: 20, linesPerCommit: 400, commitsPerPr: 20 } };
  drawInRoot(<CommitSizes data={data as never} />, page);
  const text = document.body.textContent?.replaceAll('\u00a0', ' ') ?? '';
  expect(text).toContain('up to 400 lines');
  expect(text).toContain('more than 400 lines');
  expect(text).not.toMatch(/threshold|oversized/i);
});

test('a pull request whose list of commits is incomplete is oversized only by those that are known', () => {
  const size = { kind: 'pr', repo: 'octo/web', sha: null, files: 3, lines: 9, mergedAt: '2026-11-15T10:00:00Z' };
  const largest = [
    { ...size, number: 1, commits: 21, commitsTruncated: true },
    { ...size, number: 2, commits: 20, commitsTruncated: true },
    { ...size, number: 3, commits: 22, commitsTruncated: false },
  ];
  const thresholds = { filesPerCommit: 20, linesPerCommit: 400, commitsPerPr: 20 };
  const data = { people: [{ login: 'ana', largest }], thresholds };
  drawInRoot(<LargestTable data={data as never} />, { ...page, webUrl: 'https://codehost.example' });
  const rows = screen.getAllByRole('row').slice(1);
  const texts = rows.map(({ textContent }) => textContent?.replaceAll('\u00a0', ' '));
  expect(texts).toEqual([expect.stringMatching(/#1.*at least 21/), expect.stringMatching(/#3.*922/)]);
});
