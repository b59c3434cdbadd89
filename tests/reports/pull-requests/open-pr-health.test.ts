import { describe, expect, test } from 'vitest';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { openPart } from '../../../server/reports/pull-requests/report.ts';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { anActor, type PullRequestParts } from '../../codehost-double/delivery-builders.ts';
import { day, hour } from '../workload/workload-world.ts';

const visit = freshService();
const path = (repo: string) => `/api/codehost/open-pr-health?owner=octo&repo=${repo}`;
const ask = (repo: string, as = 'token-ann') => visit.service.ask('GET', path(repo), { as });
const now = () => visit.service.clock.now();
const put = (parts: PullRequestParts) => visit.service.double.putPullRequest('octo/secret', parts);
const by = (login: string, state: 'approved' | 'changes_requested' | 'commented', daysAgo: number) => ({
  reviewer: anActor(login),
  state,
  submittedAt: now() - daysAgo * day,
});

interface Item {
  number: number;
  waiting_on: string;
  waiting_since: string | null;
}
const ago = (days: number) => new Date(now() - days * day).toISOString();
const waits = (items: Item[]) => items.map((one) => [one.number, one.waiting_on, one.waiting_since]);

describe('open pull requests', () => {
  test('are listed oldest first, each with everything the contract names', async () => {
    const { status, body } = await ask('web');
    expect(status).toBe(200);
    expect(body.open_prs.map(({ number }: Item) => number)).toEqual([21, 22, 23]);
    expect(body.open_prs[0]).toEqual({
      number: 21,
      title: 'Waits for a reviewer',
      author: 'bob',
      is_bot: false,
      draft: false,
      author_avatar: 'https://avatars.codehost.example/bob',
      html_url: expect.stringMatching(/\/octo\/web\/pull\/21$/),
      created_at: ago(6),
      age_hours: 144,
      ready_at: ago(6),
      ready_age_hours: 144,
      last_activity_at: new Date(now() - 6 * day + 60_000).toISOString(),
      has_review: false,
      review_rounds: 0,
      awaiting_review: true,
      waiting_on: 'reviewer',
      waiting_since: ago(6),
      review_decision: 'review_required',
      requested_reviewers: ['bo'],
      review_requests: [{ login: 'bo', requested_at: new Date(now() - 6 * day + 60_000).toISOString() }],
      requested_teams: ['keepers'],
      additions: 10,
      deletions: 2,
      mergeable: 'mergeable',
    });
    expect(waits(body.open_prs)).toEqual([
      [21, 'reviewer', ago(6)],
      [22, 'author', ago(2)],
      [23, 'merge', ago(1 - 3 / 24)],
    ]);
    expect(body).toMatchObject({
      total_open: 3,
      awaiting_review_count: 1,
      stale_count: 1,
      fetched_prs: 3,
      total_prs_attempted: 3,
      partial: false,
      data_source: 'live',
      generated_at: ago(0),
      benchmark_window_days: 90,
      coverage: { complete: true, expected: 7, read: 7, cap: null, reasons: [] },
    });
  });

  test('a draft waits for nobody; a push or a request after the review gives the turn back to the reviewer', async () => {
    const { body } = await ask('api');
    expect(waits(body.open_prs)).toEqual([
      [36, 'reviewer', ago(40)],
      [31, 'nobody', null],
      [32, 'nobody', null],
      [33, 'reviewer', ago(7)],
      [34, 'reviewer', ago(5)],
      [35, 'reviewer', ago(1)],
    ]);
    expect(body.open_prs[2]).toMatchObject({ ready_at: ago(11), age_hours: 288, ready_age_hours: 264, draft: true });
    expect(body.stale_count).toBe(1);
  });

  test('own replies and bots are no reviews and make no rounds', async () => {
    put({
      number: 1,
      author: anActor('cy'),
      createdAt: now() - 9 * day,
      reviews: [by('cy', 'commented', 8), by('helper[bot]', 'commented', 7)],
    });
    const [one] = (await ask('secret')).body.open_prs;
    expect(one).toMatchObject({ has_review: false, review_rounds: 0, waiting_on: 'reviewer', waiting_since: ago(9) });
  });

  test('nobody knows how many wait or are stale where one of them could not be read, which is said', async () => {
    visit.service.double.putPullRequest('octo/web', { number: 24, additions: -1 });
    const some = await ask('web');
    expect(some.body).toMatchObject({ fetched_prs: 3, total_open: 4, partial: true });
    expect(some.headers.get('x-partial-reason')).toBe('1 open pull request excluded: additions could not be read');
    expect([some.body.awaiting_review_count, some.body.stale_count]).toEqual([null, null]);
  });

  test('where not all were read, and their count was not, nobody knows how many are open', () => {
    const read = { items: [], totalCount: null, stale: false, asOf: now() };
    const people = createPeople();
    expect(openPart({ ...read, partial: true }, { people, bots: undefined })).toMatchObject({
      totalOpen: null,
      totalPrsAttempted: null,
      awaitingReviewCount: null,
      staleCount: null,
    });
    expect(openPart({ ...read, partial: false }, { people, bots: undefined })).toMatchObject({
      totalOpen: 0,
      staleCount: 0,
    });
  });

  test('of pull requests that are there, none is listed where none could be read', async () => {
    const failing = { kind: 'failing_field', field: 'PullRequest.number', type: 'FORBIDDEN' } as const;
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', times: 500 }, failing);
    expect(await ask('api')).toMatchObject({ status: 403, body: { code: 'upstream_forbidden' } });
  });

  test('two reviews of one commit are one round', async () => {
    put({
      number: 1,
      author: anActor('cy'),
      createdAt: now() - 9 * day,
      reviews: [by('bob', 'commented', 8), by('dee', 'changes_requested', 7)],
    });
    expect((await ask('secret')).body.open_prs[0]).toMatchObject({ review_rounds: 1, waiting_on: 'author' });
  });

  test('a deleted account is a ghost and no person', async () => {
    put({ number: 1, author: null });
    const { body } = await ask('secret');
    expect(body.open_prs[0]).toMatchObject({ author: 'ghost', author_avatar: '', is_bot: false });
    expect(body.concurrent_prs_by_author).toEqual([]);
  });

  test('ages have bounds of 1, 3, 7 and 14 days, the lower one included; drafts are excluded', async () => {
    for (const [index, hours] of [23.9, 24, 71.9, 72, 167.9, 168, 335.9, 336].entries())
      put({ number: index + 1, createdAt: now() - hours * hour });
    put({ number: 20, createdAt: now() - hour, isDraft: true });
    const { body } = await ask('secret');
    expect(body.age_distribution).toEqual([
      { bucket: '< 1 day', count: 1 },
      { bucket: '1-3 days', count: 2 },
      { bucket: '3-7 days', count: 2 },
      { bucket: '1-2 weeks', count: 2 },
      { bucket: '2+ weeks', count: 1 },
    ]);
    expect(body.concurrent_prs_by_author).toEqual([{ login: 'ann', is_bot: false, count: 9, drafts: 1 }]);
  });

  test('beyond 300 the oldest are listed, and the total is exact all the same', async () => {
    for (let number = 1; number <= 310; number++) put({ number, createdAt: now() - number * hour });
    const { body, headers } = await ask('secret');
    expect([body.open_prs.length, body.open_prs[0].number, body.open_prs.at(-1).number]).toEqual([300, 310, 11]);
    expect(body).toMatchObject({ total_open: 310, fetched_prs: 300, total_prs_attempted: 300, partial: true });
    expect(body.coverage).toEqual({ complete: false, expected: 310, read: 300, cap: 300, reasons: ['page_cap'] });
    expect(headers.get('x-partial')).toBe('true');
  });
});

