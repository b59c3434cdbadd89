import { expect, test } from 'vitest';
import { emptyReply } from '../../../server/http/execute.ts';
import { openPullRequestsReport } from '../../../server/reports/pull-requests/report.ts';
import { scopePullRequests } from '../../../server/reports/scope-pull-requests/report.ts';
import { visitService } from '../../api/endpoints.ts';
import { openDemo } from '../../support/demo-context.ts';

const visit = visitService({});

test.each([undefined, 'out'] as const)(
  'each repository of the demo has as many open ones as its own page: bots %s',
  async (bots) => {
    const context = openDemo(visit.service);
    const { repositories, totals, longestWait } = await scopePullRequests(
      { range: '30', compare: 'previous', bots },
      context,
    );
    expect(repositories.length).toBeGreaterThan(5);
    let waiting = 0;
    for (const row of repositories) {
      const [owner = '', repo = ''] = row.repo.split('/');
      const { totalOpen, openPrs } = await openPullRequestsReport({ owner, repo, bots }, context, emptyReply());
      const own = openPrs.filter((one) => !one.isBot && one.waitingOn === 'reviewer');
      const since = own.map(({ waitingSince }) => waitingSince ?? Number.POSITIVE_INFINITY);
      expect([row.repo, row.open, row.awaitingReview]).toEqual([row.repo, totalOpen, own.length]);
      expect(row.longestWait?.since ?? Number.POSITIVE_INFINITY).toBe(Math.min(...since));
      waiting += own.length;
    }
    expect(totals.awaitingReview).toBe(waiting);
    expect(totals.open).toBe(repositories.reduce((sum, { open }) => sum + (open ?? 0), 0));
    expect(totals.merged).toBe(repositories.reduce((sum, { merged }) => sum + (merged ?? 0), 0));
    expect(longestWait).toEqual(repositories[0]?.longestWait);
  },
);
