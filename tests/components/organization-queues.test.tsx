// @vitest-environment jsdom
import { cleanup } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { MergeQueues } from '../../app/routes/org/merge-queues.tsx';
import { QueuesAnswer } from '../../app/routes/org/merge-queues-answer.tsx';
import { QueueTable } from '../../app/routes/org/merge-queues-table.tsx';
import { drawInRoot } from './in-root.tsx';

afterEach(cleanup);

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const row = {
  repo: 'octo/web',
  branch: 'main',
  length: 3,
  length_as_of: '2026-11-16T10:00:00Z',
  queue_time_p50: null,
  queue_time_p90: null,
  ejection_rate: null,
  throughput_per_hour: null,
  ci_minutes_per_merge: null,
  attempts_per_merge: null,
  change_pct: null,
  sample: 2,
  sample_before: 1,
  as_of: '2026-11-16T10:00:00Z',
  partial: false,
} satisfies MergeQueues['queues'][number];
const unread = { ...row, repo: 'octo/api', length: null, length_as_of: null };
const data = (queues: MergeQueues['queues'], more: Partial<MergeQueues> = {}) =>
  ({ org: 'octo', queues, waiting: 3, repos_without_queue: 0, window_days: 30, ...more }) as MergeQueues;

const textOf = ({ container }: { container: HTMLElement }) => (container.textContent ?? '').replaceAll('\u00a0', ' ');
const answer = (queues: MergeQueues['queues']) => textOf(drawInRoot(<QueuesAnswer data={data(queues)} />, page));
const draw = (queue: MergeQueues['queues'][number], more: Partial<MergeQueues> = {}) =>
  drawInRoot(<QueueTable data={data([queue], more)} search="" />, page);
const reasons = (queue: MergeQueues['queues'][number]) =>
  [...draw(queue).container.querySelectorAll('td [title^="N"], td [title^="The"]')].map((one) =>
    one.getAttribute('title'),
  );

test('what waits is said of as many queues as it is known of', () => {
  expect(answer([row, row])).toContain('3 in 2 queues.');
  expect(answer([row, unread, unread])).toContain('3 in 1 of 3 queues.');
});

test('a figure that is missing says why', () => {
  const few = 'Needs 5 merged entries.';
  const open = 'Not all open pull requests were read lately.';
  const minutes = 'Needs 5 merged entries, and all runs and merges of the window.';
  const both = 'Needs 5 merged entries in both periods.';
  expect(reasons(row)).toEqual([
    few,
    few,
    'Needs 10 merged or ejected entries.',
    'Needs 10 merged entries.',
    minutes,
    few,
    both,
  ]);
  cleanup();
  expect(reasons(unread)).toEqual([open, few, few, open, open, minutes, few, both]);
  cleanup();
  expect(reasons({ ...row, sample_before: null }).at(-1)).toBe('The period before is not stored.');
  cleanup();
  expect(new Set(reasons({ ...row, sample: null, sample_before: null }))).toEqual(
    new Set(['Not all of this period is stored.']),
  );
});

test('a quarter is compared with nothing', () => {
  expect(textOf(draw(row))).toContain('Change');
  cleanup();
  expect(textOf(draw(row, { window_days: 90 }))).not.toContain('Change');
});

test('repositories without a queue are those where none was seen', () => {
  expect(textOf(draw(row, { repos_without_queue: 1 }))).toContain('In one other repository no merge queue was seen.');
  cleanup();
  expect(textOf(draw(row, { repos_without_queue: 4 }))).toContain('In 4 other repositories no merge queue was seen.');
});
