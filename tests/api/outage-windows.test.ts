import { afterEach, describe, expect, test } from 'vitest';
import { anActor } from '../codehost-double/delivery-builders.ts';
import { asking, day, hour } from '../reports/workload/workload-world.ts';
import { freshService } from './endpoints.ts';

const visit = freshService();
const web = 'owner=octo&repo=web';
const ask = (path: string) => asking(visit.service, `/api/${path}`);

afterEach(() => expect(visit.service.double.violations).toEqual([]));

/** Everything here is about to leave a window: an hour before the end of 7, 30 and 90 days. */
function fillTheEdges() {
  const { double, clock } = visit.service;
  for (const [index, days] of [7, 30, 90].entries()) {
    const at = clock.now() - days * day + hour;
    double.putPullRequest('octo/web', {
      number: 900 + index,
      author: anActor('ana'),
      createdAt: at - 60_000,
      mergedAt: at,
      baseBranch: 'main',
    });
    double.putRelease('octo/web', { id: 900 + index, createdAt: at, publishedAt: at });
    double.putDeployment('octo/web', { id: 9000 + index, createdAt: at, statuses: [{ state: 'success', at }] });
  }
}

const reports = [
  `codehost/repo-dora?${web}`,
  `codehost/deployments?${web}`,
  `codehost/repo-contributors?${web}&days=30`,
  `codehost/repo-contributors?${web}&days=90`,
  `codehost/issues?${web}`,
  `codehost/open-pr-health?${web}`,
  `codehost/team-workload-risk?${web}`,
  `codehost/bus-factor?${web}`,
  `explain?${web}&metric=lead_time`,
  `explain?${web}&metric=deploys_per_day`,
  `explain?${web}&metric=prs_merged_total&days=90`,
];

describe('while the platform does not answer', () => {
  test.each(reports)('%s: hours later nothing has fallen quiet', async (path) => {
    fillTheEdges();
    const before = await ask(path);
    expect(before.status).toBe(200);
    visit.service.clock.advance(20 * hour);
    visit.service.double.fault({ path: '/graphql', times: 100 }, { kind: 'status', status: 502 });
    const later = await ask(path);
    expect([later.status, later.headers.get('x-stale')]).toEqual([200, 'true']);
    expect(later.headers.get('x-data-as-of')).toBe(before.body.generated_at);
    expect(later.body).toEqual(before.body);
  });

  interface Days {
    trend_30d?: object[];
    course?: { days: object[] };
    summary?: { trend_30d: object[] };
  }
  const daysOf = (body: Days | Days[]) =>
    Array.isArray(body) ? body[0]?.summary?.trend_30d : (body.trend_30d ?? body.course?.days);

  test.each([`repo-summary?${web}`, `repo-overview?${web}`, `workflow-health?${web}&workflow_id=7001`])(
    '%s: on the next day of the team none without a reading looks quiet',
    async (path) => {
      const before = daysOf((await ask(`codehost/${path}`)).body);
      expect(before?.length).toBeGreaterThan(1);
      visit.service.clock.advance(10 * hour);
      visit.service.double.fault({ path: /actions/, times: 100 }, { kind: 'status', status: 502 });
      const later = await ask(`codehost/${path}`);
      expect([later.status, later.headers.get('x-stale')]).toEqual([200, 'true']);
      expect(daysOf(later.body)).toEqual(before);
    },
  );

  test.each(reports.slice(0, 4))('%s: what it held back counts once it answers again', async (path) => {
    fillTheEdges();
    const before = await ask(path);
    visit.service.clock.advance(20 * hour);
    const later = await ask(path);
    expect(later.headers.get('x-stale')).toBeNull();
    expect(later.body).not.toEqual({ ...before.body, generated_at: later.body.generated_at });
  });
});
