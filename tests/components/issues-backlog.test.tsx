// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { Backlog } from '../../app/routes/repo/issues-backlog.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const all = 'Every issue older than two weeks has a comment.';
const some = 'Not all open issues could be loaded; none of those loaded is unanswered.';

test.each([
  [{ unanswered_count: 37, exact: ['unanswered_count'] }, some],
  [{ unanswered_count: 0, exact: [] }, some],
  [{ unanswered_count: 0, exact: ['unanswered_count'] }, all],
  [{ unanswered_count: 0, exact: ['unanswered_count', 'neglected'] }, all],
  [{ unanswered_count: null, exact: ['neglected'] }, 'Not all comments could be loaded.'],
])('without an unanswered issue in the list it says of which issues: %j', (counted, said) => {
  const data = {
    open_count: 2100,
    age_buckets: [],
    neglected: [],
    top_labels: [],
    assignee_load: [],
    period_days: 30,
    ...counted,
  };
  drawInRoot(<Backlog data={data as never} base="" owner="octo" repo="web" />, page);
  const text = document.body.textContent ?? '';
  expect(text).toContain(said);
  for (const other of [all, some].filter((one) => one !== said)) expect(text).not.toContain(other);
});
