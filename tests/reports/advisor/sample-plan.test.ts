import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Judgement, JudgeTask } from '../../../server/advisor/judge.ts';
import { toWire } from '../../../server/api/wire.ts';
import { emptyReply } from '../../../server/http/execute.ts';
import { taskThread } from '../../../server/platform/task-thread.ts';
import { getPlan } from '../../../server/reports/advisor/operations.ts';
import { openDemo } from '../../support/demo-context.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const input = getPlan.input.parse({ org: 'lumen-harbor' });

async function readPlan(context: ReturnType<typeof openDemo>) {
  const from = performance.now();
  const answer = await getPlan.run(input, context, emptyReply());
  const plan = getPlan.output.parse(toWire(getPlan.output, answer));
  const pending = plan.skipped.filter(({ reason }) => reason.code === 'pending').length;
  return { plan, pending, tookMs: performance.now() - from };
}

test('what takes longer than two seconds is pending, and is shown once it is there', async () => {
  const context = openDemo(service, '/demo?situation=queue');
  const file = fileURLToPath(new URL('../../platform/busy-worker.mjs', import.meta.url));
  const judging = taskThread<JudgeTask | 'loop', Judgement>(file, 64);
  const looping = judging.run('loop', 60_000);
  const services = { ...context.services, judging };
  const held: typeof context = Object.create(context, { services: { value: services } });
  const first = await readPlan(held);
  expect(first.plan.repositories).toMatchObject({ seen: 8, judged: 0 });
  expect(first.pending).toBe(8);
  expect(first.plan.as_of).toBeNull();
  expect(first.tookMs).toBeGreaterThan(1900);
  judging.close();
  expect((await looping).state).toBe('failed');
  await expect.poll(async () => (await readPlan(context)).pending, { timeout: 30_000 }).toBe(0);
  const { plan } = await readPlan(context);
  expect(plan.total?.minutes_saved.low).toBeGreaterThan(0);
  expect(plan.as_of).not.toBeNull();
});
