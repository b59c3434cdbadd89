import { describe, expect, test } from 'vitest';
import { emptyReply } from '../../../server/http/execute.ts';
import type { Range } from '../../../server/reports/kernel/period.ts';
import { orgContributors } from '../../../server/reports/organization-contributors/report.ts';
import { scopeOverview } from '../../../server/reports/overview/report.ts';
import { visitService } from '../../api/endpoints.ts';
import { openDemo } from '../../support/demo-context.ts';

const visit = visitService({});

const readDemo = (range: Range) => scopeOverview({ range, compare: 'previous' }, openDemo(visit.service));

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
    const [org, context] = ['lumen-harbor', openDemo(visit.service)];
    const team = await orgContributors({ org, days, table: 'contributors' }, context, emptyReply());
    const home = await scopeOverview({ org, range: `${days}`, compare: 'off' }, context);
    expect(team.prsMergedTotal).toBeGreaterThan(100);
    expect(home.figures.prsMerged).toBe(team.prsMergedTotal);
  });

  test('compares them with those before as the team page does', async () => {
    const [org, context] = ['lumen-harbor', openDemo(visit.service)];
    const { before, verdicts, mergeDays } = await orgContributors(
      { org, days: 30, table: 'contributors' },
      context,
      emptyReply(),
    );
    const home = await scopeOverview({ org, range: '30', compare: 'previous' }, context);
    expect([before?.prsMergedTotal, before?.medianHoursToMerge]).toEqual([
      home.figures.prsMergedBefore,
      home.figures.medianHoursToMergeBefore,
    ]);
    expect([verdicts.prsMergedTotal, verdicts.medianHoursToMerge]).toEqual([
      home.figures.prsMergedVerdict,
      home.figures.hoursToMergeVerdict,
    ]);
    expect(mergeDays).toEqual(home.mergeDays);
  });

  test.each(['7', '30', '90', '2026-10-01..2026-10-20'] as const)('has its merges by day: %s', async (range) => {
    const { figures, mergeDays } = await readDemo(range);
    expect(mergeDays.reduce((sum, { merged }) => sum + (merged ?? 0), 0)).toBe(figures.prsMerged);
    expect(mergeDays.every(({ merged }) => merged !== null)).toBe(true);
    // N times 24 hours begin and end within a day; two days are whole.
    const cut = mergeDays.flatMap(({ partial }, index) => (partial ? [index] : []));
    expect(cut).toEqual(range.includes('..') ? [] : [0, mergeDays.length - 1]);
    for (const { merged, medianHoursToMerge } of mergeDays) if (merged === 0) expect(medianHoursToMerge).toBeNull();
  });

  test('compares thirty days with those before', async () => {
    const { figures } = await readDemo('30');
    expect(figures.prsMergedBefore).toBeGreaterThan(100);
    expect(figures.medianHoursToMergeBefore).toBeGreaterThan(0);
    expect(figures.failureRateChange).not.toBeNull();
  });
});
