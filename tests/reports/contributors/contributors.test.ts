import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshService } from '../../api/endpoints.ts';
import { anActor, type PullRequestParts } from '../../codehost-double/delivery-builders.ts';
import { aDatabase } from '../../support/a-database.ts';
import type { Service } from '../../support/service.ts';
import { asking, day, hour, serviceOn } from '../workload/workload-world.ts';

interface Row {
  login: string;
  prs_merged: number;
  prs_opened: number;
  reviews_given: number;
}
interface Pair {
  author: string;
  reviewer: string;
  count: number;
}

const minute = 60_000;
const path = (repo: string, days?: number) =>
  `/api/codehost/repo-contributors?owner=octo&repo=${repo}${days ? `&days=${days}` : ''}`;
const rowOf = ({ contributors }: { contributors: Row[] }, name: string) =>
  contributors.find(({ login }) => login === name);
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

aDatabase((database) => {
  describe('a window with links', () => {
    let service: Service;
    beforeAll(async () => {
      service = await serviceOn(await database.address(), { 'ana-old': 'ana' });
    });
    afterAll(() => service.close());

    test('counts people once, and says what nobody looked at', async () => {
      const { status, body, headers } = await service.ask('GET', path('web', 30), { as: 'token-ann' });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        window_days: 30,
        prs_merged_total: 4,
        prs_human_reviewed: 2,
        prs_no_human_review: 2,
        prs_self_merged: 1,
        prs_merged_by_people: 3,
        prs_self_merged_including_bots: 1,
        median_hours_to_merge_including_bots: 3,
        bot_reviews: 1,
        bot_prs: { merged: 1, no_human_review: 1 },
        median_hours_to_merge: 4,
        bus_factor: 1,
        prs_opened_in_window: 7,
        fetched_prs: 4,
        total_prs_analysed: 4,
        total_prs_attempted: 4,
        period_days: 4,
        reviewed_before_merge_pct: 50,
        self_merged_pct: 33,
        first_pass_approval_rate: 0,
        review_pairs: [
          { author: 'ana', reviewer: 'bob', count: 1 },
          { author: 'ghost', reviewer: 'cy', count: 1 },
        ],
        review_load: { overloaded: ['bob', 'cy'], sole_reviewer: [] },
        partial: false,
        coverage: {
          complete: true,
          expected: 4,
          read: 4,
          cap: null,
          reasons: [],
          reviews_truncated_prs: 0,
          search_slices: null,
        },
        generated_at: '2026-11-16T10:00:00.000Z',
        data_source: 'mixed',
      });
      expect(body.reviewer_matrix).toEqual(body.review_pairs);
      expect(headers.get('x-partial')).toBe('false');
    });

    test('has a row for each who merged or reviewed, most merged first, and none for a deleted account', async () => {
      const { body } = await service.ask('GET', path('web', 30), { as: 'token-ann' });
      expect(body.contributors.map(({ login }: Row) => login)).toEqual(['ana', 'dependabot', 'bob', 'cy']);
      expect(rowOf(body, 'ana')).toEqual({
        login: 'ana',
        avatar_url: 'https://avatars.codehost.example/ana',
        is_bot: false,
        linked_logins: ['ana-old'],
        prs_merged: 2,
        prs_opened: 3,
        reviewed_prs: 1,
        first_pass_approved_prs: 0,
        first_pass_approval_rate: 0,
        avg_hours_to_merge: 3,
        median_hours_to_merge: 3,
        avg_pr_size: 47,
        self_merge_count: 1,
        reviews_given: 0,
        review_events: 0,
        comment_count: 0,
        avg_review_turnaround_hours: null,
      });
      expect(rowOf(body, 'bob')).toMatchObject({
        prs_merged: 0,
        prs_opened: 1,
        reviews_given: 1,
        review_events: 2,
        comment_count: 3,
        avg_review_turnaround_hours: 0.5,
        avg_hours_to_merge: null,
        avg_pr_size: null,
      });
      expect(rowOf(body, 'dependabot')).toMatchObject({ is_bot: true, prs_merged: 1, first_pass_approval_rate: null });
    });

    test('links count among the last closed ones too', async () => {
      const { body } = await service.ask('GET', path('web'), { as: 'token-ann' });
      expect(body).toMatchObject({
        window_days: null,
        prs_opened_in_window: null,
        prs_self_merged: 1,
        fetched_prs: 4,
        period_days: 4,
      });
      expect(rowOf(body, 'ana')).toMatchObject({ linked_logins: ['ana-old'], prs_opened: 2, reviews_given: 0 });
    });

    test('who comes later asks for what changed, and reads the same', async () => {
      const before = await asking(service, path('web', 90));
      expect(before.operations).toEqual(['PullRequestWindow']);
      expect(before.body.data_source).toBe('mixed');
      service.clock.advance(31 * minute);
      const later = await asking(service, path('web', 90));
      expect(later.operations.filter((one) => one !== 'repos/get').sort()).toEqual(['Changes', 'PullRequestWindow']);
      expect(later.body).toEqual({ ...before.body, generated_at: '2026-11-16T10:31:00.000Z' });
    });
  });
});

