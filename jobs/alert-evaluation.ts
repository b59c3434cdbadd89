import { job } from './job.ts';

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
    let fired = 0;
    while (store && mayContinue()) {
      const [due] = await store.alertDue.waiting(1);
      if (!due) break;
      for (const feed of ['workflow-runs', 'merge-queue'] as const)
        fired += (await services.evaluateAfterSync(due, feed, 'webhook')).fired;
      await store.alertDue.evaluated(due);
    }
    return { partial: false, resumeAt: null, summary: { fired }, report: null };
  },
});
