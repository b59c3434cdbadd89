import { describe, expect, test } from 'vitest';
import { createContext, demoContext } from '../../../server/http/context.ts';
import { emptyReply } from '../../../server/http/execute.ts';
import type { Range } from '../../../server/reports/kernel/period.ts';
import { orgContributors } from '../../../server/reports/organization-contributors/report.ts';
import { scopeOverview } from '../../../server/reports/overview/report.ts';
import { visitService } from '../../api/endpoints.ts';

const visit = visitService({});

const openDemo = () => {
  const incoming = {
    method: 'GET',
    url: new URL('http://service.test/demo'),
    headers: new Headers(),
    address: '',
    signal: new AbortController().signal,
  };
  return demoContext(createContext(visit.service.app.services, incoming));
};
const readDemo = (range: Range) => scopeOverview({ range, compare: 'previous' }, openDemo());

describe('the overview of the demo', () => {
  test.each(['90', '2026-09-20..2026-11-16'] as const)(
    'compares nothing with a window that its facts begin in: %s',
    async (range) => {
      const { figures, partial } = await readDemo(range);
      expect(partial).toBe(false);
      expect(figures.prsMerged).toBeGreaterThan(100);
      expect(figures).toMatchObject({
        prsMergedBefore: null,
        medianHoursToMergeBefore: null,
        failureRateChange: null,
        changePct: null,
      });
    },
  );

  test.each([30, 90] as const)('counts as many merged pull requests in %i days as the team page', async (days) => {
    const [org, context] = ['lumen-harbor', openDemo()];
    const team = await orgContributors({ org, days }, context, emptyReply());
    const home = await scopeOverview({ org, range: `${days}`, compare: 'off' }, context);
    expect(team.prsMergedTotal).toBeGreaterThan(100);
    expect(home.figures.prsMerged).toBe(team.prsMergedTotal);
  });

  test('compares thirty days with those before', async () => {
    const { figures } = await readDemo('30');
    expect(figures.prsMergedBefore).toBeGreaterThan(100);
    expect(figures.medianHoursToMergeBefore).toBeGreaterThan(0);
    expect(figures.failureRateChange).not.toBeNull();
  });
});
