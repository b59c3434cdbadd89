import { describe, expect, test } from 'vitest';
import { type DeliveryScope, deliveryEstimate } from '../../../server/metrics/delivery/delivery.ts';
import { isFailureFix, isRevertTitle } from '../../../server/metrics/delivery/failure-fixes.ts';
import {
  changeFailureTier,
  frequencyTier,
  leadTimeTier,
  overallTier,
  restoreTier,
  workdaysIn,
} from '../../../server/metrics/kernel/tiers.ts';
import { lastDaysWindow } from '../../../server/metrics/kernel/window.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import {
  cycleBreakdown,
  scatterPoints,
  throughputByWeek,
  weeksUpTo,
} from '../../../server/metrics/pull-requests/cycle.ts';
import { anActor, aPullRequest, aReview } from '../delivery-builders.ts';
import { day, hour, minute } from '../worlds.ts';

// A Friday.
const now = Date.UTC(2026, 2, 6, 10);
const calendar = createCalendar('Asia/Saigon');
const scope: DeliveryScope = {
  people: createPeople(),
  window: lastDaysWindow(90, now),
  calendar,
  defaultBranch: 'main',
  repositoryCreatedAt: null,
  hasDeployments: false,
};
const merges = (count: number, differences = {}) =>
  Array.from({ length: count }, (_, n) =>
    aPullRequest({ number: n + 1, createdAt: now - (n + 1) * day, ...differences }),
  );

describe('tiers', () => {
  test.each([
    [22, 'elite'],
    [5, 'high'],
    [1, 'medium'],
    [0, 'low'],
  ])('of %d successes in 22 workdays: %s', (successes, tier) => expect(frequencyTier(successes, 22)).toBe(tier));

  test.each([
    [23 * hour + 59 * minute, 'elite'],
    [day, 'high'],
    [7 * day, 'medium'],
    [30 * day, 'low'],
    [null, null],
  ])('of a lead time of %s ms: %s', (ms, tier) => expect(leadTimeTier(ms)).toBe(tier));

  test.each([
    [5, 'elite'],
    [5.1, 'high'],
    [10.1, 'medium'],
    [15.1, 'low'],
    [null, null],
  ])('of a failure rate of %s: %s', (rate, tier) => expect(changeFailureTier(rate)).toBe(tier));

  test.each([
    [59 * minute, 'elite'],
    [hour, 'high'],
    [day, 'medium'],
    [7 * day, 'low'],
    [null, null],
  ])('of a restore in %s ms: %s', (ms, tier) => expect(restoreTier(ms)).toBe(tier));

  test('together are the worst of at least two', () => {
    expect(overallTier(['elite', null, null, null])).toBeNull();
    expect(overallTier(['elite', null, 'medium', 'high'])).toBe('medium');
  });

  test('count Mondays to Fridays of the team’s zone', () => {
    expect(workdaysIn(lastDaysWindow(30, now), calendar)).toBe(22);
    // Saturday in Saigon, still Friday in UTC.
    expect(workdaysIn(lastDaysWindow(1, now + 8 * hour), calendar)).toBe(0);
    expect(frequencyTier(3, 0)).toBeNull();
  });
});

describe('a fix of a failure', () => {
  test.each([
    ['Revert "Add x"', true],
    ['revert: add x', true],
    ['revert(api): x', true],
    ['Reverting the order', false],
    ['Do not revert "x"', false],
    ['', false],
  ])('whose title is %j: %s', (title, expected) => expect(isRevertTitle(title)).toBe(expected));

  test.each([
    [{ isRevert: true }, true],
    [{ isRevert: false, title: 'Revert "Add x"' }, false],
    [{ labels: ['Hotfix'] }, true],
    [{ labels: ['incident-docs'] }, false],
    [{ headBranch: 'hotfix/a' }, true],
    [{ headBranch: 'revert-12-b' }, true],
    [{ headBranch: 'ana/hotfix-c' }, true],
    [{ headBranch: 'emergency_fix' }, true],
    [{ headBranch: 'feature/revert-button' }, false],
    [{ headBranch: 'docs/rollback' }, false],
    [{ headBranch: 'hotfixes' }, false],
    [{ headBranch: 'fix-prod' }, false],
    [{ headBranch: 'ana/hotfix/x' }, false],
  ])('%j: %s', (differences, expected) => expect(isFailureFix(aPullRequest(differences))).toBe(expected));
});

