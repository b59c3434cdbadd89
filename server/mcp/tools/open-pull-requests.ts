import { z } from 'zod';
import { repository } from '../../api/parameters.ts';
import { getOpenPullRequests } from '../../reports/pull-requests/operations.ts';
import { paging } from '../input.ts';
import { measure, type Place } from '../measurement.ts';
import { repositoryPage, sharedOf } from '../shared.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

const uncounted = 'How many there are could not be read, and not all of them were.';
const unread = 'Not all open pull requests, or not all of their reviews, could be read.';

const counts: readonly Place[] = (
  [
    ['total_open', 'Open pull requests', '/total_open', uncounted],
    ['awaiting_review_count', 'Open pull requests that wait for a review', '/fetched_prs', unread],
    ['stale_count', 'Stale open pull requests', '/fetched_prs', unread],
  ] as const
).map(([key, label, n, missing]) => ({
  key,
  label,
  unit: 'count',
  better: 'lower',
  at: `/${key}`,
  n,
  missing,
  metric: null,
}));

const times: readonly Place[] = (['p50', 'p90'] as const).flatMap((quantile) => [
  {
    key: `time_to_first_review_${quantile}_hours`,
    label: `Time to first review, ${quantile}`,
    unit: 'hours',
    better: 'lower' as const,
    at: `/time_to_first_review_${quantile}_hours`,
    n: '/time_to_first_review_sample',
    missing: 'No closed pull request of people has a review whose wait is known.',
  },
  {
    key: `time_approval_to_merge_${quantile}_hours`,
    label: `Approval to merge, ${quantile}`,
    unit: 'hours',
    better: 'lower' as const,
    at: `/time_approval_to_merge_${quantile}_hours`,
    n: '/time_approval_to_merge_sample',
    missing: 'No merged pull request of people has an approval that could be read.',
  },
]);

const abandoned: Place = {
  key: 'abandon_rate',
  label: 'Abandon rate',
  unit: 'percent',
  better: 'lower',
  at: '/abandon_rate',
  n: '/abandon_rate_sample',
  missing: 'No pull request of people was closed in the window.',
};

export const openPullRequests = tool({
  name: 'open_pull_requests',
  title: 'Open pull requests',
  question: 'Which pull requests wait for a review, and since when?',
  description:
    'Open pull requests of a repository: what waits, since when, and whether for the author or a reviewer; no names of people. With the review and merge times of 90 days.',
  input: z.object({ ...repository, waiting_only: z.boolean().optional(), ...paging }),
  operations: [getOpenPullRequests],
  questions: ({ owner, repo }) => [{ operation: getOpenPullRequests, params: { owner, repo } }],
  async run({ owner, repo, waiting_only }, reader) {
    const part = await reader.read(getOpenPullRequests, { owner, repo });
    const page = repositoryPage({ owner, repo }, '/pull-requests');
    const shared = sharedOf(reader, { owner, repo }, page);
    const { total_open: total, fetched_prs: fetched } = part.answer;
    if (total !== null && fetched < total)
      reader.notes.push({ code: 'first_only', text: `${fetched} of ${total} open pull requests were read.` });
    const shown = part.answer.open_prs.filter(({ awaiting_review }) => !waiting_only || awaiting_review);
    return {
      subject: { owner, repo },
      parts: [part],
      measurements: [
        // They are of now.
        ...counts.map((place) => measure(part, place, { ...shared, window: null })),
        ...[...times, abandoned].map((place) => measure(part, place, shared)),
      ],
      items: shown.map((one) => ({
        key: String(one.number),
        value: {
          number: one.number,
          title: untrusted(one.title),
          is_bot: one.is_bot,
          draft: one.draft,
          created_at: one.created_at,
          age_hours: one.age_hours,
          waiting_on: one.waiting_on,
          waiting_since: one.waiting_since,
          review_decision: one.review_decision,
          review_rounds: one.review_rounds,
          additions: one.additions,
          deletions: one.deletions,
          mergeable: one.mergeable,
        },
      })),
      page,
    };
  },
});