describe('what the open ones are held against', () => {
  test('first review, approval to merge, rounds and closings of 90 days, with their samples', async () => {
    expect((await ask('web')).body).toMatchObject({
      closed_prs_analysed: 4,
      abandon_rate: 0,
      abandon_rate_sample: 3,
      time_to_first_review_p50_hours: 1,
      time_to_first_review_p90_hours: 1.8,
      time_to_first_review_sample: 3,
      time_approval_to_merge_p50_hours: 1.8,
      time_approval_to_merge_p90_hours: 2.8,
      time_approval_to_merge_sample: 2,
      review_round_distribution: [
        { rounds: '0', count: 1 },
        { rounds: '1', count: 2 },
        { rounds: '2', count: 1 },
        { rounds: '3+', count: 0 },
      ],
    });
  });

  test('the last 30 days are compared with the previous 30 where both have enough, and told only where they differ', async () => {
    const putEach = (daysAgo: number, hours: number, merged = true) => {
      for (let index = 0; index < 12; index++) {
        const end = now() - daysAgo * day - index * day;
        put({
          number: daysAgo * 100 + index,
          author: anActor('cy'),
          createdAt: end - (hours + 2) * hour,
          mergedAt: merged ? end : null,
          closedAt: end,
          state: merged ? 'merged' : 'closed',
          reviews: [by('bob', 'approved', (now() - end) / day + 2 / 24)],
        });
      }
    };
    putEach(1, 20);
    putEach(40, 3);
    const { body } = await ask('secret');
    expect(body.first_review_change).toMatchObject({ value: 20, value_before: 3, verdict: 'higher' });
    expect(body.first_review_change).toMatchObject({ sample: 12, sample_before: 12 });
    expect(body.approval_to_merge_change).toMatchObject({ value: 2, value_before: 2, verdict: 'no_difference_shown' });
    expect(body.abandon_rate_change).toMatchObject({ value: 0, value_before: 0, verdict: 'no_difference_shown' });
    expect(body.review_weeks).toHaveLength(13);
    const weeks: { first_review_p50_hours: number | null }[] = body.review_weeks;
    expect(weeks.flatMap((week) => week.first_review_p50_hours ?? [])).toEqual(expect.arrayContaining([3, 20]));
    expect((await ask('web')).body).toMatchObject({ first_review_change: null, abandon_rate_change: null });
  });

  test('closings by bots raise no abandon rate', async () => {
    const { body } = await ask('api');
    expect(body).toMatchObject({ closed_prs_analysed: 8, abandon_rate: 14, abandon_rate_sample: 7 });
  });

  test('the clock of the first review does not run during drafting', async () => {
    put({
      number: 1,
      author: anActor('cy'),
      createdAt: now() - 9 * day,
      mergedAt: now() - day,
      reviews: [by('bob', 'approved', 1 + 2 / 24)],
      clock: [{ kind: 'ready_for_review', at: now() - day - 5 * hour, login: null }],
    });
    expect((await ask('secret')).body).toMatchObject({
      time_to_first_review_p50_hours: 3,
      time_approval_to_merge_p50_hours: 2,
    });
  });

  test('approval to merge begins with the last approval', async () => {
    put({
      number: 1,
      author: anActor('cy'),
      createdAt: now() - 9 * day,
      mergedAt: now() - day,
      reviews: [by('bob', 'approved', 8), by('bob', 'approved', 1 + 1 / 24)],
    });
    expect((await ask('secret')).body.time_approval_to_merge_p50_hours).toBe(1);
  });

  test('what ended before the 90 days is no part of it; of nothing nothing is said', async () => {
    put({ number: 1, createdAt: now() - 99 * day, mergedAt: now() - 91 * day, reviews: [by('bob', 'approved', 92)] });
    expect((await ask('secret')).body).toMatchObject({
      closed_prs_analysed: 0,
      abandon_rate: null,
      abandon_rate_sample: 0,
      time_to_first_review_p50_hours: null,
      time_to_first_review_p90_hours: null,
      time_approval_to_merge_p50_hours: null,
      time_approval_to_merge_p90_hours: null,
    });
  });

  test('a review of which only the beginning was read makes the answer partial', async () => {
    const { body } = await ask('api');
    expect(body).toMatchObject({ partial: true, coverage: { complete: false, cap: null, reasons: ['page_cap'] } });
  });
});

