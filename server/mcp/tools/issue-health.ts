import { z } from 'zod';
import { repository } from '../../api/parameters.ts';
import { getIssues } from '../../reports/issues/operations.ts';
import { paging } from '../input.ts';
import { measure, type Place } from '../measurement.ts';
import { repositoryPage, sharedOf } from '../shared.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

const counts: readonly Place[] = (
  [
    ['open_count', 'Open issues', 'lower', null],
    ['opened_in_period', 'Opened issues', 'neither', null],
    ['closed_in_period', 'Closed issues', 'neither', null],
    ['stale_count', 'Issues without an update for 30 days', 'lower', null],
    ['unanswered_count', 'Issues without an answer for two weeks', 'lower', 'Comments of an issue could not be read.'],
    ['unlabelled_count', 'Issues without a label', 'lower', 'Labels of an issue could not be read.'],
    ['unassigned_count', 'Issues without an assignee', 'lower', 'Assignees of an issue could not be read.'],
  ] as const
).map(([key, label, better, missing]) => ({
  key,
  label,
  unit: 'count',
  better,
  at: `/${key}`,
  missing,
}));

const times: readonly Place[] = (
  [
    ['median_days_to_close', 'Time to close, median'],
    ['p90_days_to_close', 'Time to close, p90'],
  ] as const
).map(([key, label]) => ({
  key,
  label,
  unit: 'days',
  better: 'lower',
  at: `/${key}`,
  n: '/days_to_close_sample',
  missing: 'No issue that was read was closed in the window.',
}));

export const issueHealth = tool({
  name: 'issue_health',
  title: 'Issues',
  question: 'Does the backlog of acme/shop grow?',
  description:
    'Backlog of a repository over `days`: opened, closed, stale, unanswered and unlabelled issues, time to close, age of the open ones, and the oldest that nobody answered.',
  input: z.object({ ...repository, days: getIssues.input.shape.days, ...paging }),
  operations: [getIssues],
  questions: ({ owner, repo, days }) => [{ operation: getIssues, params: { owner, repo, days } }],
  async run({ owner, repo, days }, reader) {
    const part = await reader.read(getIssues, { owner, repo, days });
    const page = repositoryPage({ owner, repo }, '/issues');
    const shared = sharedOf(reader, { owner, repo, days }, page);
    const { age_buckets, top_labels, neglected } = part.answer;
    return {
      subject: { owner, repo },
      parts: [part],
      measurements: [...counts, ...times].map((place) => measure(part, place, shared)),
      items: [
        ...age_buckets.map(({ label, count }) => ({ key: `age ${label}`, value: { kind: 'age', age: label, count } })),
        ...(top_labels ?? []).map(({ label, count }) => ({
          key: `label ${label}`,
          value: { kind: 'label', label: untrusted(label), count },
        })),
        ...neglected.map(({ number, title, age_days, comments }) => ({
          key: String(number),
          value: { kind: 'unanswered', number, title: untrusted(title), age_days, comments },
        })),
      ],
      page,
    };
  },
});