describe('an estimate does not mislead:', () => {
  test('names nobody uses give no tier (1)', () => {
    const { changeFailureRate } = deliveryEstimate(merges(12), [], scope);
    expect(changeFailureRate).toEqual({ failures: 0, total: 12, rate: 0, level: null });
    expect(deliveryEstimate(merges(12), [], { ...scope, hasDeployments: true }).changeFailureRate.level).toBe('elite');
    expect(deliveryEstimate([], [], scope).changeFailureRate).toMatchObject({ rate: null, level: null });
  });

  test('a dead repository is low, with no lead time (2)', () => {
    const old = merges(5, { createdAt: now - 400 * day });
    const { deploymentFrequency, leadTime, overallLevel } = deliveryEstimate(old, [], scope);
    expect(deploymentFrequency).toMatchObject({ total: 0, perDay: 0, level: 'low' });
    expect(leadTime).toMatchObject({ medianMs: null, level: null });
    expect(overallLevel).toBeNull();
  });

  test('two releases an hour apart are two in 90 days (2)', () => {
    const release = { tag: 'v1', isPrerelease: false, isDraft: false, htmlUrl: '' };
    const releases = [now - hour, now].map((publishedAt) => ({ ...release, publishedAt }));
    const { deploymentFrequency, basis } = deliveryEstimate(merges(30), releases, scope);
    expect(deploymentFrequency).toMatchObject({ total: 2, perDay: 0.02, level: 'low' });
    expect(basis.deploymentFrequency).toBe('releases');
    const drafts = releases.map((each, n) => ({ ...each, isDraft: n === 0, isPrerelease: n === 1 }));
    expect(deliveryEstimate(merges(30), drafts, scope).basis.deploymentFrequency).toBe('merged_prs');
  });

  test('no fix is no time to restore (3)', () => {
    expect(deliveryEstimate(merges(12), [], scope).mttr).toMatchObject({ medianMs: null, recoveries: 0, level: null });
  });

  test('a late label on an old pull request does not bring it back (4)', () => {
    const old = aPullRequest({ createdAt: now - 200 * day, updatedAt: now });
    expect(deliveryEstimate([old], [], scope).leadTime.sampleSize).toBe(0);
  });

  test('busy weeks stay apart from empty ones, and the running one is marked (5, 6)', () => {
    const busy = Array.from({ length: 300 }, (_, n) => aPullRequest({ number: n, createdAt: now - 60 * day }));
    const weeks = throughputByWeek(busy, scope);
    expect(weeks).toHaveLength(13);
    expect(weeks.filter(({ count }) => count > 0)).toEqual([{ weekStart: '2026-01-05', count: 300, partial: false }]);
    expect(weeks.filter(({ partial }) => partial)).toEqual([{ weekStart: '2026-03-02', count: 0, partial: true }]);
  });

  test('unreviewed pull requests take part in no phase of review (7)', () => {
    const reviews = [aReview('bob', 'approved', now - day + hour)];
    const cycle = cycleBreakdown([...merges(9), ...merges(1, { reviews, createdAt: now - day })], scope);
    expect(cycle.pickup).toEqual({ avgMs: hour, medianMs: hour, sample: 1 });
    expect(cycle.review).toEqual({ avgMs: 0, medianMs: 0, sample: 1 });
    expect(cycle.merge).toEqual({ avgMs: hour, medianMs: hour, sample: 1 });
    expect(cycle.timeToOpen.sample).toBe(10);
  });

  test('bots merge, but have no lead time', () => {
    const bots = merges(20, { author: anActor('dependabot[bot]') });
    const { leadTime, deploymentFrequency } = deliveryEstimate(bots, [], scope);
    expect([leadTime.sampleSize, deploymentFrequency.total]).toEqual([0, 20]);
  });

  test('imported pull requests and other branches are excluded', () => {
    const odd = [aPullRequest({ createdAt: now - day, mergedAt: now - 2 * day }), ...merges(1, { baseBranch: 'next' })];
    expect(deliveryEstimate(odd, [], scope).deploymentFrequency.total).toBe(0);
    expect(scatterPoints(odd, scope)).toEqual([]);
  });

  test('merges of which a cap left ten days are divided by ten, and releases by theirs', () => {
    const knownFrom = { releases: now - 20 * day, merges: now - 10 * day };
    const { deploymentFrequency } = deliveryEstimate(merges(10), [], { ...scope, knownFrom });
    expect(deploymentFrequency).toEqual({ total: 10, periodDays: 10, perDay: 1, level: 'elite' });
    const release = { tag: 'v1', isPrerelease: false, isDraft: false, htmlUrl: '', publishedAt: now - day };
    const released = deliveryEstimate(merges(10), Array(5).fill(release), { ...scope, knownFrom });
    expect(released.deploymentFrequency).toEqual({ total: 5, periodDays: 20, perDay: 0.25, level: 'high' });
  });

  test('a young repository is measured by its age and gets no tier for frequency', () => {
    const { deploymentFrequency } = deliveryEstimate(merges(10), [], { ...scope, repositoryCreatedAt: now - 10 * day });
    expect(deploymentFrequency).toEqual({ total: 10, periodDays: 10, perDay: 1, level: null });
  });
});

test('weeks begin on Monday in the team’s zone and cover all time', () => {
  const weeks = weeksUpTo(now, calendar);
  expect(weeks[0]?.from).toBe(Date.UTC(2025, 11, 7, 17));
  for (const [index, { to }] of weeks.slice(0, -1).entries()) expect(weeks[index + 1]?.from).toBe(to + 1);
  expect(weeks.at(-1)?.to).toBe(now);
});