describe('who may ask, and what it costs', () => {
  test('whoever may not see the repository is not shown anything of it, whatever was read for others', async () => {
    await ask('secret');
    expectProblem(await ask('secret', 'token-bo'), 404, 'not_found');
    expectProblem(await ask('nowhere'), 404, 'not_found');
  });

  test.each([
    [{ kind: 'graphql_error', type: 'FORBIDDEN' } as const, 403, 'upstream_forbidden'],
    [{ kind: 'primary_limit' } as const, 429, 'upstream_rate_limited'],
    [{ kind: 'status', status: 500 } as const, 502, 'upstream_unavailable'],
  ])('%o is reported', async (fault, status, code) => {
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', times: 60 }, fault);
    expectProblem(await ask('web'), status, code);
  });

  test('during an outage the last answer is shown with its age', async () => {
    const first = await ask('web');
    visit.service.clock.advance(6 * 60_000);
    visit.service.double.fault({ path: '/graphql', times: 60 }, { kind: 'status', status: 502 });
    const later = await ask('web');
    expect([later.status, later.headers.get('x-stale')]).toEqual([200, 'true']);
    expect(later.body).toEqual(first.body);
    expect(later.headers.get('x-data-as-of')).toBe(first.body.generated_at);
  });

  test('an empty repository has none, and a renamed one answers by its new name', async () => {
    expect((await ask('empty')).body).toMatchObject({
      open_prs: [],
      total_open: 0,
      partial: false,
      abandon_rate: null,
    });
    expect((await ask('before')).headers.get('x-canonical-repo')).toBe('octo/renamed-now');
  });

  test('a table of the open ones can be had', async () => {
    const { text } = await ask('web').then(() =>
      visit.service.ask('GET', `${path('web')}&format=csv`, { as: 'token-ann' }),
    );
    const [head, ...rows] = text.trim().split(/\r?\n/);
    expect(head?.split(',').slice(0, 2)).toEqual(['number', 'title']);
    expect(rows).toHaveLength(3);
  });

  test('each benchmark opens what it is made of', async () => {
    const { body } = await ask('web');
    for (const key of Object.keys(body).filter((one) => /^time_.*_hours$|^abandon_rate$/.test(one))) {
      const explained = await visit.service.ask('GET', `/api/explain?metric=${key}&owner=octo&repo=web`, {
        as: 'token-ann',
      });
      expect([key, explained.body.value]).toEqual([key, body[key]]);
      expect(explained.body.counted).toHaveLength(explained.body.sample);
      expect(explained.body.counted[0].label).toMatch(/^#\d+ \S/);
      expect(explained.body.left_out.map(({ reason }: { reason: string }) => reason)).toContain('by a bot');
    }
  });
});
