import { expect, test } from 'vitest';
import { emptyReply } from '../../../server/http/execute.ts';
import { mergeQueueReport } from '../../../server/reports/merge-queue/report.ts';
import { scopeMergeQueues } from '../../../server/reports/scope-merge-queues/report.ts';
import { visitService } from '../../api/endpoints.ts';
import { openDemo } from '../../support/demo-context.ts';

const visit = visitService();

test.each([7, 30, 90])('each queue of the demo has the figures of its own page, over %i days', async (days) => {
  const context = openDemo(visit.service);
  const { queues, waiting, reposWithoutQueue } = await scopeMergeQueues({ org: 'lumen-harbor', days }, context);
  expect(queues.length).toBeGreaterThan(0);
  expect(reposWithoutQueue).toBeGreaterThan(0);
  for (const row of queues) {
    const [owner = '', repo = ''] = row.repo.split('/');
    const own = await mergeQueueReport({ owner, repo, days }, context, emptyReply());
    const value = (key: keyof NonNullable<typeof own.figures>) => own.figures?.[key].value;
    expect(row).toMatchObject({
      branch: own.branch,
      length: value('queueLength'),
      queueTimeP50: value('queueTimeP50'),
      queueTimeP90: value('queueTimeP90'),
      ejectionRate: value('ejectionRate'),
      throughputPerHour: value('throughputPerHour'),
      ciMinutesPerMerge: value('queueCiMinutesPerMerge'),
      attemptsPerMerge: value('attemptsPerMerge'),
      partial: false,
    });
  }
  expect(waiting).toBe(queues.reduce((sum, { length }) => sum + (length ?? 0), 0));
});
