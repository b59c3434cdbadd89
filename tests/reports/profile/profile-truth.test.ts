import { afterEach, describe, expect, test } from 'vitest';
import type { Context } from '../../../server/access/context.ts';
import { emptyReply } from '../../../server/http/execute.ts';
import { contributorProfile } from '../../../server/reports/profile/report.ts';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { aCommit, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import type { Service } from '../../support/service.ts';
import { asking, day } from '../workload/workload-world.ts';

const visit = freshService();
const profile = (login: string, owner = 'octo') =>
  asking(visit.service, `/api/codehost/contributor-profile?owner=${owner}&login=${login}`);
const at = (days: number) => namedNow - days * day;
const put: Service['double']['putPullRequest'] = (...given) => visit.service.double.putPullRequest(...given);
const commit = (login: string, time: number) => aCommit(time, anActor(login), `At ${time}`);

afterEach(() => expect(visit.service.double.violations).toEqual([]));

describe('what would mislead', () => {
  test('the calendar has 52 weeks of data, not 90 days', async () => {
    visit.service.double.addCommit('octo/api', commit('ana', at(200)));
    const { body } = await profile('ana');
    const day200 = body.activity_calendar.find(({ date }: { date: string }) => date === '2026-04-30');
    expect([day200.count, body.calendar_basis]).toEqual([1, 'contributions']);
  });

  test('without a calendar of the platform it is made of a year of commits, in the team’s zone', async () => {
    const { services } = visit.service.app;
    const { codehost, clock } = services.demo();
    // As the platform answers for an account that hides what it does.
    const contributions: typeof codehost.people.contributions = async (...request) => ({
      ...(await codehost.people.contributions(...request)),
      days: [],
      repositories: [],
    });
    const context = {
      services: { ...services, clock, store: null },
      codehost: async () => ({ ...codehost, people: { contributions } }),
    } as unknown as Context;
    const request = { owner: 'lumen-harbor', login: 'mira-okafor' };
    const answer = await contributorProfile(request, context, emptyReply());
    expect(answer.calendarBasis).toBe('commits');
    const counted = answer.activityCalendar.reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBeGreaterThanOrEqual(answer.totalCommits90d ?? 0);
    expect(answer.totalCommits90d).toBeGreaterThan(0);
  });

  test('reviewed and approved are steps of the own pull requests, whatever numbers others have elsewhere', async () => {
    // Bob reviewed 33 to 35 of octo/api; his own have other fates, and ana's 33 is another one.
    put('octo/web', { number: 33, author: anActor('bob'), createdAt: at(2) });
    const { body } = await profile('bob');
    expect(body.funnel).toEqual({ opened: 3, reviewed: 0, approved: 0, merged: 0 });
  });

  test('open ones count as opened, and none is lost in a busy repository', async () => {
    for (let n = 0; n < 60; n++)
      put('octo/api', {
        number: 600 + n,
        author: anActor('busy'),
        createdAt: at(1 + n) + n,
        additions: 5,
        deletions: 5,
      });
    const { body } = await profile('busy');
    expect(body).toMatchObject({ prs_opened: 60, prs_still_open: 60, pr_merge_rate: null, avg_pr_size: 10 });
    expect(body.recent_prs).toHaveLength(20);
    expect(body.coverage).toMatchObject({ complete: true, read: 60, expected: 60 });
  });

  test('a merge belongs to the half in which it happened, not to that of its creation', async () => {
    put('octo/api', { number: 700, author: anActor('slow'), createdAt: at(50), mergedAt: at(40) });
    put('octo/api', { number: 701, author: anActor('slow'), createdAt: at(120), mergedAt: at(80) });
    for (const number of [702, 703])
      put('octo/api', { number, author: anActor('slow'), createdAt: at(31), mergedAt: at(30) });
    const { body } = await profile('slow');
    expect(body.period_comparison).toEqual({
      window_days: 45,
      complete: true,
      prs_opened_recent: 2,
      prs_opened_prior: 1,
      prs_merged_recent: 3,
      prs_merged_prior: 1,
      avg_hours_to_merge_recent: 96,
      avg_hours_to_merge_prior: 960,
      median_hours_to_merge_recent: 24,
      median_hours_to_merge_prior: 960,
      hours_to_merge_verdict: 'not_enough_data',
      reviews_given_recent: 0,
      reviews_given_prior: 0,
    });
    // The one from before the window was merged in it, so it counts as merged and not as opened.
    expect(body).toMatchObject({ prs_opened: 3, prs_merged: 4, funnel: { opened: 3, merged: 3 } });
  });

  test('halves with a review that was not read, or of which the caller sees a part, are not to be compared', async () => {
    const reviews = Array.from({ length: 51 }, (_, index) => ({
      reviewer: anActor(index === 0 ? 'keen' : 'bob'),
      state: 'commented' as const,
      submittedAt: at(2) + index,
    }));
    const merged = { author: anActor('keen'), createdAt: at(60), mergedAt: at(59) };
    for (const number of [900, 901, 902, 903, 904]) put('octo/api', { ...merged, number });
    const rules = ({ body }: Awaited<ReturnType<typeof profile>>) =>
      body.talking_points.map(({ rule }: { rule: string }) => rule);
    const before = await profile('keen');
    expect([before.body.period_comparison.complete, rules(before)]).toEqual([true, ['merged_fewer']]);
    put('octo/api', { number: 905, author: anActor('dee'), createdAt: at(3), reviews });
    await visit.service.clock.advance(20 * 60_000);
    const after = await profile('keen');
    expect([after.body.period_comparison.complete, rules(after)]).toEqual([false, []]);
  });

  test('after hours are those of the team, not of Greenwich', async () => {
    const { body } = await profile('nox');
    // 08:00 is inside, 19:00 and 01:00 are not; two were written on a Saturday.
    expect(body).toMatchObject({ after_hours_pct: 50, weekend_pct: 50, hours_sample: 4 });
    const hours = body.commit_hour_distribution.flatMap((count: number, hour: number) => (count ? [hour] : []));
    expect(hours).toEqual([1, 8, 10, 19]);
    expect(body.commit_weekday_hours[6][1]).toBe(1);
  });

  test('a deleted account is nobody’s: it reviews as a person, and its pull requests are in no profile', async () => {
    put('octo/api', {
      number: 800,
      author: anActor('lone'),
      createdAt: at(2),
      reviews: [{ reviewer: null, state: 'approved', submittedAt: at(1) }],
    });
    const { body } = await profile('lone');
    expect(body.funnel).toEqual({ opened: 1, reviewed: 1, approved: 1, merged: 0 });
    expectProblem(await profile('ghost'), 404, 'not_found');
  });

  test('a repository has the name it has now; merges and copies of a commit count once or not at all', async () => {
    const { double } = visit.service;
    const one = commit('mover', at(3));
    for (const name of ['octo/api', 'octo/renamed-now', 'octo/fork']) double.addCommit(name, one);
    double.addCommit('octo/web', aCommit(at(2), anActor('mover'), 'Merge', { parents: 2 }));
    double.rename('octo/api', 'octo/backend');
    const { body } = await profile('mover');
    expect(body.total_commits_90d).toBe(1);
    expect(body.repos_contributed.join()).not.toContain('octo/api');
  });

  test('more commits than are read are reported', async () => {
    const { double } = visit.service;
    for (let n = 0; n < 101; n++) double.addCommit('octo/api', commit('keen', at(10) + n * 60_000));
    const { body } = await profile('keen');
    expect(body).toMatchObject({ total_commits_90d: 100, partial: true, fetched_requests: 3 });
    expect(Date.parse(body.commits_complete_from)).toBe(at(10) + 60_000);
    expect(body.coverage).toMatchObject({ cap: 100, reasons: ['page_cap'], read: 100, expected: 101 });
  });

  test('of more than ten repositories those with most commits are read, and that is reported', async () => {
    const { double } = visit.service;
    for (let n = 101; n <= 111; n++) double.addCommit(`many/repo-${n}`, commit('wide', at(n - 100)));
    const { body } = await profile('wide', 'many');
    expect(body).toMatchObject({ total_commits_90d: 10, partial: true });
    expect(body.commits_complete_from).toBe(body.generated_at);
    expect(body.coverage).toMatchObject({ cap: 10, reasons: ['page_cap'], expected: null });
  });
});
