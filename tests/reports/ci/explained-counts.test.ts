import { expect, test } from 'vitest';
import { explain } from '../../../server/api/explain.ts';
import { toWire } from '../../../server/api/wire.ts';
import { emptyReply } from '../../../server/http/execute.ts';
import { scopeOverview } from '../../../server/reports/overview/report.ts';
import { visitService } from '../../api/endpoints.ts';
import { openDemo } from '../../support/demo-context.ts';

const visit = visitService({});

test('a share is made of all runs, also where only the newest are opened', async () => {
  const context = openDemo(visit.service);
  const read = async (metric: string) => {
    const answer = await explain.run(explain.input.parse({ metric, range: '90' }), context, emptyReply());
    return explain.output.parse(toWire(explain.output, answer));
  };
  const { figures } = await scopeOverview({ range: '90', compare: 'off' }, context);
  const [rate, cancelled] = await Promise.all([read('failure_rate'), read('cancelled_share')]);
  expect(rate.sample).toBeGreaterThan(5_000);
  expect(rate).toMatchObject({ value: figures.failureRate, part: figures.failedRuns, partial: true });
  expect(cancelled.value).toBe(Math.round((100 * (cancelled.part ?? 0)) / cancelled.sample));
});
