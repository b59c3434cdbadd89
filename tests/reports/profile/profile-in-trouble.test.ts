import { afterEach, describe, expect, test } from 'vitest';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { aCommit, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { asking, day, hour } from '../workload/workload-world.ts';

const visit = freshService();
const profile = (login: string) => asking(visit.service, `/api/codehost/contributor-profile?owner=octo&login=${login}`);

afterEach(() => expect(visit.service.double.violations).toEqual([]));

describe('when the platform fails', () => {
  test('without an earlier answer the error is passed on', async () => {
    visit.service.double.fault({ path: '/graphql', times: 100 }, { kind: 'status', status: 403 });
    expectProblem(await profile('ana'), 403, 'upstream_forbidden');
  });

  test('an earlier answer is given again for a day, and said to be old', async () => {
    const before = await profile('ana');
    visit.service.clock.advance(20 * 60_000);
    visit.service.double.fault({ times: 1000 }, { kind: 'primary_limit' });
    const { status, headers, body } = await profile('ana');
    expect([status, headers.get('x-stale')]).toEqual([200, 'true']);
    expect([body.prs_merged, body.generated_at]).toEqual([before.body.prs_merged, '2026-11-16T10:00:00.000Z']);
    visit.service.clock.advance(25 * hour);
    expectProblem(await profile('ana'), 429, 'upstream_rate_limited');
  });

  test('an outage of hours is no silence of the person', async () => {
    // An hour before they would leave four weeks, the recent half and the window.
    for (const [index, days] of [7, 45, 90].entries()) {
      const edge = namedNow - days * day + hour;
      visit.service.double.putPullRequest('octo/web', {
        number: 900 + index,
        author: anActor('ana'),
        createdAt: edge,
        mergedAt: edge + 60_000,
      });
      visit.service.double.addCommit('octo/web', aCommit(edge, anActor('ana'), `At ${edge}`));
    }
    const before = await profile('ana');
    visit.service.clock.advance(13 * hour);
    visit.service.double.fault({ path: '/graphql', times: 1000 }, { kind: 'status', status: 502 });
    const later = await profile('ana');
    expect([later.status, later.headers.get('x-stale')]).toEqual([200, 'true']);
    expect(later.body).toEqual(before.body);
  });

  test('a calendar that could not be renewed makes the answer as old as it is', async () => {
    await profile('ana');
    visit.service.clock.advance(13 * hour);
    visit.service.double.fault(
      { path: '/graphql', times: 1000 },
      { kind: 'partial_graphql', field: 'user', type: 'SOMETHING' },
    );
    const { status, headers, body, operations } = await profile('ana');
    expect(operations).toContain('Search');
    expect([status, headers.get('x-stale'), headers.get('x-data-source')]).toEqual([200, 'true', 'cache']);
    expect(headers.get('x-data-as-of')).toBe('2026-11-16T10:00:00.000Z');
    expect(body.generated_at).toBe('2026-11-16T10:00:00.000Z');
  });

  test('where the commits of one repository are not answered, none are complete', async () => {
    for (const name of ['octo/api', 'octo/web'])
      visit.service.double.addCommit(name, aCommit(namedNow - day, anActor('part'), `In ${name}`));
    visit.service.double.fault(
      { path: '/graphql', after: 4, times: 5 },
      { kind: 'partial_graphql', field: 'r1', type: 'SOMETHING' },
    );
    const { body } = await profile('part');
    expect(body).toMatchObject({ partial: true, total_commits_90d: 1 });
    expect(body.commits_complete_from).toBe(body.generated_at);
  });

  test('commits that are not answered are reported to be missing', async () => {
    visit.service.double.fault(
      { path: '/graphql', after: 4, times: 5 },
      { kind: 'partial_graphql', field: 'r0', type: 'SOMETHING' },
    );
    const { status, body } = await profile('ana');
    expect([status, body.partial, body.fetched_requests, body.total_requests_attempted]).toEqual([200, true, 3, 4]);
    expect(body).toMatchObject({ prs_merged: 7, total_commits_90d: null, after_hours_pct: null, weekly_commits: [] });
    expect(body.activity_calendar).toHaveLength(365);
    expect(body.commits_complete_from).toBe(body.generated_at);
    expect(body.coverage.reasons).toEqual(['sub_fetch_failed']);
  });
});
