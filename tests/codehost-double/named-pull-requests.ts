import type { Instant } from '../../server/metrics/kernel/facts.ts';
import { aCommit, anActor, type PullRequestParts } from './delivery-builders.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const ana = anActor('ana');
const anaOld = anActor('ana-old');
const bob = anActor('bob');
const cy = anActor('cy');
const dee = anActor('dee');
const dependabot = anActor('dependabot[bot]');

/**
 * Pull requests of octo/web. Four were merged, after 2, 4, 1 and 10 hours: 1 and 2 by ana (`ana-old` is an older
 * account of hers), 3 by a bot, 4 by a deleted account. Of the three open ones, 21 waits for a reviewer (nobody
 * looked at it for six days), 22 for its author, 23 for its merge. Reviews that were not sent: of bo on 1, of ann on 2.
 */
export function webPullRequests(now: Instant): PullRequestParts[] {
  return [...mergedOfWeb(now), ...openOfWeb(now)];
}

function mergedOfWeb(now: Instant): PullRequestParts[] {
  const at = (days: number) => now - days * day;
  const [first, second] = [
    aCommit(at(5) - 3 * hour, ana, 'Count the lamps', { offset: 60 }),
    aCommit(at(5) + hour, ana, 'Count broken lamps too', { offset: 60 }),
  ];
  return [
    {
      number: 1,
      author: ana,
      createdAt: at(5),
      mergedAt: at(5) + 2 * hour,
      mergedBy: cy,
      additions: 80,
      commits: [first, second],
      title: 'Count the lamps',
      headBranch: 'count-lamps',
      labels: ['feature'],
      reviews: [
        { ...by('bob', 'changes_requested', at(5) + 30 * minute), commitSha: first.sha, comments: 3 },
        { ...by('bob', 'approved', at(5) + 90 * minute), commitSha: second.sha },
      ],
      pending: [{ id: 'PRR_pending_bo', reviewer: anActor('bo') }],
    },
    {
      number: 2,
      author: ana,
      createdAt: at(4),
      mergedAt: at(4) + 4 * hour,
      mergedBy: anaOld,
      reviews: [by('ana-old', 'approved', at(4) + hour)],
      pending: [{ id: 'PRR_pending_ann', reviewer: anActor('ann') }],
    },
    {
      number: 3,
      author: dependabot,
      createdAt: at(3),
      mergedAt: at(3) + hour,
      mergedBy: bob,
      headBranch: 'dependabot/npm/lamp-2',
      labels: ['dependencies'],
      reviews: [by('helper[bot]', 'approved', at(3) + 10 * minute)],
    },
    {
      number: 4,
      author: null,
      createdAt: at(2),
      mergedAt: at(2) + 10 * hour,
      mergedBy: cy,
      reviews: [by('cy', 'commented', at(2) + 2 * hour)],
    },
  ];
}

function openOfWeb(now: Instant): PullRequestParts[] {
  const at = (days: number) => now - days * day;
  return [
    {
      number: 21,
      author: bob,
      createdAt: at(6),
      title: 'Waits for a reviewer',
      reviewDecision: 'review_required',
      requestedReviewers: ['bo'],
      requestedTeams: ['keepers'],
      clock: [
        { kind: 'review_requested', at: at(6) + minute, login: 'bo' },
        { kind: 'review_requested', at: at(6) + minute, login: null },
      ],
    },
    {
      number: 22,
      author: cy,
      createdAt: at(3),
      title: 'Waits for its author',
      mergeable: 'conflicting',
      reviewDecision: 'changes_requested',
      reviews: [by('bob', 'changes_requested', at(2)), by('cy', 'commented', at(2) + hour)],
    },
    {
      number: 23,
      author: ana,
      createdAt: at(1),
      title: 'Waits for its merge',
      reviewDecision: 'approved',
      reviews: [by('bob', 'approved', at(1) + 3 * hour)],
    },
  ];
}

/**
 * Pull requests of octo/api. Open: 31 and 32 are drafts of dee, which wait for nobody; 33 to 35 of hers wait for a
 * reviewer (pushed by force after changes were asked for; requested again after a comment; a later commit); 36 of a bot.
 * Merged: 41 and 42 and 44 put something right (branch, title, label), 43 does not although its branch says revert;
 * 47 has 260 commits and 55 reviews; 48 went to another branch. Closed without a merge: 45 of a person, 46 of a bot.
 */
export function apiPullRequests(now: Instant): PullRequestParts[] {
  return [...openOfApi(now), ...endedOfApi(now)];
}

function openOfApi(now: Instant): PullRequestParts[] {
  const at = (days: number) => now - days * day;
  const later = [aCommit(at(9), dee, 'Begin'), aCommit(at(1), dee, 'As bob asked')];
  return [
    { number: 31, author: dee, createdAt: at(20), isDraft: true },
    {
      number: 32,
      author: dee,
      createdAt: at(12),
      isDraft: true,
      clock: [
        { kind: 'ready_for_review', at: at(11), login: null },
        { kind: 'converted_to_draft', at: at(10), login: null },
      ],
    },
    {
      number: 33,
      author: dee,
      createdAt: at(10),
      reviewDecision: 'changes_requested',
      reviews: [by('bob', 'changes_requested', at(8))],
      clock: [{ kind: 'pushed', at: at(7), login: null }],
    },
    {
      number: 34,
      author: dee,
      createdAt: at(9),
      isDraft: false,
      requestedReviewers: ['bob'],
      reviews: [by('bob', 'commented', at(6))],
      clock: [
        { kind: 'ready_for_review', at: at(8), login: null },
        { kind: 'review_requested', at: at(5), login: 'bob' },
      ],
    },
    {
      number: 35,
      author: dee,
      createdAt: at(8),
      reviewDecision: 'changes_requested',
      commits: later,
      reviews: [{ ...by('bob', 'changes_requested', at(3)), commitSha: later[0]?.sha ?? null }],
    },
    { number: 36, author: dependabot, createdAt: at(40), reviews: [by('helper[bot]', 'commented', at(39))] },
  ];
}

function endedOfApi(now: Instant): PullRequestParts[] {
  const at = (days: number) => now - days * day;
  const many = Array.from({ length: 260 }, (_, index) => aCommit(at(30) + index * minute, cy, `Part ${index + 1}`));
  const merged = (number: number, days: number) => ({
    number,
    author: ana,
    createdAt: at(days),
    mergedAt: at(days - 1),
  });
  return [
    { ...merged(41, 9), headBranch: 'hotfix/price', reviews: [by('bob', 'approved', at(8) - hour)] },
    { ...merged(42, 12), title: 'Revert "Show the price"', headBranch: 'revert-12-b' },
    { ...merged(43, 15), headBranch: 'feature/revert-button', reviews: [by('bob', 'approved', at(14) - hour)] },
    { ...merged(44, 18), labels: ['incident'] },
    { number: 45, author: bob, createdAt: at(20), closedAt: at(10) },
    { number: 46, author: dependabot, createdAt: at(20), closedAt: at(19) },
    {
      ...merged(47, 29),
      author: cy,
      commits: many,
      additions: 9000,
      deletions: 4000,
      changedFiles: 310,
      reviews: Array.from({ length: 55 }, (_, index) => by('bob', 'commented', at(29) + index * minute)),
    },
    { ...merged(48, 6), baseBranch: 'release/1' },
  ];
}

const by = (login: string, state: 'approved' | 'changes_requested' | 'commented', submittedAt: Instant) => ({
  reviewer: anActor(login),
  state,
  submittedAt,
});
