// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { PanelAnswer } from '../../app/components/panel.tsx';
import { Knowledge, type KnowledgeProps } from '../../app/routes/repo/team/knowledge.tsx';
import { Workload, type WorkloadProps } from '../../app/routes/repo/team/workload.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'Asia/Saigon', repository: 'octo/web' };
const getProfileHref = (login: string) => `/contributor/${login}`;
type Known<Props> = Props extends { result: PanelAnswer<infer Data> } ? Data : never;
type Report = Known<KnowledgeProps>;
type Load = Known<WorkloadProps>;

const complete = { complete: true, expected: 74, read: 74, cap: null, reasons: [] };
const provenance = { generated_at: '2026-11-16T10:00:00.000Z', data_source: 'live' } as const;
const notes = (partial: boolean) => ({ partial, stale: false, asOf: null, source: 'live' });

function labels(name: string) {
  return screen.getByRole('region', { name }).textContent?.replaceAll('\u00a0', ' ') ?? '';
}
const getCells = (row: HTMLElement) =>
  [...within(row).getAllByRole('rowheader'), ...within(row).getAllByRole('cell')].map(({ textContent }) =>
    (textContent ?? '').replaceAll('\u00a0', ' ').trim(),
  );

describe('knowledge', () => {
  const modules: Report['modules'] = Array.from({ length: 12 }, (_, index) => ({
    module: `src/part${index}`,
    bus_factor: index === 11 ? 2 : 1,
    risk: index === 11 ? 'low_sample' : 'critical',
    total_commits: index === 11 ? 3 : 10,
    unique_contributors: 2,
    contributors: [
      { login: 'ana', commits: 8, pct: 80 },
      { login: 'bob', commits: 2, pct: 20 },
    ],
  }));
  const report: Report = {
    overall_bus_factor: 2,
    critical_modules: 11,
    modules,
    modules_total: 12,
    total_contributors: 3,
    total_commits: 72,
    author_unread: 0,
    fetched_commits: 74,
    total_commits_listed: 74,
    commit_cap: 300,
    window_days: 90,
    excluded: { bots: 1, merges: 1 },
    outside_modules: 0,
    outside_commits: [],
    covers_from: '2026-09-10T06:00:00.000Z',
    empty_repository: false,
    partial: false,
    coverage: complete,
    ...provenance,
  };
  function show(changes: Partial<Report> = {}, { at = '/', base = '' } = {}) {
    const data = { ...report, ...changes };
    drawInRoot(
      <Knowledge {...page} base={base} result={{ ok: true, data, notes: notes(data.partial) }} />,
      { ...page, base },
      at,
    );
    return labels('Knowledge');
  }

  test('says the whole with its sample, what was excluded, and leads to its evidence', () => {
    const text = show();
    expect(text).toContain('from 72 commits by 3 people');
    expect(text).toContain('without 1 merge and 1 bot commit');
    expect(text).toContain('In 11 modules with five or more commits, one person wrote 80 %');
    const link = screen.getByRole('link', { name: 'Repository bus factor' });
    expect(link.getAttribute('href')).toBe('/explain?metric=bus_factor&owner=octo&repo=web');
  });

  test('lists ten modules, then all on demand', () => {
    expect(show()).toContain('10 of 12 modules');
    expect(screen.getByRole('link', { name: 'Show all' }).getAttribute('href')).toBe('?modules=all#knowledge');
    const [, first] = screen.getAllByRole('row');
    expect(getCells(first as HTMLElement)).toEqual(['src/part0', '1 of 2', 'critical', 'ana 80 %, bob 20 %', '10']);
  });

  test('says of few commits that they are too few', () => {
    const text = show({}, { at: '/?modules=all' });
    expect(text).toContain('too few commits');
    expect(text).not.toContain('Showing');
  });

  test('what is missing is said with the direction in which numbers err', () => {
    const coverage: Report['coverage'] = {
      complete: false,
      expected: 1204,
      read: 300,
      cap: 300,
      reasons: ['page_cap'],
    };
    const text = show({ partial: true, coverage, fetched_commits: 300, total_commits_listed: 1204 });
    expect(text).toContain('Only the newest 300 of 1,204 commits are counted, those since 10 Sep 2026');
    expect(text).toContain('spread wider');
  });

  const sha = 'a'.repeat(40);

  test.each<[Report['outside_commits'], string]>([
    [[{ sha, reason: 'unknown_directories' }], '1 commit, of files moved or deleted since or of an unknown number'],
    [[], 'Some directories could not be read, and commits in them count for the repository alone'],
  ])('commits whose directories are not known are reported: %o', (outside_commits, expected) => {
    const coverage: Report['coverage'] = { ...complete, complete: false, reasons: ['upstream_truncated'] };
    expect(show({ partial: true, coverage, outside_modules: outside_commits.length, outside_commits })).toContain(
      expected,
    );
  });

  test('commits of very many files are counted beside the number', () => {
    const text = show({ outside_modules: 1, outside_commits: [{ sha, reason: 'many_files' }] });
    expect(text).toContain('; 1 commit of more than 100 files counts for no module');
  });

  test.each<[Partial<Report>, string]>([
    [{ empty_repository: true, fetched_commits: 0 }, 'The repository has no commits yet.'],
    [{ fetched_commits: 0 }, 'No commits on the default branch in the last 90 days.'],
    [{ fetched_commits: 2 }, 'All 2 commits of the last 90 days are 1 merge and 1 bot commit.'],
  ])('with nothing to count it says why: %o', (changes, expected) => {
    expect(show({ total_commits: 0, modules: [], covers_from: null, ...changes })).toContain(expected);
  });

  test('the demo has the same file to download', () => {
    show({}, { base: '/demo' });
    const file = screen.getByRole('link', { name: 'CSV' }).getAttribute('href');
    expect(file).toMatch(/^\/demo\/api\/codehost\/bus-factor\?.*format=csv$/);
    const link = screen.getByRole('link', { name: 'Repository bus factor' });
    expect(link.getAttribute('href')).toMatch(/^\/demo\/explain\?/);
  });
});

