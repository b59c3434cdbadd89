import { expect, test } from 'vitest';
import { lastDaysWindow } from '../../../server/metrics/kernel/window.ts';
import { commitActivity } from '../../../server/metrics/people/activity.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import {
  countMergeMoments,
  personAfterHours,
  personAvgHoursToMerge,
  personMedianHoursToMerge,
  personMergeRate,
  weekdayHours,
} from '../../../server/metrics/people/person.ts';
import { ownOpenDays, reviewWaitDays } from '../../../server/metrics/people/profile.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { aCommit, anActor, anOpenPullRequest, aPullRequest, aReview } from '../delivery-builders.ts';
import { inEveryWorld } from '../every-world.ts';
import { opensEvidence } from '../evidence.ts';
import { naiveProfile } from '../naive-contributors.ts';

test('the opened numbers are those of the profile, in every world', () => {
  inEveryWorld((world, people) => {
    const { now, pullRequests, commits, timezone } = world;
    const subject = { person: anActor('ana'), people };
    const window = lastDaysWindow(90, now);
    const workday = { calendar: createCalendar(timezone), start: 8, end: 19 };
    const { own } = naiveProfile(world, 'ana', window.from, window.to);
    const activity = commitActivity(commits, now, workday);
    expect(personAvgHoursToMerge(window, subject)(pullRequests).value).toBe(own.avgHoursToMerge);
    expect(personMedianHoursToMerge(window, subject)(pullRequests).value).toBe(own.medianHoursToMerge);
    expect(personMergeRate(window, subject)(pullRequests)).toMatchObject({
      value: own.prMergeRate,
      sample: own.prsMerged + own.prsClosedWithoutMerge,
    });
    const afterHours = personAfterHours(window, workday);
    expect(afterHours(commits)).toMatchObject({ value: activity.afterHoursPct, sample: activity.totalCommits });
    opensEvidence(personMedianHoursToMerge(window, subject), pullRequests);
    opensEvidence(personMergeRate(window, subject), pullRequests);
    opensEvidence(afterHours, commits);
    const grid = weekdayHours(commits, window, workday);
    const byHour = Array.from({ length: 24 }, (_, hour) => grid.reduce((sum, row) => sum + (row[hour] ?? 0), 0));
    expect(byHour).toEqual(activity.commitHourDistribution);
  });
});

test('a commit is counted at the weekday and hour of the team, a merge is not', () => {
  const at = Date.parse('2026-11-07T18:30:00Z');
  const commits = [
    aCommit({ sha: 'a', authoredAt: at }),
    aCommit({ sha: 'b', authoredAt: at, parents: 2 }),
    aCommit({ sha: 'c', authoredAt: at - 91 * 86_400_000 }),
  ];
  const workday = { calendar: createCalendar('Asia/Saigon'), start: 8, end: 19 };
  const grid = weekdayHours(commits, lastDaysWindow(90, at), workday);
  // Saturday evening in Greenwich is Sunday, half past one, in Saigon.
  expect(grid[0]?.[1]).toBe(1);
  expect(grid.flat().reduce((sum, count) => sum + count, 0)).toBe(1);
});

test('commits with the moment of a known merge are counted apart', () => {
  const at = Date.parse('2026-11-07T18:30:00Z');
  const commit = (sha: string, authoredAt: number, committedAt = authoredAt, parents = 1) =>
    aCommit({ sha, authoredAt, committedAt, parents });
  const commits = [
    commit('a', at),
    commit('b', at - 1),
    commit('c', at - 5, at),
    commit('d', at, at, 2),
    commit('e', at - 91 * 86_400_000),
  ];
  const merged = [at, at - 91 * 86_400_000].map((mergedAt) => aPullRequest({ state: 'merged', mergedAt }));
  expect(countMergeMoments(commits, [...merged, aPullRequest({ mergedAt: null })], lastDaysWindow(90, at))).toBe(1);
});

test('own pull requests are open since they became ready for review, drafts and others not counted', () => {
  const now = Date.parse('2026-11-07T12:00:00Z');
  const before = (days: number) => now - days * 86_400_000;
  const open = { state: 'open', mergedAt: null, closedAt: null, createdAt: before(33) } as const;
  const ann = anActor('ann');
  const pullRequests = [
    aPullRequest({ ...open, author: ann }),
    aPullRequest({ ...open, author: ann, clock: [{ kind: 'ready_for_review', at: before(2.5), login: null }] }),
    aPullRequest({ ...open, author: ann, isDraft: true }),
    aPullRequest({ ...open, author: ann, clock: null }),
    aPullRequest({ ...open, author: anActor('bo') }),
    aPullRequest({ author: ann, state: 'merged', createdAt: before(40), mergedAt: before(1) }),
  ];
  expect(ownOpenDays(pullRequests, now, { person: ann, people: createPeople([], []) })).toEqual([33, 2]);
});

test('reviews wait with whoever is asked for one, as long as a review is the next move', () => {
  const now = Date.parse('2026-11-07T12:00:00Z');
  const before = (days: number) => now - days * 86_400_000;
  const asked = (days: number, differences: Parameters<typeof anOpenPullRequest>[0] = {}) =>
    anOpenPullRequest({
      author: anActor('bo'),
      createdAt: before(days),
      requestedReviewers: ['cy', 'Ann'],
      ...differences,
    });
  const ann = anActor('ann');
  const open = [
    asked(33.5),
    asked(2, { requestedReviewers: ['ann-old'] }),
    asked(40, { author: ann, requestedReviewers: ['ann'] }),
    asked(41, { isDraft: true }),
    asked(42, { requestedReviewers: ['cy'] }),
    asked(43, { reviews: null }),
    asked(44, { reviews: [aReview('cy', 'changes_requested', before(1))] }),
  ];
  const people = createPeople([{ alias: 'ann-old', primary: 'ann' }], []);
  expect(reviewWaitDays(open, now, { person: ann, people })).toEqual([33, 2]);
});

test('nobody makes a pull request wait before they are requested', () => {
  const now = Date.parse('2026-11-07T12:00:00Z');
  const before = (days: number) => now - days * 86_400_000;
  const request = (login: string | null, days: number) => ({
    kind: 'review_requested' as const,
    at: before(days),
    login,
  });
  const open = [
    [request('ANN', 5)],
    [request('ann', 30), request('ann', 6), request('cy', 1), request(null, 1)],
    // While it was a draft nobody waited.
    [request('ann', 30), { kind: 'ready_for_review' as const, at: before(7), login: null }],
    // The request of one of both accounts still stands.
    [request('ann-old', 8), request('ann', 1)],
    [],
  ].map((clock, index) =>
    anOpenPullRequest({
      author: anActor('bo'),
      createdAt: before(40),
      requestedReviewers: index === 3 ? ['ann', 'ann-old'] : ['ann', 'cy'],
      clock,
    }),
  );
  const people = createPeople([{ alias: 'ann-old', primary: 'ann' }], []);
  expect(reviewWaitDays(open, now, { person: anActor('ann'), people })).toEqual([5, 6, 7, 8, 40]);
});
