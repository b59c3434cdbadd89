import { describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { anActor, type PullRequestParts } from '../../codehost-double/delivery-builders.ts';
import type { Service } from '../../support/service.ts';
import { asking, day, hour } from '../workload/workload-world.ts';

interface Row {
  login: string;
}

const minute = 60_000;
const path = (repo: string, days?: number) =>
  `/api/codehost/repo-contributors?owner=octo&repo=${repo}${days ? `&days=${days}` : ''}`;
const rowOf = ({ contributors }: { contributors: Row[] }, name: string) =>
  contributors.find(({ login }) => login === name);

describe('contributors', () => {
  const visit = freshService();
  const now = () => visit.service.clock.now();
  const ask = (query: string) => asking(visit.service, query);
  const put = (number: number, parts: Partial<PullRequestParts> = {}) =>
    visit.service.double.putPullRequest('octo/secret', { number, ...parts });
  const merged = (number: number, author: string, daysAgo: number, hours: number, reviewers: string[] = []) => {
    const createdAt = now() - daysAgo * day;
    const reviews = reviewers.map((login, index) => ({
      reviewer: anActor(login),
      state: 'approved' as const,
      submittedAt: createdAt + (index + 1) * minute,
    }));
    put(number, { author: anActor(author), createdAt, mergedAt: createdAt + hours * hour, reviews });
  };

  describe('what is missing is said:', () => {
    test('a pull request with more reviews than are read', async () => {
      const { body, headers } = await ask(path('api', 30));
      expect(body).toMatchObject({
        partial: true,
        coverage: { complete: false, reasons: ['upstream_truncated'], reviews_truncated_prs: 1 },
      });
      expect(headers.get('x-partial')).toBe('true');
    });

    const halfRead = (days: number) => {
      visit.service.double.addPullRequests('octo/secret', 1050, { from: now() - 85 * day, to: now() - day });
      // The count, the whole window, and the pages of its newer half.
      visit.service.double.fault({ path: '/graphql', after: 14, times: 50 }, { kind: 'status', status: 502 });
      return ask(path('secret', days));
    };

    test('the older half of a long list', async () => {
      const { body } = await halfRead(90);
      expect(body).toMatchObject({
        partial: true,
        prs_opened_in_window: 1050,
        total_prs_attempted: 1050,
        coverage: { complete: false, expected: 1050, cap: null, reasons: ['sub_fetch_failed'] },
      });
      expect(body.coverage.read).toBe(body.prs_merged_total);
      expect(body.prs_merged_total).toBeGreaterThan(400);
      expect(body.prs_merged_total).toBeLessThan(700);
    });

    test('how many there are, where not all of the newest were read', async () => {
      visit.service.double.addPullRequests('octo/secret', 1050, { from: now() - 85 * day, to: now() - day });
      visit.service.double.fault({ path: '/graphql', after: 1, times: 50 }, { kind: 'status', status: 502 });
      const { body } = await ask(path('secret', undefined));
      expect(body).toMatchObject({ partial: true, total_prs_attempted: null, coverage: { expected: null } });
      expect(body.fetched_prs).toBeGreaterThan(0);
    });

    test('but not where nothing of the window is missing', async () => {
      const { body } = await halfRead(30);
      expect(body).toMatchObject({ partial: false, coverage: { complete: true, reasons: [] } });
      expect(body.prs_merged_total).toBeGreaterThan(300);
      expect(body.prs_merged_total).toBe(body.total_prs_attempted);
    });

    test('who opened what is still open, when the platform does not count', async () => {
      await ask('/api/codehost/repo-dora?owner=octo&repo=web');
      visit.service.double.fault({ path: '/graphql', times: 100 }, { kind: 'status', status: 502 });
      const { status, body } = await ask(path('web', 30));
      expect(status).toBe(200);
      expect(body).toMatchObject({
        prs_merged_total: 4,
        prs_opened_in_window: null,
        partial: true,
        coverage: { reasons: ['sub_fetch_failed'] },
      });
      expect(rowOf(body, 'ana')).toMatchObject({ prs_merged: 2, prs_opened: null });
    });
  });

  describe('in trouble', () => {
    const fail = (fault: Parameters<Service['double']['fault']>[1]) =>
      visit.service.double.fault({ path: '/graphql', times: 100 }, fault);

    test.each([30, undefined])('days=%s: errors of the platform keep their meaning', async (days) => {
      fail({ kind: 'graphql_error', type: 'FORBIDDEN' });
      expectProblem(await ask(path('web', days)), 403, 'upstream_forbidden');
    });

    test.each([30, undefined])('days=%s: a spent budget is 429', async (days) => {
      fail({ kind: 'graphql_error', type: 'RATE_LIMITED' });
      expect((await ask(path('web', days))).status).toBe(429);
    });

    test.each([30, undefined])('days=%s: an outage is 502 for who comes first', async (days) => {
      fail({ kind: 'status', status: 502 });
      expectProblem(await ask(path('web', days)), 502, 'upstream_unavailable');
    });

    test('an outage later shows what was read, and says how old it is', async () => {
      const before = await ask(path('web', 30));
      visit.service.clock.advance(2 * hour);
      fail({ kind: 'status', status: 502 });
      const later = await ask(path('web', 30));
      expect([later.status, later.headers.get('x-stale')]).toEqual([200, 'true']);
      expect(later.headers.get('x-data-as-of')).toBe(before.body.generated_at);
      expect(later.body.contributors).toEqual(before.body.contributors);
    });
  });

  describe('which repository', () => {
    test('what the token cannot see is not there, whatever is stored', async () => {
      merged(1, 'ana', 3, 2);
      expect((await ask(path('secret', 30))).status).toBe(200);
      for (const query of [path('secret', 30), path('secret'), path('nowhere', 30)])
        expectProblem(await asking(visit.service, query, 'token-bo'), 404, 'not_found');
    });

    test('an empty one has nobody, and unknown is not zero', async () => {
      for (const days of [30, undefined]) {
        const { status, body } = await ask(path('empty', days));
        expect(status).toBe(200);
        expect(body).toMatchObject({
          contributors: [],
          prs_merged_total: 0,
          median_hours_to_merge: null,
          bus_factor: null,
          partial: false,
          reviewed_before_merge_pct: null,
          self_merged_pct: null,
          first_pass_approval_rate: null,
        });
      }
    });

    test('a renamed one is found under its former name', async () => {
      visit.service.double.putPullRequest('octo/renamed-now', { number: 1, createdAt: now() - day });
      const { status, body, headers } = await ask(path('before', 90));
      expect([status, headers.get('x-canonical-repo')]).toEqual([200, 'octo/renamed-now']);
      expect(body.prs_opened_in_window).toBe(1);
    });

    test('other windows are rejected', async () => {
      expectFields(await ask(path('web', 60)), ['days', 'invalid']);
      expectFields(await ask('/api/codehost/repo-contributors?owner=octo'), ['repo', 'missing']);
    });
  });

  test('as a table it has the contributors', async () => {
    const { text } = await ask(`${path('web', 30)}&format=csv`);
    expect(text.split('\r\n')[0]).toContain('login,avatar_url,is_bot,linked_logins,prs_merged,prs_opened');
    expect(text).toContain('dependabot');
  });

  describe('opened up', () => {
    const keys = ['median_hours_to_merge', 'reviewed_before_merge', 'self_merged', 'first_pass_approval_rate'] as const;
    const fields = { reviewed_before_merge: 'reviewed_before_merge_pct', self_merged: 'self_merged_pct' };

    test.each(keys.flatMap((key) => [[key, 30] as const, [key, undefined] as const]))(
      '%s with days=%s is the number of the answer',
      async (key, days) => {
        merged(1, 'ana', 3, 2, ['bob']);
        merged(2, 'ana', 4, 8, ['ana', 'cy']);
        merged(3, 'bob', 5, 4);
        merged(4, 'dependabot[bot]', 6, 1);
        put(5, { author: anActor('cy'), createdAt: now() - 3 * day, closedAt: now() - day });
        const answer = await ask(path('secret', days));
        const { body } = await ask(`/api/explain${path('secret', days).replace(/.*\?/, '?')}&metric=${key}`);
        expect(body.value).toBe(answer.body[key in fields ? fields[key as keyof typeof fields] : key]);
        expect(body.sample).toBe(body.counted.length);
        const excluded = body.left_out as { count: number }[];
        expect(body.sample + excluded.reduce((total, { count }) => total + count, 0)).toBe(5);
        expect(body.window === null).toBe(days === undefined);
      },
    );
  });
});
