import { describe, expect, test } from 'vitest';
import { createContext, demoContext } from '../../../server/http/context.ts';
import type { Range } from '../../../server/reports/kernel/period.ts';
import { scopeOverview } from '../../../server/reports/overview/report.ts';
import { visitService } from '../../api/endpoints.ts';

const visit = visitService({});

const readDemo = (range: Range) => {
  const incoming = {
    method: 'GET',
    url: new URL('http://service.test/demo'),
    headers: new Headers(),
    address: '',
    signal: new AbortController().signal,
  };
  const context = demoContext(createContext(visit.service.app.services, incoming));
  return scopeOverview({ range, compare: 'previous' }, context);
};

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

  test('compares thirty days with those before', async () => {
    const { figures } = await readDemo('30');
    expect(figures.prsMergedBefore).toBeGreaterThan(100);
    expect(figures.medianHoursToMergeBefore).toBeGreaterThan(0);
    expect(figures.failureRateChange).not.toBeNull();
  });
});
