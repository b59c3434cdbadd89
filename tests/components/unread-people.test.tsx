// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { HealthTable } from '../../app/routes/org/health-table.tsx';
import { Activity } from '../../app/routes/people/activity.tsx';
import { describeLargestChange, Halves } from '../../app/routes/people/halves.tsx';
import { Headlines } from '../../app/routes/people/headlines.tsx';
import type { Profile } from '../../app/routes/people/profile.ts';
import { PeopleTables } from '../../app/routes/repo/team/people-table.tsx';
import { ReviewLoad } from '../../app/routes/repo/team/review-load.tsx';
import { Summary } from '../../app/routes/repo/team/summary.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const scope = { owner: 'octo', repo: 'web' };
const getProfileHref = (login: string) => `/contributor/${login}`;
const getText = () => document.body.textContent?.replaceAll('\u00a0', ' ') ?? '';

describe('merged pull requests whose authors could not be read', () => {
  const person = { is_bot: false, linked_logins: [], prs_opened: 1, reviews_given: 1, self_merge_count: 0 };
  const ana = { ...person, login: 'ana', prs_merged: 2 };
  const show = (data: object) =>
    drawInRoot(<PeopleTables data={data as never} base="" scope={scope} getProfileHref={getProfileHref} />, page);

  test('are not those of deleted accounts', () => {
    show({ contributors: [ana], prs_merged_total: 6, prs_author_unread: 3, window_days: 90 });
    expect(getText()).toContain('Beside them 1 pull request of deleted accounts was merged.');
    expect(getText()).toContain('Authors of 3 merged pull requests could not be loaded.');
  });

  test('are not those of bots', () => {
    show({ contributors: [], prs_merged_total: 3, prs_author_unread: 3, window_days: 90 });
    expect(getText()).toContain('No people known: authors of 3 merged pull requests could not be loaded.');
    expect(getText()).not.toMatch(/Only bots|deleted accounts/);
  });

  test('nor are those of deleted accounts', () => {
    show({ contributors: [], prs_merged_total: 1, prs_author_unread: 0, window_days: 90 });
    expect(getText()).toContain('Only bots and deleted accounts merged in this period.');
  });

  test('are in no sample of people', () => {
    const data = {
      prs_merged_total: 1000,
      prs_merged_by_people: 12,
      prs_author_unread: 700,
      median_hours_to_merge: 5,
      window_days: 90,
      contributors: [],
      bot_prs: { merged: 288, no_human_review: 1 },
      merge_days: [],
      coverage: { read: 1000, expected: 1000 },
    };
    render(<Summary data={data as never} base="" scope={scope} />);
    expect(screen.getByRole('article', { name: 'Time to merge, median' }).textContent).toContain('n = 12');
    expect(getText()).not.toContain('712');
  });
});

describe('review load', () => {
  const load = { overloaded: [] as string[], sole_reviewer: [] };
  const pairs = [
    { author: 'bob', reviewer: 'ana', count: 20 },
    { author: 'bob', reviewer: 'cy', count: 2 },
    { author: null, reviewer: 'dee', count: 2 },
  ];
  const show = (given: number | null, review_load = load) => {
    const contributors = ['ana', 'cy', 'dee'].map((login) => ({ login, is_bot: false, reviews_given: given }));
    const data = { contributors, review_pairs: pairs, review_load };
    drawInRoot(<ReviewLoad data={data as never} getProfileHref={getProfileHref} />, {
      ...page,
      features: ['reviewBottleneck'],
    });
    return getText();
  };

  test('counts what is known where some reviews could not be read', () => {
    const text = show(null, { ...load, overloaded: ['ana'] });
    expect(text).toContain('ana gave 20 of 24 reviews that could be loaded.');
    expect(text).toContain('20 of 24');
  });

  test('is said to be no risk only where all reviews were read', () => {
    expect(show(null)).toContain('Concentration risk is not known: some reviews could not be loaded.');
    expect(show(8)).toContain('No concentration risk');
  });
});

test.each([
  [['bus_factor_unknown'], 'No commits by people.'],
  [['bus_factor_unknown', 'commit_authors_unread'], 'Authors could not be loaded.'],
])('a repository without a bus factor says why: %j', (reasons, expected) => {
  const row = { repo: 'web', overall_bus_factor: null, dora_level: null, risk_band: 'insufficient_data', reasons };
  const data = { repos: [row], limit: 10, org: 'octo' };
  drawInRoot(<HealthTable data={data as never} search="" base="" />, page);
  expect(getText()).toContain(expected);
});

describe('halves', () => {
  const compared = (complete: boolean) =>
    ({
      login: 'ana',
      period_comparison: {
        complete,
        prs_merged_recent: 10,
        prs_merged_prior: 20,
        reviews_given_recent: 8,
        reviews_given_prior: 8,
        median_hours_to_merge_recent: 5,
        median_hours_to_merge_prior: 5,
      },
    }) as Profile;

  test('of which something is missing are shown without a change', () => {
    drawInRoot(<Halves data={compared(false)} owner="octo" />, page);
    expect(getText().split('No comparison: not everything could be loaded')).toHaveLength(4);
    expect(getText()).not.toMatch(/50 %/);
    expect(describeLargestChange(compared(false))).toBeNull();
  });

  test('have none on the cards of a profile either', () => {
    const data = { ...compared(false), workday: { start: 8, end: 19 }, is_bot: true };
    drawInRoot(<Headlines data={data} owner="octo" base="" />, page);
    expect(getText()).toContain('No comparison: not everything could be loaded');
    expect(getText()).not.toMatch(/50 %/);
  });

  test('that are complete are compared', () => {
    drawInRoot(<Halves data={compared(true)} owner="octo" />, page);
    expect(getText()).toContain('−50 %');
    expect(describeLargestChange(compared(true))).toBe('pull requests merged −50\u00a0%');
  });
});

test('of weeks whose commits were not all read no active days are counted, and not none', () => {
  const data = {
    activity_calendar: [],
    total_commits_90d: 100,
    hours_sample: 100,
    weekly_commits: [],
    active_days_per_week: [3, 0, null, null],
    commits_complete_from: '2026-11-01T00:00:00.000Z',
    commit_weekday_hours: Array.from({ length: 7 }, () => Array(24).fill(0)),
    workday: { start: 8, end: 19 },
    timezone: 'UTC',
  };
  drawInRoot(<Activity data={data as never} owner="octo" />, page);
  expect(getText()).toContain('latest first: 3, 0, –, –. A dash is a week of which not all commits were loaded.');
});
