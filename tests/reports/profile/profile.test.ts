import { afterEach, describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { aCommit, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { aDatabase } from '../../support/a-database.ts';
import type { Service } from '../../support/service.ts';
import { asking, day, hour, serviceOn } from '../workload/workload-world.ts';

const visit = freshService();
const pathOf = (login: string, owner = 'octo') =>
  `/api/codehost/contributor-profile?owner=${owner}&login=${encodeURIComponent(login)}`;
const profile = (login: string, { owner = 'octo', as = 'token-ann' } = {}) =>
  asking(visit.service, pathOf(login, owner), as);
const at = (days: number) => namedNow - days * day;
const put: Service['double']['putPullRequest'] = (...given) => visit.service.double.putPullRequest(...given);
const commit = (login: string, time: number) => aCommit(time, anActor(login), `At ${time}`);

afterEach(() => expect(visit.service.double.violations).toEqual([]));

describe('a profile', () => {
  test('reports what one person did with their pull requests in all repositories of the owner', async () => {
    const { status, body } = await profile('ana');
    expect(status).toBe(200);
    // Merged after 2 and 4 hours in one repository and five times after a day in another; one is open.
    expect(body).toMatchObject({
      login: 'ana',
      name: null,
      is_bot: false,
      linked_logins: [],
      window_days: 90,
      timezone: 'Asia/Saigon',
      prs_opened: 8,
      prs_merged: 7,
      prs_closed_without_merge: 0,
      prs_still_open: 1,
      pr_merge_rate: 100,
      avg_hours_to_merge: 18,
      median_hours_to_merge: 24,
      funnel: { opened: 8, reviewed: 5, approved: 5, merged: 7 },
      reviews_given: 0,
      avg_review_turnaround_hours: null,
      recent_reviews: [],
      repos_contributed: ['octo/api', 'octo/web'],
      partial: false,
      fetched_requests: 4,
      total_requests_attempted: 4,
      coverage: { complete: true, cap: null, reasons: [] },
      generated_at: '2026-11-16T10:00:00.000Z',
      data_source: 'live',
    });
    expect(body.coverage.read).toBe(body.coverage.expected);
    expect(body.recent_prs.map(({ number }: { number: number }) => number)).toEqual([23, 2, 1, 48, 41, 42, 43, 44]);
    expect(body.recent_prs[2]).toEqual({
      number: 1,
      title: 'Count the lamps',
      repo_full_name: 'octo/web',
      state: 'merged',
      draft: false,
      additions: 80,
      deletions: 2,
      hours_to_merge: 2,
      html_url: 'https://codehost.example/octo/web/pull/1',
      created_at: '2026-11-11T10:00:00.000Z',
      merged_at: '2026-11-11T12:00:00.000Z',
      closed_at: '2026-11-11T12:00:00.000Z',
    });
  });

  test('reports the reviews of others’ pull requests, each waited for once', async () => {
    const { body } = await profile('cy');
    // A comment two hours after the deleted account opened its pull request; the one in their own does not count.
    expect(body).toMatchObject({ reviews_given: 1, avg_review_turnaround_hours: 2, review_turnaround_sample: 1 });
    expect(body.recent_reviews).toEqual([
      {
        pr_number: 4,
        pr_title: 'Pull request 4',
        repo_full_name: 'octo/web',
        state: 'commented',
        submitted_at: '2026-11-14T12:00:00.000Z',
        turnaround_hours: 2,
        html_url: 'https://codehost.example/octo/web/pull/4',
      },
    ]);
    const { body: bob } = await profile('bob');
    const ofFirst = bob.recent_reviews.filter(({ pr_number: number }: { pr_number: number }) => number === 1);
    expect(ofFirst.map((one: Record<string, unknown>) => [one.state, one.turnaround_hours])).toEqual([
      ['approved', null],
      ['changes_requested', 0.5],
    ]);
  });

  test('has the shapes that pages count on', async () => {
    const { body } = await profile('ana');
    expect(body.activity_calendar).toHaveLength(365);
    expect(body.activity_calendar.at(-1).date).toBe('2026-11-16');
    expect(body.weekly_commits).toHaveLength(12);
    expect(body.weekly_commits.at(-1)).toMatchObject({ week_start: '2026-11-16', partial: true });
    expect(body.active_days_per_week).toHaveLength(4);
    const hours = body.commit_hour_distribution.reduce((sum: number, one: number) => sum + one, 0);
    expect([hours, body.hours_sample, body.total_commits_90d]).toEqual([24, 24, 24]);
    expect(body.languages).toEqual([{ name: 'TypeScript', count: 24 }]);
    for (const key of ['avg_hours_to_merge', 'median_hours_to_merge', 'prs_merged', 'prs_opened', 'reviews_given'])
      for (const half of ['recent', 'prior']) {
        const shown = body.period_comparison[`${key}_${half}`];
        const path = `/api/explain?metric=person_${key}&owner=octo&login=ana&half=${half}`;
        const opened = await visit.service.ask('GET', path, { as: 'token-ann' });
        expect([path, opened.body.value]).toEqual([path, shown]);
        const { from, to } = opened.body.window;
        expect(Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)).toBe(45);
      }
    expect(JSON.stringify(body)).not.toMatch(/mail\.codehost\.example/);
  });

  test('is had as rows of the newest pull requests', async () => {
    const { text } = await asking(visit.service, `${pathOf('ana')}&format=csv`);
    expect(text.trim().split('\n')).toHaveLength(9);
    expect(text.split('\n')[0]).toMatch(/^number,title,repo_full_name,state/);
  });

  test('of somebody who did nothing is zeros where that was counted and nulls where nothing can be said', async () => {
    const { body } = await profile('bo', { owner: 'many' });
    expect(body).toMatchObject({
      login: 'bo',
      prs_opened: 0,
      prs_merged: 0,
      reviews_given: 0,
      total_commits_90d: 0,
      partial: false,
      avg_hours_to_merge: null,
      median_hours_to_merge: null,
      pr_merge_rate: null,
      avg_pr_size: null,
      after_hours_pct: null,
      weekend_pct: null,
      languages: [],
      repos_contributed: [],
      talking_points: [],
    });
    expect(body.activity_calendar).toHaveLength(365);
  });

  test('of a bot says that its commits cannot be read, and nothing of working hours', async () => {
    const { body, operations } = await profile('dependabot[bot]');
    expect(body).toMatchObject({
      login: 'dependabot[bot]',
      is_bot: true,
      prs_opened: 3,
      prs_merged: 1,
      prs_closed_without_merge: 1,
      total_commits_90d: null,
      hours_sample: 0,
      after_hours_pct: null,
      weekend_pct: null,
      activity_calendar: [],
      weekly_commits: [],
      commit_hour_distribution: [],
      talking_points: [],
      partial: true,
      coverage: { reasons: ['upstream_truncated'] },
    });
    expect(operations).not.toContain('CommitsOfAuthor');
  });
});

describe('who may see what', () => {
  test('an account that is not there is 404, a login or owner that cannot be is 400', async () => {
    expectProblem(await profile('nobody-here'), 404, 'not_found');
    expectProblem(await profile('octo'), 404, 'not_found');
    expectFields(await profile('a b'), ['login', 'invalid']);
    expectFields(await asking(visit.service, '/api/codehost/contributor-profile?login=ana'), ['owner', 'missing']);
    expectFields(await asking(visit.service, '/api/codehost/contributor-profile?owner=octo'), ['login', 'missing']);
  });

  test('each caller gets what their own token sees, whoever asked before; what is hidden is said', async () => {
    put('octo/secret', { number: 5, author: anActor('ana'), createdAt: at(2), title: 'Hidden' });
    const ann = await profile('ana');
    expect(ann.text).toContain('Hidden');
    const bo = await profile('ana', { as: 'token-bo' });
    expect(bo.text).not.toMatch(/Hidden|secret/);
    expect([ann.body.prs_opened, bo.body.prs_opened]).toEqual([9, 8]);
    expect([ann.body.partial, ann.body.restricted_contributions]).toEqual([false, 0]);
    expect([ann, bo].map(({ body }) => body.period_comparison.complete)).toEqual([true, false]);
    expect(bo.body).toMatchObject({ partial: true, restricted_contributions: 1, coverage: { reasons: ['forbidden'] } });
    expect(bo.headers.get('x-partial')).toBe('true');
  });

  test('work for other owners is not in it', async () => {
    put('ann/dotfiles', { number: 1, author: anActor('ana'), createdAt: at(1) });
    const { body } = await profile('ana');
    expect(body.repos_contributed).toEqual(['octo/api', 'octo/web']);
    expect((await profile('ana', { owner: 'ann' })).body).toMatchObject({
      prs_opened: 1,
      repos_contributed: ['ann/dotfiles'],
      languages: [],
      total_commits_90d: 0,
    });
  });
});

describe('what it costs', () => {
  test('five questions when nothing is known, none within a quarter of an hour, four after it', async () => {
    expect((await profile('ana')).operations).toHaveLength(5);
    visit.service.clock.advance(15 * 60_000 - 1);
    expect((await profile('ANA', { owner: 'Octo' })).operations).toEqual([]);
    visit.service.clock.advance(1);
    expect((await profile('ana')).operations.sort()).toEqual(['CommitsOfAuthor', 'Contributions', 'Search', 'Search']);
  });
});

describe('its opened numbers', () => {
  const explained = (metric: string, login = 'ana') =>
    asking(visit.service, `/api/explain?metric=${metric}&owner=octo&login=${encodeURIComponent(login)}`);

  test('have the value of the profile and name what counted and what did not', async () => {
    const { body } = await profile('ana');
    const median = (await explained('person_median_hours_to_merge')).body;
    expect([median.value, median.sample, median.unit]).toEqual([body.median_hours_to_merge, 7, 'hours']);
    expect(median.counted[0]).toMatchObject({ label: 'octo/web#2 Pull request 2', value: 4, note: 'ana' });
    expect(median.left_out).toMatchObject([{ reason: 'not merged', count: 1 }]);
    expect((await explained('person_avg_hours_to_merge')).body.value).toBe(body.avg_hours_to_merge);
    const rate = (await explained('pr_merge_rate', 'bob')).body;
    expect([rate.value, rate.sample]).toEqual([0, 1]);
    expect(rate.left_out.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
      'by somebody else',
      'still open',
    ]);
  });

  test('of hours name each commit by its hour in the team zone', async () => {
    const { body } = await explained('after_hours_pct', 'nox');
    expect([body.value, body.sample, body.counted.length]).toEqual([50, 4, 4]);
    expect(body.counted[0].note).toBe('written between 10:00 and 10:59, Asia/Saigon');
    expect(body.counted[0].label).toMatch(/^octo\/web@[0-9a-f]{7}$/);
    expect((await explained('after_hours_pct', 'dependabot[bot]')).body).toMatchObject({ value: null, sample: 0 });
  });

  test('need to know whose', async () => {
    expectFields(await asking(visit.service, '/api/explain?metric=pr_merge_rate&owner=octo'), ['login', 'missing']);
  });
});

