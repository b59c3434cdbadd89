import { expect, test } from 'vitest';
import { freshService } from '../../api/endpoints.ts';
import type { Fault } from '../../codehost-double/faults.ts';
import { rowOf, scoresIn } from './scores.ts';

const visit = freshService();
const { scorecard } = scoresIn(visit);
const one = 'org=octo&limit=1';

const unread: [part: string, fault: Fault, reasons: string[], detail: RegExp][] = [
  [
    'reviewers',
    { kind: 'failing_field', field: 'PullRequestReview.author', type: 'FORBIDDEN' },
    ['upstream_truncated'],
    /^reviews\.author of [1-9]\d* closed pull requests could not be read$/,
  ],
  [
    'deployments',
    { kind: 'failing_field', field: 'Repository.deployments', type: 'FORBIDDEN' },
    ['sub_fetch_failed'],
    /^deployments could not be read$/,
  ],
  [
    'commits',
    { kind: 'failing_field', field: 'GitActor.user', type: 'FORBIDDEN' },
    ['sub_fetch_failed'],
    /^author\.user of [1-9]\d* commits could not be read$/,
  ],
];

test.each(unread)(
  'a row that lacks %s says why it is partial, and so does the answer',
  async (part, fault, reasons, detail) => {
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', times: 99 }, fault);
    const answer = await scorecard(one);
    const { partial, partial_reasons, partial_detail } = rowOf(answer, 'web');
    expect([partial, partial_reasons]).toEqual([true, reasons]);
    expect(partial_detail).toMatch(detail);
    // Nobody takes that for a repository without commits of people.
    const isAuthorUnread = rowOf(answer, 'web').reasons.includes('commit_authors_unread');
    expect(isAuthorUnread).toBe(part === 'commits');
    expect(answer.headers.get('x-partial-reason')).toBe(`web: ${partial_detail}`);
    const query = '/api/explain?metric=composite_score&owner=octo&repo=web';
    const explained = await visit.service.ask('GET', query, { as: 'token-ann' });
    expect(explained.headers.get('x-partial-reason')).toContain('could not be read');
  },
);

test('a row that a limit cut names the limit', async () => {
  const { double, clock } = visit.service;
  double.addRepository({ name: 'octo/busy', facts: { id: 90_001, pushedAt: clock.now() } });
  double.addCommits('octo/busy', 301, { from: clock.now() - 80 * 86_400_000, to: clock.now() });
  const answer = await scorecard(one);
  expect(rowOf(answer, 'busy')).toMatchObject({ partial: true, partial_reasons: ['page_cap'], partial_detail: null });
  expect(answer.headers.get('x-partial-reason')).toBeNull();
});
