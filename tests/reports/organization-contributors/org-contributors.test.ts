import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { anActor } from '../../codehost-double/delivery-builders.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { aDatabase } from '../../support/a-database.ts';
import type { Service } from '../../support/service.ts';
import { anyDatabase } from '../../support/service.ts';
import { asking, day, hour, serviceOn } from '../workload/workload-world.ts';

const path = (query = 'org=octo') => `/api/codehost/org-contributors?${query}`;
const minute = 60_000;

interface Row {
  login: string;
  prs_merged: number;
  reviews_given: number;
}
interface Tracked {
  repo: string;
  prs_merged: number | null;
  included: boolean;
  reason: string | null;
}

/** Tracks repositories as a synchronization does, without reading their runs. */
async function track(service: Service, ...names: string[]) {
  for (const name of names) {
    const { facts } = repositoryOf(service.double.world, name);
    await service.app.services.store?.repositories.track(facts, 'ann', service.clock.now());
  }
}

const listSynced = ({ repositories }: { repositories: Tracked[] }) =>
  repositories.filter(({ reason }) => reason !== 'not_synced');
const mergedOf = (body: { repositories: Tracked[] }) =>
  Object.fromEntries(listSynced(body).map(({ repo, prs_merged }) => [repo, prs_merged]));
const reasonsOf = (body: { repositories: Tracked[] }) =>
  Object.fromEntries(listSynced(body).map(({ repo, reason }) => [repo, reason]));

aDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await serviceOn(await database.address(), { 'ana-old': 'ana' });
    const { double, clock } = service;
    // Web has pull requests of these numbers too.
    const createdAt = clock.now() - 2 * day;
    double.putPullRequest('octo/secret', {
      number: 1,
      author: anActor('ana-old'),
      createdAt,
      mergedAt: createdAt + 50 * hour,
      title: 'Hidden lamp',
      reviews: [{ reviewer: anActor('bob'), state: 'approved', submittedAt: createdAt + hour }],
    });
    double.putPullRequest('octo/secret', {
      number: 2,
      author: anActor('hidden-one'),
      createdAt,
      mergedAt: createdAt + hour,
    });
    for (const repo of ['web', 'api', 'secret', 'empty']) {
      const synced = await service.ask('POST', `/api/db/sync?owner=octo&repo=${repo}`, { as: 'token-ann' });
      expect(synced.status).toBe(200);
    }
  });
  afterAll(() => service.close());

  const ask = (query?: string, as = 'token-ann') => service.ask('GET', path(query), { as });

  test('a first reading asks once for each repository, later ones for nothing but what may be seen', async () => {
    const first = await asking(service, path());
    expect(first.status).toBe(200);
    expect(first.operations.filter((one) => one === 'Search')).toHaveLength(4);
    expect(first.operations.filter((one) => one !== 'Search').sort()).toEqual(['rate-limit/get', 'repos/list-for-org']);
    expect((await asking(service, path('org=octo&days=90'))).operations).toEqual([]);
    service.clock.advance(6 * minute);
    const later = await asking(service, path());
    expect(later.operations).toEqual(['repos/list-for-org']);
    expect(later.quota).toBe(0);
    expect(later.body).toEqual(first.body);
  });

  test('who comes after a day asks for what changed, once for each repository', async () => {
    service.clock.advance(day);
    service.double.mergePullRequest('octo/web', 23, { at: service.clock.now() - hour });
    const { body, operations } = await asking(service, path());
    expect(operations.filter((one) => one === 'Changes')).toHaveLength(4);
    expect(operations.filter((one) => one !== 'Changes').sort()).toEqual(['rate-limit/get', 'repos/list-for-org']);
    expect(mergedOf(body)).toEqual({ api: 6, empty: 0, secret: 2, web: 5 });
  });

  test('adds the repositories up, with their people once', async () => {
    const { body } = await ask('org=OCTO&days=30');
    expect(body).toMatchObject({
      window_days: 30,
      prs_merged_total: 13,
      prs_opened_in_window: null,
      partial: true,
      data_source: 'mixed',
      coverage: { complete: false, expected: 9, read: 4, cap: null, reasons: ['not_synced', 'upstream_truncated'] },
      before: { prs_merged_total: expect.any(Number) },
    });
    const days = body.merge_days as { merged: number | null }[];
    expect(days.reduce((sum, { merged }) => sum + (merged ?? 0), 0)).toBe(13);
    expect((await ask('org=octo&days=90')).body.before).toBeNull();
  });

  test('names every repository that the caller can see, and which of them count', async () => {
    const { repositories } = (await ask()).body as { repositories: Tracked[] };
    const uncounted = ['fork', 'no-actions', 'no-issues', 'old', 'renamed-now'];
    expect(repositories.map(({ repo }) => repo)).toEqual(['api', 'empty', ...uncounted, 'secret', 'web']);
    for (const one of repositories.filter(({ repo }) => uncounted.includes(repo)))
      expect(one).toMatchObject({ prs_merged: null, included: false, reason: 'not_synced', as_of: null });
  });

  test('every row is the sum of the rows of the repositories', async () => {
    const { body } = await ask('org=octo&days=90');
    const parts = await Promise.all(
      ['web', 'api', 'secret', 'empty'].map(async (repo) => {
        const one = await service.ask('GET', `/api/codehost/repo-contributors?owner=octo&repo=${repo}&days=90`, {
          as: 'token-ann',
        });
        return one.body;
      }),
    );
    const total = (key: string) => parts.reduce((sum, part) => sum + part[key], 0);
    for (const key of [
      'prs_merged_total',
      'prs_human_reviewed',
      'prs_no_human_review',
      'prs_self_merged',
      'bot_reviews',
    ])
      expect([key, body[key]]).toEqual([key, total(key)]);
    const logins = body.contributors.map(({ login }: Row) => login);
    expect(new Set(logins).size).toBe(logins.length);
    expect(logins).not.toContain('ana-old');
    for (const { login, prs_merged, reviews_given } of body.contributors as Row[]) {
      const own = parts.flatMap(({ contributors }) => contributors.filter((row: Row) => row.login === login));
      const sum = (key: keyof Row) => own.reduce((all, row) => all + row[key], 0);
      expect([login, prs_merged, reviews_given]).toEqual([login, sum('prs_merged'), sum('reviews_given')]);
    }
  });

  test.each([
    ['prs_merged_total', 'prs_merged_total', 'prs_merged_total', false],
    ['median_hours_to_merge', 'median_hours_to_merge', 'prs_merged_by_people', false],
    ['reviewed_before_merge', 'reviewed_before_merge_pct', 'prs_merged_total', true],
    ['first_pass_approval_rate', 'first_pass_approval_rate', 'prs_human_reviewed', true],
    ['self_merged', 'self_merged_pct', 'prs_merged_by_people', false],
  ])(
    '%s opens the pull requests of all of them, and names the repositories that do not count',
    async (metric, field, sample, isOfReviews) => {
      for (const days of [30, 90]) {
        const { body } = await ask(`org=octo&days=${days}`);
        const opened = await service.ask('GET', `/api/explain?metric=${metric}&org=octo&days=${days}`, {
          as: 'token-ann',
        });
        expect(opened.body).toMatchObject({ value: body[field], sample: body[sample] });
        expect(opened.body.counted.length).toBe(body[sample]);
        expect(opened.body.counted[0]).toMatchObject({ label: expect.stringMatching(/^(web|api|secret)#\d+$/) });
        const { reviews_truncated_prs: truncated, ...coverage } = body.coverage;
        expect(truncated).toBeGreaterThan(0);
        // Which reviews there were says nothing of what was merged, when and by whom.
        const reasons = isOfReviews ? ['not_synced', 'upstream_truncated'] : ['not_synced'];
        expect(opened.body.coverage).toEqual({ ...coverage, reasons });
        expect(opened.body.partial).toBe(isOfReviews);
        expect(opened.body.repositories).toContainEqual({ repo: 'octo/fork', included: false, reason: 'not_synced' });
      }
      const ofBo = await service.ask('GET', `/api/explain?metric=${metric}&org=octo`, { as: 'token-bo' });
      expect(ofBo.text).not.toMatch(/secret|hidden-one/);
      const nothing = await service.ask('GET', `/api/explain?metric=${metric}&org=many`, { as: 'token-ann' });
      expect(nothing.body).toMatchObject({ value: null, sample: 0, coverage: { expected: 205, read: 0 } });
      const explain = (org: string, as: string) =>
        service.ask('GET', `/api/explain?metric=${metric}&org=${org}`, { as });
      expectProblem(await explain('nobody', 'token-ann'), 404, 'not_found');
      expectProblem(await explain('ann', 'token-bo'), 404, 'not_found');
      expect((await explain('bo', 'token-bo')).body).toMatchObject({ value: null, coverage: { expected: 0 } });
      expectFields(await service.ask('GET', `/api/explain?metric=${metric}&owner=octo`, { as: 'token-ann' }), [
        'repo',
        'missing',
      ]);
    },
  );

  test('is made for the caller: what they may not see is neither counted nor named', async () => {
    const [ann, bo] = [(await ask()).body, await ask(undefined, 'token-bo')];
    expect(mergedOf(bo.body)).toEqual({ api: 6, empty: 0, web: 5 });
    expect(ann.prs_merged_total - bo.body.prs_merged_total).toBe(2);
    expect(bo.text).not.toMatch(/secret|hidden-one|Hidden/);
    expect(bo.body.coverage).toMatchObject({ expected: 8, read: 3 });
  });

  test('is a table of its people', async () => {
    const csv = await ask('org=octo&format=csv');
    const [head, ...rows] = csv.text.trim().split('\r\n');
    expect(head).toContain('login,avatar_url,is_bot,linked_logins,prs_merged');
    expect(rows).toHaveLength((await ask()).body.contributors.length);
    const repositories = (await ask('org=octo&table=repositories&format=csv')).text.trim().split('\r\n');
    expect(repositories[0]).toMatch(/^\ufeff?repo,included,reason,prs_merged,as_of$/);
    expect(repositories).toHaveLength((await ask()).body.repositories.length + 1);
  });

  test.each([
    ['many', 205],
    ['ann', 1],
    ['nobody', 0],
  ])('of an account of which nothing is tracked no count is known: %s', async (org, expected) => {
    const { body } = await ask(`org=${org}`);
    expect(body).toMatchObject({
      contributors: [],
      prs_merged_total: null,
      prs_merged_by_people: null,
      prs_human_reviewed: null,
      prs_self_merged: null,
      bot_prs: { merged: null, no_human_review: null },
      median_hours_to_merge: null,
      partial: false,
      coverage: { complete: expected === 0, expected, read: 0, reasons: expected > 0 ? ['not_synced'] : [] },
    });
    expect(body.repositories).toHaveLength(expected);
  });

  test('repositories of a person count as those of an organization', async () => {
    await track(service, 'ann/dotfiles');
    expect(mergedOf((await ask('org=ann')).body)).toEqual({ dotfiles: 0 });
    expect((await ask('org=ann', 'token-bo')).body.repositories).toEqual([]);
  });
});

describe('what is excluded', () => {
  const visit = freshService({ DATABASE_URL: anyDatabase });
  const ask = (query?: string) => visit.service.ask('GET', path(query), { as: 'token-ann' });
  const outage = { kind: 'status', status: 502 } as const;

  /** Web is stored, api is not yet. */
  async function webStored() {
    await track(visit.service, 'octo/web');
    await ask();
    await track(visit.service, 'octo/api');
  }

  test.each([
    ['sub_fetch_failed', outage],
    ['forbidden', { kind: 'status', status: 403 }],
    ['rate_limited', { kind: 'primary_limit' }],
  ] as const)('a repository that cannot be read is named with its reason: %s', async (reason, fault) => {
    await webStored();
    visit.service.double.fault({ path: '/graphql', times: 99 }, fault);
    const answer = await ask();
    expect(reasonsOf(answer.body)).toEqual({ api: reason, web: null });
    expect(mergedOf(answer.body)).toEqual({ api: null, web: 4 });
    expect(answer.body).toMatchObject({
      prs_merged_total: 4,
      partial: true,
      coverage: { complete: false, expected: 9, read: 1, cap: null, reasons: [reason, 'not_synced'] },
    });
    expect(answer.headers.get('x-partial')).toBe('true');
  });

  test('nothing is read when that would leave little of the quota', async () => {
    await webStored();
    // What the platform reported for its quota is remembered for half a minute.
    visit.service.clock.advance(minute);
    visit.service.double.budgets.setRemaining('ann', 'graphql', 900);
    const { body, operations } = await asking(visit.service, path());
    expect(reasonsOf(body)).toEqual({ api: 'rate_limited', web: null });
    expect(operations).not.toContain('Search');
  });

  test('of many that were not read only some are read in one answer, the rest in the next', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `many/repo-${String(index + 1).padStart(3, '0')}`);
    await track(visit.service, ...names);
    const first = (await ask('org=many')).body;
    expect(first).toMatchObject({
      partial: true,
      coverage: { expected: 205, read: 20, cap: 20, reasons: ['page_cap', 'not_synced'] },
    });
    expect(Object.values(reasonsOf(first)).filter((one) => one === 'not_yet_read')).toHaveLength(5);
    expect((await ask('org=many')).body.coverage).toMatchObject({ read: 25, reasons: ['not_synced'] });
  });

  test('of many that were read while the clock was ahead, no more than those are read anew', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `many/repo-${String(index + 1).padStart(3, '0')}`);
    await track(visit.service, ...names);
    visit.service.clock.advance(3 * hour);
    await ask('org=many');
    await ask('org=many');
    visit.service.clock.advance(-3 * hour);
    expect((await ask('org=many')).body.coverage).toMatchObject({ expected: 205, read: 20, cap: 20 });
  });

  test('older facts are shown as such while the platform is away, and none on the word of an old list', async () => {
    await track(visit.service, 'octo/web');
    await ask();
    visit.service.clock.advance(4 * minute);
    visit.service.double.fault({ path: /./, times: 999 }, outage);
    expect((await ask()).body).toMatchObject({ prs_merged_total: 4, generated_at: '2026-11-16T10:00:00.000Z' });
    visit.service.clock.advance(2 * minute);
    expectProblem(await ask(), 503, 'authz_unavailable');
  });

  test('a slow one does not hold up the answer, and is there the next time', async () => {
    await webStored();
    visit.service.double.fault({ path: '/graphql' }, { kind: 'latency', ms: 8000 });
    expect(reasonsOf((await ask()).body)).toEqual({ api: 'not_yet_read', web: null });
    await expect.poll(async () => reasonsOf((await ask()).body)).toEqual({ api: null, web: null });
  });

  test('a month of which not all is read yet is compared up to where it is', async () => {
    const { clock, double } = visit.service;
    const mergedAt = clock.now() - 30 * day + 10 * hour;
    double.putPullRequest('octo/web', { number: 900, createdAt: mergedAt - hour, mergedAt });
    await track(visit.service, 'octo/web', 'octo/api');
    const first = (await ask()).body;
    clock.advance(20 * hour);
    const later = (await ask()).body;
    expect(later.prs_merged_total).toBeLessThan(first.prs_merged_total);
    expect([later.before, later.latest, later.verdicts]).toEqual([first.before, first.latest, first.verdicts]);
  });

  test('windows are 30 days unless 90 are requested', async () => {
    await track(visit.service, 'octo/web');
    expect((await ask()).body.window_days).toBe(30);
    expectFields(await ask('org=octo&days=60'), ['days', 'invalid']);
    expectFields(await ask(''), ['org', 'missing']);
  });
});

describe('without a database', () => {
  const visit = freshService();

  test('no repository is tracked, which is said before the platform is queried', async () => {
    const { status, body, operations } = await asking(visit.service, path());
    expect([status, body.code, operations]).toEqual([503, 'db_not_configured', []]);
  });

  test('nobody is shown anything without signing in', async () => {
    expectProblem(await visit.service.ask('GET', path()), 401, 'unauthenticated');
  });
});