describe('without a database', () => {
  const visit = freshService();
  const now = () => visit.service.clock.now();
  const ask = (query: string) => asking(visit.service, query);
  const put = (number: number, parts: Partial<PullRequestParts> = {}) =>
    visit.service.double.putPullRequest('octo/secret', { number, ...parts });
  const review = (login: string, at: number, state: 'approved' | 'commented' = 'approved') => ({
    reviewer: anActor(login),
    state,
    submittedAt: at,
  });
  const merged = (number: number, author: string, daysAgo: number, hours: number, reviewers: string[] = []) => {
    const createdAt = now() - daysAgo * day;
    const reviews = reviewers.map((login, index) => review(login, createdAt + (index + 1) * minute));
    put(number, { author: anActor(author), createdAt, mergedAt: createdAt + hours * hour, reviews });
  };

  describe('what it costs', () => {
    test('a window: the proof, one page, one count; the other window only its count; again nothing', async () => {
      expect((await ask(path('web', 30))).operations.sort()).toEqual(['PullRequestWindow', 'Search', 'repos/get']);
      expect((await ask(path('web', 90))).operations).toEqual(['PullRequestWindow']);
      expect((await ask(path('web', 30))).operations).toEqual([]);
    });

    test('the last closed ones: nothing where they are stored, else a page or two', async () => {
      visit.service.double.addPullRequests('octo/secret', 70, { from: now() - 40 * day, to: now() - day });
      const first = await ask(path('secret'));
      expect(first.operations.filter((one) => one !== 'repos/get')).toEqual([
        'ClosedPullRequests',
        'ClosedPullRequests',
      ]);
      await ask(path('secret', 90));
      visit.service.clock.advance(4 * minute);
      const stored = await ask(path('secret'));
      expect(stored.operations).toEqual([]);
      expect(stored.body.contributors).toEqual(first.body.contributors);
      expect(stored.body).toMatchObject({ fetched_prs: 60, total_prs_attempted: 60, partial: false });
    });

    test('the last closed ones, where they were stored while the clock was ahead: a page or two', async () => {
      visit.service.double.addPullRequests('octo/secret', 70, { from: now() - 40 * day, to: now() - day });
      await ask(path('secret', 90));
      visit.service.clock.advance(-hour);
      expect((await ask(path('secret'))).operations).toContain('ClosedPullRequests');
    });
  });

  describe('the last closed ones', () => {
    test('are the last by closing: a label on an old one does not pull it in', async () => {
      visit.service.double.addPullRequests('octo/secret', 60, { from: now() - 30 * day, to: now() - day });
      put(900, { author: anActor('eve'), createdAt: now() - 200 * day, mergedAt: now() - 199 * day, updatedAt: now() });
      const { body } = await ask(path('secret'));
      expect([body.fetched_prs, rowOf(body, 'eve')]).toEqual([60, undefined]);
    });

    test('count closed ones as opened, merged ones as merged', async () => {
      merged(1, 'ana', 3, 2);
      put(2, { author: anActor('ana'), createdAt: now() - 3 * day, closedAt: now() - day });
      put(3, { author: anActor('ana'), createdAt: now() - day });
      const { body } = await ask(path('secret'));
      expect(body).toMatchObject({ fetched_prs: 2, total_prs_analysed: 1, total_prs_attempted: 2 });
      expect(rowOf(body, 'ana')).toMatchObject({ prs_opened: 2, prs_merged: 1 });
    });
  });

  describe('a reader is not misled when', () => {
    test('a pull request is big, and its author merges it', async () => {
      put(1, { author: anActor('ana'), additions: 900, deletions: 100, mergedAt: now() - hour });
      const { body } = await ask(path('secret', 30));
      expect(rowOf(body, 'ana')).toMatchObject({ avg_pr_size: 1000, self_merge_count: 1 });
    });

    test('somebody reviewed the older ones only', async () => {
      for (let number = 1; number <= 60; number++) merged(number, 'ana', number / 3, 1, [number > 40 ? 'old' : 'new']);
      const { body } = await ask(path('secret'));
      expect(rowOf(body, 'old')).toMatchObject({ reviews_given: 20 });
      expect(body.total_prs_analysed).toBe(60);
    });

    test('a bot approves, and a person talks a lot in one pull request', async () => {
      merged(1, 'ana', 3, 5, ['helper[bot]', 'bob', 'bob', 'bob']);
      merged(2, 'ana', 2, 5, ['helper[bot]']);
      const { body } = await ask(path('secret', 30));
      expect(body).toMatchObject({ prs_human_reviewed: 1, bot_reviews: 2 });
      expect(body.review_pairs).toEqual([{ author: 'ana', reviewer: 'bob', count: 1 }]);
      expect(rowOf(body, 'bob')).toMatchObject({ reviews_given: 1, review_events: 3 });
    });

    test('one pull request was stuck for a month', async () => {
      for (const [number, hours] of [1, 2, 3, 700].entries()) merged(number + 1, 'ana', 30, hours);
      const { body } = await ask(path('secret', 90));
      expect(rowOf(body, 'ana')).toMatchObject({ avg_hours_to_merge: 176.5, median_hours_to_merge: 2.5 });
      expect(body.median_hours_to_merge).toBe(2.5);
    });

    test('a pull request ended between two readings', async () => {
      await ask('/api/codehost/repo-dora?owner=octo&repo=web');
      visit.service.clock.advance(5 * minute);
      visit.service.double.mergePullRequest('octo/web', 23, { at: now() - minute });
      const { body } = await ask(path('web', 30));
      expect(body).toMatchObject({ prs_opened_in_window: 7, prs_merged_total: 5, partial: false });
      expect(rowOf(body, 'ana')).toMatchObject({ prs_opened: 3, prs_merged: 3 });
    });
  });
});

