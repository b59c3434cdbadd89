// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { RunBadge } from '../../app/components/badge.tsx';
import { ago, Moment } from '../../app/components/moment.tsx';
import { RunStrip } from '../../app/components/run-strip.tsx';
import { drawInRoot } from './in-root.tsx';

const now = Date.parse('2026-05-20T03:20:00Z');

const render = (part: ReactNode) => drawInRoot(part, { now, zone: 'Asia/Saigon', base: '' });

test.each([
  ['completed', 'success', 'passed', 'text-pass'],
  ['completed', 'timed_out', 'timed out', 'text-fail'],
  ['completed', 'cancelled', 'cancelled', 'text-void'],
  ['completed', 'action_required', 'needs action', 'text-warning'],
  ['in_progress', null, 'running', 'text-running'],
  ['queued', null, 'queued', 'text-running'],
  ['completed', 'something_new', 'something new', 'text-void'],
  [null, null, 'unknown', 'text-void'],
])('a run that is %s and %s reads %s', (status, conclusion, word, tone) => {
  const { container } = render(<RunBadge status={status} conclusion={conclusion} />);
  expect(container.textContent?.trim()).toBe(word);
  expect(container.querySelector(`.badge.${tone} svg path`)).toBeTruthy();
});

const conclusions = [
  'failure',
  'success',
  'success',
  'cancelled',
  'success',
  'timed_out',
  'success',
  'skipped',
  'success',
  'success',
  'failure',
];
const runs = conclusions.map((conclusion, id) => ({
  id,
  status: 'completed',
  conclusion,
  runNumber: 100 + id,
  at: now,
}));

test('a strip reports its last ten runs in words', () => {
  render(<RunStrip runs={runs} />);
  const strip = screen.getByRole('img');
  expect(strip.querySelector('title')?.textContent).toBe(
    'Last 10 runs: 6 passed, 1 cancelled, 1 timed out, 1 skipped, 1 failed; newest failed',
  );
  expect(strip.querySelectorAll('g')).toHaveLength(10);
  expect(strip.querySelector('g:last-of-type title')?.textContent).toBe('Run 110: failed, 20 May 2026, 10:20');
});

test('each status has a shape of its own', () => {
  const kinds = ['success', 'failure', 'cancelled', 'action_required', null];
  const one = (conclusion: string | null) => {
    const run = { id: 1, status: conclusion ? 'completed' : 'in_progress', conclusion, at: null };
    return render(<RunStrip runs={[run]} />)
      .container.querySelector('path')
      ?.getAttribute('d');
  };
  expect(new Set(kinds.map(one)).size).toBe(kinds.length);
});

test('no runs is said', () => {
  expect(render(<RunStrip runs={[]} />).container.textContent).toBe('no runs');
});

test('a moment is readable, exact and in machine form', () => {
  const { container } = render(<Moment at="2026-05-20T00:20:00Z" />);
  const time = container.querySelector('time');
  expect(time?.textContent).toBe('3 hours ago');
  expect(time?.title).toBe('20 May 2026, 07:20 (Asia/Saigon)');
  expect(time?.dateTime).toBe('2026-05-20T00:20:00.000Z');
});

test('an unknown moment is a dash', () => {
  expect(render(<Moment at={null} as="date-time" />).container.textContent).toBe('–');
});

test.each([
  [0, 'just now'],
  [50, '1 minute ago'],
  [59.6 * 60, '1 hour ago'],
  [90 * 60, '2 hours ago'],
  [86_400, '1 day ago'],
  [40 * 86_400, '40 days ago'],
  [100 * 86_400, '3 months ago'],
  [800 * 86_400, '2 years ago'],
  [-7200, 'in 2 hours'],
])('%s seconds before now is %s', (seconds, text) => {
  expect(ago(now - seconds * 1000, now)).toBe(text);
});
