import { describe, expect, test } from 'vitest';
import { noTotals } from '../../../server/codehost/client/totals.ts';
import { freshService } from '../../api/endpoints.ts';
import { aCommit, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import type { Answered } from '../../support/service.ts';
import { asking, day, hour } from './workload-world.ts';

const visit = freshService();
const of = (repo: string, more = '') => `/api/codehost/team-workload-risk?owner=octo&repo=${repo}${more}`;
const ask = (path: string, as?: string) => asking(visit.service, path, as);

interface Row {
  login: string;
  is_bot: boolean;
  total_commits: number;
  recent_period_commits: number;
  prior_period_commits: number;
  risk_score: number;
  open_pr_count: number | null;
  flags: Record<string, boolean | null>;
}
const rowsOf = ({ body }: Answered): Row[] => body.people;
const rowOf = (answer: Answered, login: string) => rowsOf(answer).find((row) => row.login === login);
const cliffs = (answer: Answered) =>
  rowsOf(answer)
    .filter(({ flags }) => flags.activity_cliff)
    .map(({ login }) => login);
const down = (fault: Parameters<typeof visit.service.double.fault>[1]) =>
  visit.service.double.fault({ path: '/graphql', times: 999 }, fault);
const outage = { kind: 'status', status: 502 } as const;

describe('hours', () => {
  test('are the team’s: its start is inside, its end is not, and a weekend is distinguished', async () => {
    expect(rowOf(await ask(of('web')), 'nox')).toMatchObject({
      total_commits: 4,
      after_hours_pct: 50,
      weekend_pct: 50,
      outside_workday_pct: 75,
      last_commit_at: '2026-11-07T03:00:00.000Z',
    });
  });

  test('of the team are compared with the window before, and shown by week where three people wrote commits', async () => {
    const commitAt = (daysAgo: number, hours: number) => {
      const at = Math.floor((visit.service.clock.now() - daysAgo * day) / day) * day + hours * hour;
      const login = ['owl', 'nox', 'ann'][daysAgo % 3] ?? 'owl';
      visit.service.double.addCommit('octo/secret', aCommit(at, anActor(login), `Of ${daysAgo} days ago at ${hours}`));
    };
    // Noon and one o'clock at night of the team's zone.
    for (let daysAgo = 2; daysAgo < 80; daysAgo++) for (const hours of [5, 6]) commitAt(daysAgo, hours);
    for (let daysAgo = 2; daysAgo < 40; daysAgo++) commitAt(daysAgo, 18);
    const { team } = (await ask(of('secret'))).body;
    expect(team.period_before).toMatchObject({ outside_workday_verdict: 'higher' });
    expect(team.outside_workday_pct).toBeGreaterThan(team.period_before.outside_workday_pct);
    expect(team.weeks.length).toBeGreaterThanOrEqual(4);
    for (const week of team.weeks) expect(week.outside_workday_pct).toBeGreaterThan(40);
    expect((await ask(of('secret', '&days=90'))).body.team.period_before).toBeNull();
  });

  test('four commits are too few for a flag, however late they were', async () => {
    expect(rowOf(await ask(of('web')), 'owl')).toMatchObject({
      after_hours_pct: 100,
      sample_ok: false,
      risk_score: 0,
      flags: { after_hours: false, weekend: false },
    });
  });

  test('five at night are enough', async () => {
    const night = aCommit(Date.parse('2026-11-13T18:00:00Z'), anActor('owl'), 'One more');
    visit.service.double.addCommit('octo/web', night);
    expect(rowOf(await ask(of('web')), 'owl')).toMatchObject({
      total_commits: 5,
      after_hours_pct: 100,
      sample_ok: true,
      risk_score: 1,
      flags: { after_hours: true, weekend: false },
    });
  });

  test('of the team count weekday by hour, and sum up to its commits', async () => {
    const { team, workday } = (await ask(of('web'))).body;
    expect(workday).toEqual({ start: 8, end: 19, timezone: 'Asia/Saigon' });
    expect(team.hours.map((row: number[]) => row.length)).toEqual(Array(7).fill(24));
    expect(team.hours.flat().reduce((sum: number, one: number) => sum + one, 0)).toBe(team.commits);
    // Of nox, 18:00 UTC on a Friday is one o'clock on Saturday.
    expect(team.hours[6][1]).toBe(1);
  });

  test('of one or two people are not shown as those of a team', async () => {
    visit.service.double.addRepository({ name: 'octo/pair', facts: { id: 91_001 }, commits: [], workflows: [] });
    for (const [index, login] of ['ana', 'bob'].entries())
      visit.service.double.addCommit('octo/pair', aCommit(namedNow - (index + 1) * day, anActor(login), 'Begin'));
    expect((await ask(of('pair'))).body.team).toMatchObject({ commits: 2, contributors: 2, hours: null });
  });
});

describe('a silence', () => {
  test('after three commits is remarkable in six weeks, after two not', async () => {
    const answer = await ask(of('web'));
    expect(answer.body).toMatchObject({ window_days: 42, thresholds: { cliff_prior_min_commits: 3 } });
    expect(rowOf(answer, 'gone')).toMatchObject({ prior_period_commits: 3, recent_period_commits: 0, risk_score: 1 });
    expect(rowOf(answer, 'faded')).toMatchObject({ prior_period_commits: 2, flags: { activity_cliff: false } });
    expect(cliffs(answer)).toEqual(['gone']);
  });

  test('begins when work came to the branch, not when it was written', async () => {
    const { double, clock } = visit.service;
    const rebased = (at: number, message: string) =>
      double.addCommit('octo/web', aCommit(at, anActor('gone'), message, { authoredAt: namedNow - 30 * day }));
    rebased(namedNow - 16 * day, 'Late');
    const before = await ask(of('web'));
    expect(cliffs(before)).toEqual(['gone']);
    expect(rowOf(before, 'gone')).toMatchObject({ last_commit_at: new Date(namedNow - 16 * day).toISOString() });
    clock.advance(2 * hour);
    rebased(namedNow + hour, 'Now');
    expect(cliffs(await ask(of('web')))).toEqual([]);
  });

  test('in a quarter it takes nine', async () => {
    const answer = await ask(of('web', '&days=90'));
    expect(answer.body).toMatchObject({ window_days: 90, thresholds: { cliff_prior_min_commits: 9 } });
    expect(rowOf(answer, 'eight')).toMatchObject({ prior_period_commits: 8, flags: { activity_cliff: false } });
    expect(cliffs(answer)).toEqual(['nine']);
  });

  test('of the reading is none of the person: an outage flags nobody, and after a day there is no answer', async () => {
    const before = await ask(of('web'));
    visit.service.clock.advance(23 * hour);
    down(outage);
    const later = await ask(of('web'), 'token-bo');
    expect([later.status, later.headers.get('x-stale')]).toEqual([200, 'true']);
    expect(cliffs(later)).toEqual(cliffs(before));
    expect(later.body.generated_at).toBe(before.body.generated_at);
    visit.service.clock.advance(2 * hour);
    expect((await ask(of('web'), 'token-bo')).status).toBe(502);
  });

  test('is not reported for anybody when the cap of 500 cut the earlier part', async () => {
    visit.service.double.addCommits('octo/web', 600, { from: namedNow - 10 * day, to: namedNow - hour });
    const answer = await ask(of('web'));
    expect(answer.body.partial).toBe(true);
    expect(answer.body.coverage).toMatchObject({ complete: false, read: 500, cap: 500, reasons: ['page_cap'] });
    expect(rowsOf(answer).map(({ flags }) => flags.activity_cliff)).toEqual(rowsOf(answer).map(() => null));
    expect(answer.headers.get('x-partial')).toBe('true');
    // Weeks before the oldest commit that was read are no weeks without a commit.
    const { weeks } = answer.body.team;
    expect(weeks.map(({ commits }: { commits: number }) => commits > 0)).toEqual(weeks.map(() => true));
    expect(weeks.length).toBeLessThan(3);
  });

  test('is reported again when the cut part has passed', async () => {
    visit.service.double.addCommits('octo/web', 2050, { from: namedNow - 80 * day, to: namedNow - hour });
    await ask(of('web', '&days=90'));
    visit.service.clock.advance(40 * day);
    const later = await ask(of('web', '&days=90'), 'token-bo');
    expect(later.body).toMatchObject({ partial: false, data_source: 'live', coverage: { reasons: [] } });
    expect(rowOf(later, 'ann')?.flags.activity_cliff).toBe(true);
  });

  test('is reported in a window that a cut reading still covers', async () => {
    visit.service.double.addCommits('octo/web', 2050, { from: namedNow - 80 * day, to: namedNow - hour });
    const quarter = await ask(of('web', '&days=90'));
    expect(quarter.body.coverage).toMatchObject({ cap: 2000, expected: null, reasons: ['page_cap'] });
    expect(rowsOf(quarter).every(({ flags }) => flags.activity_cliff === null)).toBe(true);
    const month = await ask(of('web', '&days=30'));
    expect(month.body).toMatchObject({ partial: false, coverage: { complete: true, cap: null } });
    expect(rowOf(month, 'gone')?.flags.activity_cliff).not.toBeNull();
  });
});

describe('open pull requests', () => {
  test('of which two are drafts: five are no overload, and their author is listed without a commit', async () => {
    expect(rowOf(await ask(of('api')), 'dee')).toMatchObject({
      open_pr_count: 5,
      open_draft_count: 2,
      total_commits: 0,
      after_hours_pct: null,
      last_commit_at: null,
      flags: { concurrent_pr_overload: false },
    });
  });

  test('four that are ready are', async () => {
    visit.service.double.putPullRequest('octo/api', { number: 39, author: anActor('dee') });
    expect(rowOf(await ask(of('api')), 'dee')).toMatchObject({
      open_pr_count: 6,
      risk_score: 1,
      flags: { concurrent_pr_overload: true },
    });
  });

  test('beyond the 300 oldest nobody has an exact number, and the cause is theirs', async () => {
    for (let number = 1000; number < 1300; number++)
      visit.service.double.putPullRequest('octo/api', { number, author: anActor('eve') });
    const answer = await ask(of('api'));
    expect(answer.body).toMatchObject({
      partial: true,
      coverage: { cap: 300, reasons: ['page_cap'] },
      missing: { commits: [], open_pull_requests: ['page_cap'] },
    });
    expect(new Set(rowsOf(answer).map((row) => [row.open_pr_count, row.risk_score].join()))).toEqual(new Set([',']));
    expect(rowOf(answer, 'eve')?.flags.concurrent_pr_overload).toBe(true);
  });

  test('are counted although something else of them could not be read', async () => {
    down({ kind: 'failing_field', field: 'PullRequest.reviews', type: 'INTERNAL' });
    const answer = await ask(of('api'));
    expect(answer.headers.get('x-partial-reason')).toContain('reviews');
    expect(answer.body).toMatchObject({ partial: false, missing: { commits: [], open_pull_requests: [] } });
    expect(rowOf(answer, 'dee')?.open_pr_count).toBe(5);
  });

  test('of a deleted account make no row', async () => {
    visit.service.double.putPullRequest('octo/api', { number: 38, author: null });
    const logins = rowsOf(await ask(of('api'))).map(({ login }) => login);
    expect(logins).not.toContain('ghost');
    expect(logins).not.toContain('');
  });

  test.each([
    [{ kind: 'graphql_error', type: 'FORBIDDEN' }, 'forbidden'],
    [{ kind: 'primary_limit' }, 'rate_limited'],
    [outage, 'sub_fetch_failed'],
  ] as const)('that cannot be read (%o) are unknown, which is said, and the rest is shown', async (fault, reason) => {
    await ask(of('web'));
    down(fault);
    const answer = await ask(of('web'), 'token-bo');
    expect([answer.status, answer.body.partial, answer.body.coverage.reasons]).toEqual([200, true, [reason]]);
    expect(answer.body.missing).toEqual({ commits: [], open_pull_requests: [reason] });
    expect(rowOf(answer, 'gone')).toMatchObject({
      open_pr_count: null,
      open_draft_count: null,
      risk_score: null,
      total_commits: 3,
      flags: { concurrent_pr_overload: false, activity_cliff: true },
    });
  });
});

describe('people', () => {
  test('bots come last, without flags', async () => {
    const times = Array.from({ length: 6 }, (_, index) => namedNow - (20 + index) * day);
    for (const at of times)
      visit.service.double.addCommit('octo/web', aCommit(at, anActor('dependabot[bot]'), `Raise ${at}`));
    const answer = await ask(of('web'));
    expect(rowsOf(answer).at(-1)).toMatchObject({
      login: 'dependabot',
      is_bot: true,
      total_commits: 7,
      risk_score: 0,
      flags: { activity_cliff: false, after_hours: false, concurrent_pr_overload: false, weekend: false },
    });
  });

  test('merges are nobody’s work', async () => {
    const answer = await ask(of('web'));
    const total = rowsOf(answer).reduce((sum, row) => sum + row.total_commits, 0);
    expect([answer.body.total_commits_analysed, answer.body.coverage.read]).toEqual([total, total + 1]);
    for (const row of rowsOf(answer))
      expect(row.recent_period_commits + row.prior_period_commits).toBe(row.total_commits);
  });

  test('with most flags come first, then those with most commits', async () => {
    const order = rowsOf(await ask(of('web'))).map((row) => [row.is_bot, row.risk_score, row.total_commits] as const);
    const sorted = order.toSorted(([a, b, c], [d, e, f]) => Number(a) - Number(d) || e - b || f - c);
    expect(order).toEqual(sorted);
  });

  test('without an account are marked', async () => {
    expect(rowOf(await ask(of('web')), 'Nobody Known')).toMatchObject({ unlinked_name: true, linked_logins: [] });
  });

  test('of an empty repository there are none', async () => {
    const { status, body } = await ask(of('empty'));
    expect([status, body.people, body.empty_repository]).toEqual([200, [], true]);
    expect(body.team).toMatchObject({ commits: 0, outside_workday_pct: null, hours: null });
  });

  test('are the rows of the table', async () => {
    const { text } = await ask(of('web', '&format=csv'));
    expect(text.split('\r\n')[0]).toContain('login,avatar_url,is_bot');
  });
});

test('how many commits carry the moment of a merge is reported once merges are stored', async () => {
  visit.service.double.mergePullRequest('octo/web', 23, { at: namedNow - 2 * hour });
  const share = async () => (await ask(of('web'))).body.team.merge_moment_pct;
  expect(await share()).toBeNull();
  const { services } = visit.service.app;
  const codehost = services.connect('token-ann');
  const repository = await codehost.repositories.get({ owner: 'octo', repo: 'web' });
  const closed = await codehost.pullRequests.closed(repository, namedNow - 92 * day);
  const state = { kind: 'pull_requests', floor: namedNow - 92 * day, through: namedNow, capped: false } as const;
  await services.facts.store(repository, [
    { syncState: { ...state, ...noTotals }, items: closed.items, replaces: true },
  ] as never);
  // One of the 58 commits of six weeks.
  expect(await share()).toBe(2);
});

test('the share of the team is what its commits say, and they do not say who wrote them', async () => {
  const { team } = (await ask(of('web', '&days=30'))).body;
  const { body } = await ask('/api/explain?metric=outside_workday_pct&owner=octo&repo=web&days=30');
  expect(body).toMatchObject({ value: team.outside_workday_pct, sample: team.commits, unit: 'percent' });
  const notes: string[] = body.counted.map(({ note }: { note: string }) => note);
  const outside = notes.filter((note) => note !== 'in the workday').length;
  expect(Math.round((100 * outside) / notes.length)).toBe(body.value);
  expect(new Set(notes)).toEqual(new Set(['in the workday', 'before or after the workday', 'on a weekend']));
});
