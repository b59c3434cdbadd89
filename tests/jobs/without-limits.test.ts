import { afterAll, beforeAll, expect, test } from 'vitest';
import { job } from '../../jobs/job.ts';
import { runJob } from '../../jobs/run-job.ts';
import { createRequestLimits, currentLimits, withLimits } from '../../server/platform/work-limits.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase });
});
afterAll(() => service?.close());

test('a job that a request starts has neither its deadline nor its caller', async () => {
  const caller = new AbortController();
  const limitsSeen = job({
    name: 'limits',
    title: 'Limits',
    does: 'Looks at its limits.',
    schedule: '0 0 * * *',
    seconds: 1,
    hardSeconds: 2,
    housekeeping: false,
    needsToken: false,
    async run() {
      caller.abort();
      const { deadline, signal, takeRetries } = currentLimits();
      return {
        partial: false,
        resumeAt: null,
        summary: {},
        report: { deadline, isAborted: signal.aborted, mayRetry: takeRetries(100) },
      };
    },
  });
  const end = await withLimits(createRequestLimits(caller.signal), () =>
    runJob(limitsSeen, service.app.services, {
      slot: 'now',
      trigger: 'http',
      stopping: new AbortController().signal,
    }),
  );
  expect(end).toMatchObject({
    status: 'done',
    outcome: { report: { deadline: Number.POSITIVE_INFINITY, isAborted: false, mayRetry: true } },
  });
});
