import { describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { anActor } from '../../codehost-double/delivery-builders.ts';
import { scriptTitle } from '../../codehost-double/named-world.ts';
import { asking, day, hour } from '../workload/workload-world.ts';

const visit = freshService();
const path = (repo: string, more = '') => `/api/codehost/issues?owner=octo&repo=${repo}${more}`;
const ask = (repo: string, more = '', as = 'token-ann') => visit.service.ask('GET', path(repo, more), { as });
const now = () => visit.service.clock.now();
const graphql = (operations: (string | null)[]) => operations.filter((one) => one?.includes('/') === false);

/** The fields that the platform's own counts can tell. */
const counted = [
  'open_count',
  'opened_in_period',
  'closed_in_period',
  'backlog_delta',
  'closed_not_planned',
  'stale_count',
  'unlabelled_count',
  'unassigned_count',
  'unanswered_count',
  'age_buckets',
  'oldest_open',
];
const analysed = [
  'closed_by_bot',
  'median_days_to_close',
  'p90_days_to_close',
  'top_labels',
  'assignee_load',
  'neglected',
];

describe('the backlog', () => {
  test('has every field of the contract', async () => {
    const { status, body } = await ask('web');
    expect(status).toBe(200);
    const reference = (number: number, title: string, days: number) => ({
      number,
      title,
      age_days: days,
      comments: 0,
      html_url: expect.stringMatching(new RegExp(`/octo/web/issues/${number}$`)),
    });
    expect(body).toEqual({
      repo: 'octo/web',
      period_days: 30,
      open_count: 7,
      opened_in_period: 5,
      closed_in_period: 3,
      closed_not_planned_reasons: ['not_planned', 'duplicate'],
      backlog_delta: 2,
      closed_not_planned: 1,
      closed_by_bot: 1,
      reopened_in_period: null,
      period_before: {
        opened_in_period: 3,
        closed_in_period: 1,
        backlog_delta: 2,
        median_days_to_close: 30,
        p90_days_to_close: 30,
        days_to_close_sample: 1,
        median_verdict: 'not_enough_data',
        p90_verdict: 'not_enough_data',
      },
      median_days_to_close: 20,
      p90_days_to_close: 80,
      days_to_close_sample: 3,
      stale_count: 3,
      unlabelled_count: 2,
      unassigned_count: 4,
      unanswered_count: 3,
      total_analysed: 10,
      age_buckets: [
        { label: '< 1 week', count: 2 },
        { label: '1–4 weeks', count: 2 },
        { label: '1–3 months', count: 2 },
        { label: '> 3 months', count: 1 },
      ],
      top_labels: [
        { label: 'bug', color: 'd73a4a', count: 3 },
        { label: 'ui', color: '1d76db', count: 2 },
        { label: 'question', color: 'd876e3', count: 1 },
      ],
      assignee_load: [
        { login: 'ann', open: 2 },
        { login: 'bo', open: 2 },
      ],
      neglected: [reference(57, scriptTitle, 200), reference(55, 'Issue 55', 45), reference(54, 'Issue 54', 20)],
      oldest_open: reference(57, scriptTitle, 200),
      exact: [...counted, ...analysed],
      partial: false,
      coverage: { complete: true, expected: 10, read: 10, cap: null, reasons: [] },
      generated_at: '2026-11-16T10:00:00.000Z',
      data_source: 'live',
    });
  });

  test('pull requests are no issues', async () => {
    expect((await ask('api')).body).toMatchObject({ open_count: 2, opened_in_period: 2, closed_in_period: 0 });
  });

  test('the period moves what was opened and closed, and leaves what is open', async () => {
    const week = (await ask('web', '&days=7')).body;
    expect(week).toMatchObject({ period_days: 7, opened_in_period: 2, closed_in_period: 1, backlog_delta: 1 });
    expect(week).toMatchObject({ open_count: 7, stale_count: 3, unanswered_count: 3, median_days_to_close: 95 });
    const quarter = (await ask('web', '&days=90')).body;
    expect(quarter.period_before).toBe(null);
    expect(quarter).toMatchObject({ opened_in_period: 9, closed_in_period: 4, median_days_to_close: 25 });
  });

  test('the bounds of stale and unanswered are days of 24 hours, the bound itself included', async () => {
    const { double } = visit.service;
    const at = (days: number, ms = 0) => now() - days * day + ms;
    double.putIssue('octo/secret', { number: 1, createdAt: at(90), updatedAt: at(30) });
    double.putIssue('octo/secret', { number: 2, createdAt: at(90), updatedAt: at(30, 1000) });
    double.putIssue('octo/secret', { number: 3, createdAt: at(14) });
    double.putIssue('octo/secret', { number: 4, createdAt: at(14, 1000) });
    double.putIssue('octo/secret', { number: 5, createdAt: at(15), comments: 1 });
    expect((await ask('secret')).body).toMatchObject({ stale_count: 1, unanswered_count: 3 });
  });

  test('old and quiet issues are counted, however much happened since', async () => {
    const { double } = visit.service;
    double.putIssue('octo/secret', { number: 1, createdAt: now() - 900 * day });
    double.addIssues('octo/secret', 320, { from: now() - 6 * day, to: now() - hour });
    double.addPullRequests('octo/secret', 320, { from: now() - 6 * day, to: now() - hour });
    const { body } = await ask('secret');
    expect(body).toMatchObject({ open_count: 321, stale_count: 1, unanswered_count: 1, oldest_open: { number: 1 } });
    expect(body).toMatchObject({ partial: false, opened_in_period: 320, total_analysed: 321 });
  });

  test('an issue that was opened again is open, and its earlier closing does not count', async () => {
    await ask('web');
    visit.service.clock.advance(6 * 60_000);
    visit.service.double.putIssue('octo/web', {
      number: 61,
      createdAt: now() - 10 * day,
      updatedAt: now(),
      comments: 1,
    });
    expect((await ask('web')).body).toMatchObject({ open_count: 8, closed_in_period: 2, backlog_delta: 3 });
  });

  test('what a bot closed is distinguished', async () => {
    visit.service.double.closeIssue('octo/web', 52, { at: now() - hour, by: anActor('tidy[bot]') });
    expect((await ask('web')).body).toMatchObject({ closed_by_bot: 2, closed_not_planned: 1, closed_in_period: 4 });
  });

  test.each([
    ['ClosedEvent.actor', { closed_by_bot: null, closed_in_period: 3 }],
    ['Issue.stateReason', { closed_by_bot: 1, closed_in_period: 3 }],
    ['Issue.labels', { top_labels: null, unlabelled_count: 2 }],
    ['Label.name', { top_labels: null, unlabelled_count: 2 }],
    ['UserConnection.nodes', { assignee_load: null, unassigned_count: 4 }],
  ])('where %s could not be read, nobody knows how many, and it is not stored', async (field, known) => {
    const fault = { kind: 'failing_field', field, type: 'FORBIDDEN' } as const;
    visit.service.double.fault({ path: '/graphql', times: 100 }, fault);
    const { body, headers } = await ask('web');
    expect(body).toMatchObject({ partial: true, ...known });
    expect(headers.get('x-partial-reason')).toContain('could not be read');
    visit.service.double.reset();
    visit.service.clock.advance(hour);
    expect((await ask('web')).body).toMatchObject({ partial: false, closed_by_bot: 1, unlabelled_count: 2 });
  });

  test('where the platform does not count either, it is unknown how many wait', async () => {
    const fault = { kind: 'failing_field', type: 'FORBIDDEN' } as const;
    for (const field of ['Issue.labels', 'UserConnection.nodes', 'Issue.stateReason']) {
      visit.service.double.reset();
      visit.service.clock.advance(hour);
      visit.service.double.fault({ path: '/graphql', times: 1 }, { ...fault, field });
      visit.service.double.fault({ path: '/graphql', times: 1 }, { ...fault, field });
      visit.service.double.fault({ path: '/graphql', times: 100 }, { kind: 'status', status: 502 });
      const { body } = await ask('web');
      const unknown = [body.unlabelled_count, body.unassigned_count, body.closed_not_planned];
      expect(unknown.filter((one) => one === null).length, field).toBe(1);
    }
  });

  test('what was closed as a duplicate counts as not planned', async () => {
    visit.service.double.closeIssue('octo/web', 52, { at: now() - hour, reason: 'duplicate' });
    const { body } = await ask('web');
    expect(body).toMatchObject({ closed_not_planned: 2, closed_not_planned_reasons: ['not_planned', 'duplicate'] });
  });

  test('an empty tracker has zeros where things are counted and null where nothing can be said', async () => {
    expect((await ask('empty')).body).toMatchObject({
      open_count: 0,
      opened_in_period: 0,
      closed_in_period: 0,
      backlog_delta: 0,
      oldest_open: null,
      median_days_to_close: null,
      p90_days_to_close: null,
      days_to_close_sample: 0,
      neglected: [],
    });
  });
});

describe('days', () => {
  test.each([
    ['3', 7],
    ['7', 7],
    ['45', 45],
    ['90', 90],
    ['365', 90],
    ['', 30],
  ])('%s is taken as %d', async (days, taken) => {
    expect((await ask('web', `&days=${days}`)).body.period_days).toBe(taken);
  });

  test.each(['0', '-7', '7.5', 'x', '1e1', ' 30'])('"%s" is refused', async (days) => {
    expectFields(await ask('web', `&days=${encodeURIComponent(days)}`), ['days', 'invalid']);
  });
});

describe('where not all can be read', () => {
  const many = (count: number) =>
    visit.service.double.addIssues('octo/secret', count, { from: now() - 100 * day, to: now() - hour });

  test('more than 1,000 open: the platform counts, and the answer says which fields are exact', async () => {
    many(1030);
    const { body, headers, operations } = await asking(visit.service, path('secret'));
    expect(graphql(operations)).toHaveLength(10 + 1 + 1);
    expect(body).toMatchObject({ open_count: 1030, unlabelled_count: 1030, unassigned_count: 1030, partial: true });
    expect(body.age_buckets.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(1030);
    expect(body).toMatchObject({ total_analysed: 1000, exact: counted, oldest_open: { number: 20_001 } });
    expect(body.coverage).toEqual({ complete: false, expected: null, read: 1000, cap: 1000, reasons: ['page_cap'] });
    expect(headers.get('x-partial')).toBe('true');
    const opened = await asking(visit.service, '/api/explain?metric=open_count&owner=octo&repo=secret');
    expect(opened.body).toMatchObject({ value: 1030, sample: 1000, partial: true });
    // The oldest are among those read, whatever was excluded.
    expect(body.neglected[0].number).toBe(20_001);
  });

  test('what was closed as a duplicate counts as not planned there too', async () => {
    many(1030);
    visit.service.double.closeIssue('octo/secret', 20_001, { at: now() - hour, reason: 'duplicate' });
    visit.service.double.closeIssue('octo/secret', 20_002, { at: now() - hour, reason: 'not_planned' });
    visit.service.double.closeIssue('octo/secret', 20_003, { at: now() - hour });
    const { body } = await ask('secret');
    expect(body).toMatchObject({ closed_in_period: 3, closed_not_planned: 2, exact: counted });
  });

  test('what a cap cut stays cut by the cap when fewer are left', async () => {
    many(1030);
    await ask('secret');
    visit.service.clock.advance(10 * 60_000);
    for (let number = 20_001; number <= 20_010; number++)
      visit.service.double.closeIssue('octo/secret', number, { at: now() - 60_000 });
    const { body } = await ask('secret');
    expect(body).toMatchObject({ open_count: 1020, closed_in_period: 10, total_analysed: 1000 });
    expect(body.coverage).toMatchObject({ complete: false, cap: 1000, reasons: ['page_cap'] });
  });

  const remove = (count: number) => {
    const secret = visit.service.double.world.repositories.find(({ facts }) => facts.repo === 'secret');
    const gone = secret?.issues.filter(({ closedAt }) => closedAt === null).slice(0, count);
    if (secret) secret.issues = secret.issues.filter((one) => !gone?.includes(one));
  };

  test('when few enough are left to read all, what vanished from behind the cap is gone', async () => {
    many(1030);
    await ask('secret');
    remove(40);
    visit.service.clock.advance(10 * 60_000);
    const { body, operations } = await asking(visit.service, path('secret'));
    expect(body).toMatchObject({ open_count: 990, total_analysed: 990, partial: false });
    expect(graphql(operations).length).toBeGreaterThan(10);
    visit.service.clock.advance(10 * 60_000);
    expect(graphql((await asking(visit.service, path('secret'))).operations)).toHaveLength(1);
  });

  test('an open one that vanished behind a cap on closed ones is no gap for more than a day', async () => {
    for (let number = 1; number <= 1050; number++) {
      const closedAt = now() - number * 2 * hour;
      visit.service.double.putIssue('octo/secret', {
        number,
        createdAt: now() - 95 * day,
        updatedAt: closedAt,
        closedAt,
      });
    }
    for (let number = 2001; number <= 2005; number++)
      visit.service.double.putIssue('octo/secret', { number, createdAt: now() - 20 * day });
    expect((await ask('secret', '&days=7')).body).toMatchObject({ open_count: 5, coverage: { complete: true } });
    remove(1);
    visit.service.clock.advance(10 * 60_000);
    const { body, operations } = await asking(visit.service, path('secret', '&days=7'));
    expect(body.coverage).toMatchObject({ complete: false, reasons: ['page_cap'] });
    expect(graphql(operations).length).toBeLessThan(4);
    visit.service.clock.advance(day);
    expect((await ask('secret', '&days=7')).body).toMatchObject({ open_count: 4, coverage: { complete: true } });
  });

  test('whoever asks for issues first in a day reads them whole, unless the platform is away', async () => {
    many(1030);
    await ask('secret');
    visit.service.clock.advance(15 * hour);
    const { operations } = await asking(visit.service, path('secret'));
    expect(graphql(operations)).not.toContain('Changes');
    expect(graphql(operations).length).toBeGreaterThan(10);
    visit.service.clock.advance(23.5 * hour);
    visit.service.double.fault({ path: '/graphql', times: 999 }, { kind: 'status', status: 502 });
    const stored = await ask('secret');
    expect([stored.status, stored.body.open_count, stored.headers.get('x-stale')]).toEqual([200, 1030, 'true']);
  });

  test('when the platform does not count either, nothing is called exact', async () => {
    many(1030);
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', after: 11, times: 9 }, { kind: 'primary_limit' });
    const { body } = await ask('secret');
    expect(body).toMatchObject({ open_count: 1000, partial: true, exact: [] });
  });
});

describe('who may ask', () => {
  test('whoever may not see the repository is not shown anything of it, whatever was read for others', async () => {
    await ask('secret');
    expectProblem(await ask('secret', '', 'token-bo'), 404, 'not_found');
    expectProblem(await ask('nowhere'), 404, 'not_found');
  });

  test('a tracker that is switched off is 410, also when its issues are still stored', async () => {
    expectProblem(await ask('no-issues'), 410, 'issues_disabled');
    await ask('web');
    const web = visit.service.double.world.repositories.find(({ facts }) => facts.repo === 'web');
    if (web) web.issuesEnabled = false;
    visit.service.clock.advance(6 * 60_000);
    for (let times = 0; times < 2; times++) expectProblem(await ask('web'), 410, 'issues_disabled');
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
    visit.service.double.fault({ path: '/graphql', times: 60 }, { kind: 'primary_limit' });
    const later = await ask('web');
    expect([later.status, later.headers.get('x-stale')]).toEqual([200, 'true']);
    expect(later.body).toEqual(first.body);
  });

  test('a renamed repository answers by its new name', async () => {
    const { body, headers } = await ask('before');
    expect([body.repo, headers.get('x-canonical-repo')]).toEqual(['octo/renamed-now', 'octo/renamed-now']);
  });

  test('each headline number opens what it is made of', async () => {
    const { body } = await ask('web');
    const keys = ['median_days_to_close', 'p90_days_to_close', 'stale_count'];
    keys.push('open_count', 'opened_in_period', 'closed_in_period');
    for (const key of [...keys, 'unanswered_count', 'unlabelled_count', 'unassigned_count']) {
      const explained = await visit.service.ask('GET', `/api/explain?metric=${key}&owner=octo&repo=web&days=30`, {
        as: 'token-ann',
      });
      expect([key, explained.body.value]).toEqual([key, body[key]]);
      expect(explained.body.counted).toHaveLength(explained.body.sample);
      expect(explained.body.counted[0].label).toMatch(/^#\d+ \S/);
    }
  });
});