aDatabase((database) => {
  test('linked accounts are one person under either name, and cost four questions each', async () => {
    const service = await serviceOn(await database.address(), {
      'ana-old': 'ana',
      'Ana Maria': 'ana',
      gone2: 'ana',
      bo: 'ana',
    });
    service.double.putPullRequest('octo/api', {
      number: 900,
      author: anActor('ana-old'),
      createdAt: at(7),
      mergedAt: at(6),
      mergedBy: anActor('ana'),
      reviews: [{ reviewer: anActor('ana'), state: 'approved', submittedAt: at(6) - hour }],
    });
    service.double.addCommit('octo/api', commit('ana-old', at(8)));
    const { body, operations } = await asking(service, pathOf('ana'));
    // Her review of her own pull request 2, under the older account, is none, and so is the one of 900.
    expect(body).toMatchObject({
      login: 'ana',
      linked_logins: ['ana-old'],
      prs_opened: 9,
      prs_merged: 8,
      reviews_given: 0,
      funnel: { opened: 9, reviewed: 4, approved: 4, merged: 8 },
      total_commits_90d: 25,
      fetched_requests: 12,
      total_requests_attempted: 12,
      partial: false,
    });
    // The organization once, four for each account (three for one without repositories), three for none called `gone2`.
    expect(operations).toHaveLength(1 + 4 + 4 + 3 + 3);
    // Under the other name everything is known; only the account that is not there is looked for again.
    const again = await asking(service, pathOf('Ana-Old'));
    expect([again.body.prs_opened, again.operations]).toEqual([9, ['Contributions']]);
    expect(service.double.violations).toEqual([]);
    await service.close();
  });
});