describe('workload', () => {
  const person = (login: string, changes: Partial<Load['people'][number]> = {}): Load['people'][number] => ({
    login,
    avatar_url: '',
    is_bot: false,
    linked_logins: [],
    unlinked_name: false,
    total_commits: 20,
    recent_period_commits: 8,
    prior_period_commits: 12,
    last_commit_at: '2026-11-15T03:00:00.000Z',
    after_hours_commits: 2,
    weekend_commits: 1,
    outside_workday_commits: 2,
    after_hours_pct: 10,
    weekend_pct: 5,
    outside_workday_pct: 12,
    open_pr_count: 1,
    open_draft_count: 0,
    flags: { activity_cliff: false, after_hours: false, concurrent_pr_overload: false, weekend: false },
    risk_score: 0,
    sample_ok: true,
    ...changes,
  });
  const quiet = { activity_cliff: false, after_hours: false, concurrent_pr_overload: false, weekend: false };
  const hours = Array.from({ length: 7 }, (_, weekday) => Array<number>(24).fill(weekday === 0 ? 0 : 1));
  const load: Load = {
    people: [
      person('zoe', { flags: { ...quiet, after_hours: true }, risk_score: 1, after_hours_pct: 40 }),
      person('gone', {
        flags: { ...quiet, activity_cliff: true },
        risk_score: 1,
        total_commits: 30,
        recent_period_commits: 0,
        last_commit_at: '2026-10-27T06:00:00.000Z',
      }),
      person('ana', {
        total_commits: 4,
        sample_ok: false,
        after_hours_pct: 100,
        open_pr_count: 5,
        open_draft_count: 2,
      }),
      person('dependabot', { is_bot: true, total_commits: 7 }),
    ],
    team: {
      commits: 54,
      author_unread: 0,
      contributors: 3,
      period_before: null,
      weeks: [],
      outside_workday_commits: 6,
      outside_workday_pct: 12,
      hours,
      merge_moment_pct: 30,
      merge_moment_commits: 18,
      merge_moment_sample: 61,
    },
    total_commits_analysed: 61,
    window_days: 42,
    workday: { start: 8, end: 19, timezone: 'Asia/Saigon' },
    thresholds: {
      after_hours_pct: 30,
      weekend_pct: 25,
      min_commits: 5,
      concurrent_prs: 4,
      cliff_recent_days: 14,
      cliff_prior_min_commits: 3,
    },
    empty_repository: false,
    partial: false,
    coverage: complete,
    missing: { commits: [], open_pull_requests: [] },
    ...provenance,
  };
  const unreadOpen = 'Not all open pull requests or their authors could be loaded';
  function show(changes: Partial<Load> = {}, at = '/') {
    const data = { ...load, ...changes };
    const result = { ok: true as const, data, notes: notes(data.partial) };
    drawInRoot(
      <Workload {...page} getProfileHref={getProfileHref} base="" result={result} />,
      { ...page, base: '' },
      at,
    );
    return labels('Workload');
  }
  const people = () => {
    const table = screen.getByRole('table', { name: /^People/ });
    return within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => getCells(row));
  };

  test('people are listed by name, bots apart, and nobody by what was pointed out', () => {
    const text = show();
    expect(people().map(([name]) => name)).toEqual(['ana', 'gone', 'zoe']);
    expect(text).toContain('Bots: dependabot, 7 commits, 1 open pull request');
    expect(text).toContain('Conversation starters, not verdicts');
  });

  test('another order is a link', () => {
    show({}, '/?workload=commits-desc&days=30');
    expect(people().map(([name]) => name)).toEqual(['gone', 'zoe', 'ana']);
    const heading = screen.getByRole('columnheader', { name: /^Commits/ });
    expect(heading.getAttribute('aria-sort')).toBe('descending');
    expect(within(heading).getByRole('link').getAttribute('href')).toBe('?workload=commits-asc&days=30#workload');
  });

  test('a silence is a date, not a judgement', () => {
    const text = show();
    expect(text).toContain('no commits on the default branch since 27 Oct 2026');
    expect(text).not.toMatch(/disengag|inactive|overwork|lazy|burn/i);
  });

  test('few commits have no share', () => {
    show();
    const [ana] = people();
    expect(ana?.slice(1)).toEqual([
      '4 (8)',
      '– sample too small (fewer than 5 commits)',
      '– sample too small (fewer than 5 commits)',
      '5 (2 drafts)',
      '–',
    ]);
  });

  test('hours, limits and the merges among the commits are said', () => {
    const text = show();
    expect(text).toContain('Monday to Friday, 08:00 to 19:00, Asia/Saigon');
    expect(text).toContain('30 % of commits carry the time of a squash merge');
    expect(text).toContain('No commits for 14 days after 3 or more before');
    expect(screen.getByRole('img', { name: /^Team hours/ })).toBeTruthy();
  });

  test('the grid is drawn from Monday on', () => {
    show();
    const tableFallback = screen.getAllByRole('table').find((table) => table.textContent?.includes('Weekday'));
    const rows = within(tableFallback as HTMLElement).getAllByRole('row');
    expect(getCells(rows[1] as HTMLElement).slice(0, 2)).toEqual(['Mon', '1']);
    expect(getCells(rows[7] as HTMLElement).slice(0, 2)).toEqual(['Sun', '0']);
  });

  test('two people are no team whose hours are drawn', () => {
    const text = show({ team: { ...load.team, contributors: 2, hours: null } });
    expect(text).toContain('at least three people');
    expect(screen.queryByRole('img', { name: /^Team hours/ })).toBeNull();
  });

  test('unread pull requests are a dash with its reason', () => {
    const unread = load.people.map((one) => ({ ...one, open_pr_count: null, open_draft_count: null }));
    const coverage: Load['coverage'] = { ...complete, complete: false, reasons: ['forbidden'] };
    const text = show({
      people: unread,
      partial: true,
      coverage,
      missing: { commits: [], open_pull_requests: ['forbidden'] },
    });
    expect(text).toContain(unreadOpen);
    expect(text).not.toMatch(/commits could|latest/);
    expect(people()[1]?.[4]).toBe('– Not all loaded.');
  });

  test('of a part of the open ones nobody is said to have so many, but at least', () => {
    const [zoe, ...others] = load.people.map((one) => ({ ...one, open_pr_count: null, open_draft_count: null }));
    const flags = { ...quiet, concurrent_pr_overload: true };
    const missing: Load['missing'] = { commits: [], open_pull_requests: ['page_cap'] };
    const text = show({ people: [{ ...(zoe as (typeof others)[0]), flags }, ...others], partial: true, missing });
    expect(text).toContain('at least 4 pull requests open at once');
    expect(text).not.toMatch(/latest|commits could/);
  });

  test.each<[Load['missing'], number, RegExp, RegExp]>([
    [{ commits: ['sub_fetch_failed'], open_pull_requests: [] }, 0, /Some commits could not/, /open pull requests or/],
    [
      { commits: ['page_cap'], open_pull_requests: ['page_cap'] },
      0,
      /Only the latest 74 commits.*Not all open/,
      /Some/,
    ],
    [
      { commits: ['sub_fetch_failed'], open_pull_requests: ['page_cap'] },
      2,
      /Of 2 commits.*Not all open/,
      /latest|Some/,
    ],
  ])('what is missing of commits and of pull requests is each said by itself: %j', (missing, unread, said, unsaid) => {
    const text = show({ partial: true, missing, team: { ...load.team, author_unread: unread } });
    expect(text).toMatch(said);
    expect(text).not.toMatch(unsaid);
  });

  test.each<[Load['missing'], RegExp, RegExp]>([
    [{ commits: [], open_pull_requests: ['forbidden'] }, /No commits on the default branch/, /no open pull requests/],
    [{ commits: ['sub_fetch_failed'], open_pull_requests: [] }, /No commits could be loaded/, /last 42 days/],
  ])('with nobody it claims nothing that was not read: %j', (missing, said, unsaid) => {
    const text = show({ people: [], partial: true, missing });
    expect(text).toMatch(said);
    expect(text).not.toMatch(unsaid);
  });

  test('a cap is said, and that no silence is reported', () => {
    const cut = load.people.map((one) => ({ ...one, flags: { ...one.flags, activity_cliff: null } }));
    const coverage: Load['coverage'] = { complete: false, expected: null, read: 500, cap: 500, reasons: ['page_cap'] };
    const missing: Load['missing'] = { commits: ['page_cap'], open_pull_requests: [] };
    const text = show({ people: cut, partial: true, coverage, missing });
    expect(text).toContain('Only the latest 500 commits are counted, ');
    expect(text).toContain('missing commits are not flagged');
    expect(text).not.toContain('no commits on the default branch since');
  });

  test('with nobody it says why', () => {
    expect(show({ people: [] })).toContain('No commits on the default branch in the last 42 days');
  });

  test('not granted is reported in words', () => {
    const problem = { code: 'forbidden', error: '', status: 403, flag: 'workloadRisk', request_id: 'req-12345' };
    drawInRoot(<Workload {...page} getProfileHref={getProfileHref} base="" result={{ ok: false, problem }} />, {
      ...page,
      base: '',
    });
    expect(labels('Workload')).toContain('Workload is not available. It shows commit times and open pull requests');
  });
});
