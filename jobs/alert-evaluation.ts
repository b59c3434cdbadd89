import { evaluated } from './evaluated.ts';
import { job } from './job.ts';

const mostAtOnce = 50;

/** Evaluates rules over what webhooks brought; a synchronization evaluates by itself. */
export const alertEvaluation = job({
  name: 'alert-evaluation',
  title: 'Alert rules',
  does: 'Evaluates alert rules over repositories whose runs changed.',
  schedule: '5-59/10 * * * * *',
  seconds: 9,
  hardSeconds: 30,
  housekeeping: true,
  needsToken: false,
  everywhere: true,
  async run({ services, mayGoOn }) {
    const { store } = services;
    const about = { feed: 'workflow-runs', source: 'webhook' } as const;
    let fired = 0;
    for (const due of store ? await store.alertDue.waiting(mostAtOnce) : []) {
      if (!store || !mayGoOn()) break;
      fired += (await evaluated(due, { ...about, store }, services)).fired;
      await store.alertDue.evaluated(due);
    }
    return { partial: false, resumeAt: null, summary: { fired }, report: null };
  },
});
