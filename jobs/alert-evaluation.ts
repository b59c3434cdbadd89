import { randomUUID } from 'node:crypto';
import { staleAfterMs } from '../server/metrics/kernel/window.ts';
import { job } from './job.ts';

const lease = 'alert-evaluation';
const nothing = { partial: false, resumeAt: null, summary: { fired: 0 }, report: null };

/** Evaluates rules over what webhooks delivered; a synchronization evaluates by itself. */
export const alertEvaluation = job({
  name: 'alert-evaluation',
  title: 'Alert rules',
  does: 'Evaluates alert rules of repositories with changed runs or merge queues.',
  schedule: '5-59/10 * * * * *',
  seconds: 9,
  hardSeconds: 30,
  housekeeping: true,
  needsToken: false,
  everywhere: true,
  async run({ services, mayContinue }) {
    const { store } = services;
    if (!store || (await store.alertDue.waiting(1)).length === 0) return nothing;
    // What every process evaluated would be evaluated as often.
    const fired = await store.leases.hold(lease, randomUUID(), async (lost) => {
      let total = 0;
      while (mayContinue() && !lost.aborted) {
        const [due] = await store.alertDue.waiting(1);
        if (!due) break;
        // Runs change by readings and recounts too; without webhooks nothing tells what has run since the last one.
        const isTold = await store.deliveries.isAbout(due, services.clock.now() - staleAfterMs);
        for (const feed of isTold ? (['workflow-runs', 'merge-queue'] as const) : [])
          total += (await services.evaluateAfterSync(due, feed, 'webhook')).fired;
        await store.alertDue.evaluated(due);
      }
      return total;
    });
    return { ...nothing, summary: { fired: fired ?? 0 } };
  },
});
