import { expect, test } from 'vitest';
import { emptyReply } from '../../../server/http/execute.ts';
import { queueBatches } from '../../../server/reports/merge-queue/batches.ts';
import { queueEntries } from '../../../server/reports/merge-queue/entries.ts';
import { mergeQueueReport } from '../../../server/reports/merge-queue/report.ts';
import { visitService } from '../../api/endpoints.ts';
import { openDemo } from '../../support/demo-context.ts';

const visit = visitService();
const repository = { owner: 'lumen-harbor', repo: 'tidewater-web', days: 90 };

test('the queue of the sample organization has batches, rebuilds and ejections, each with its entries', async () => {
  const context = openDemo(visit.service);
  const queue = await mergeQueueReport(repository, context, emptyReply());
  expect(queue.used).toBe(true);
  const sizes = queue.batchSizes.map(({ size }) => size);
  expect(Math.max(...sizes)).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(5);
  const { figures } = queue;
  expect(figures?.innocentRebuilds.value).toBeGreaterThan(0);
  expect(figures?.queueWastedMinutesPerMerge.value).toBeGreaterThan(0);
  expect(figures?.flakyEjectionShare.value).toBeGreaterThan(30);
  expect(queue.topFailingChecks.length).toBeGreaterThan(0);
  const entriesOf = (chosen: object) => queueEntries({ ...repository, limit: 1000, ...chosen }, context, emptyReply());
  const merged = await entriesOf({ outcome: 'merged' });
  expect(merged.total).toBe(figures?.attemptsPerMerge.sample);
  for (const { size, batches } of queue.batchSizes)
    expect((await queueBatches({ ...repository, limit: 1, size }, context, emptyReply())).total).toBe(batches);
  for (const { workflow, job, ejections } of queue.topFailingChecks)
    expect((await entriesOf({ check: `${workflow} / ${job}` })).total).toBe(ejections);
  expect(figures?.queueToProductionP50.value).toBeGreaterThan(figures?.queueTimeP50.value ?? 0);
  expect(figures?.trainWaitP50.value).toBeGreaterThan(0);
  expect(figures?.batchesPerTrain.value).toBeGreaterThanOrEqual(1);
  for (const { minutes, checksMinutes } of merged.entries) expect(minutes).toBeGreaterThanOrEqual(checksMinutes ?? 0);
});