aDatabase((database) => {
  describe.each([1, 2])('in random world %d', (seed) => {
    let service: Service;
    const links = { 'ana-old': 'ana', 'ben-2': 'ben' };
    const main = (login: string) => (links as Record<string, string>)[login] ?? login;
    let parts: PullRequestParts[] = [];
    beforeAll(async () => {
      service = await serviceOn(await database.address(), links);
      parts = randomPullRequests(seed, service.clock.now());
      for (const one of parts) service.double.putPullRequest('octo/secret', one);
    });
    afterAll(() => service.close());

    test.each([30, 90])('the parts of %d days add up', async (days) => {
      const { body } = await service.ask('GET', path('secret', days), { as: 'token-ann' });
      const inWindow = ({ mergedAt }: PullRequestParts) => (mergedAt ?? 0) >= service.clock.now() - days * day;
      const ghosts = parts.filter((one) => inWindow(one) && one.author === null).length;
      expect(body.prs_merged_total).toBe(parts.filter(inWindow).length);
      expect(sum(body.contributors.map((row: Row) => row.prs_merged)) + ghosts).toBe(body.prs_merged_total);
      expect(body.prs_human_reviewed + body.prs_no_human_review).toBe(body.prs_merged_total);
      for (const { login, reviews_given } of body.contributors as Row[])
        expect(sum(body.review_pairs.filter((one: Pair) => one.reviewer === login).map((one: Pair) => one.count))).toBe(
          reviews_given,
        );
      for (const { author, reviewer } of body.review_pairs as Pair[]) expect(main(author)).not.toBe(main(reviewer));
      expect(body.coverage.complete).toBe(true);
      expect(sum(body.contributors.map((row: Row) => row.prs_opened))).toBeLessThanOrEqual(body.prs_opened_in_window);
    });
  });
});

/** Ended and open ones of half a year, by few people, aliases, bots and deleted accounts, with reviews by anybody. */
function randomPullRequests(seed: number, now: number): PullRequestParts[] {
  let state = seed;
  const next = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * (most + 1));
  };
  const names = ['ana', 'ana-old', 'ben', 'ben-2', 'cy', 'dee', 'dependabot[bot]', 'helper[bot]'];
  const anybody = () => anActor(names[next(names.length - 1)] ?? 'ana');
  return Array.from({ length: 80 }, (_, index) => {
    const createdAt = now - (1 + next(179)) * day + next(600) * minute;
    const end = Math.min(now - minute, createdAt + next(200) * hour);
    const kind = next(9);
    return {
      number: index + 1,
      createdAt,
      author: next(9) === 0 ? null : anybody(),
      ...(kind < 7 ? { mergedAt: end, mergedBy: anybody() } : kind < 9 ? { closedAt: end } : {}),
      reviews: Array.from({ length: next(4) }, () => ({
        reviewer: next(9) === 0 ? null : anybody(),
        state: (['approved', 'commented', 'changes_requested', 'dismissed'] as const)[next(3)] ?? 'approved',
        submittedAt: createdAt + next(200) * hour,
      })),
    };
  });
}
