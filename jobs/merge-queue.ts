import { job } from './job.ts';

/** Evaluates rules over merge queues as time goes by: a queue in which nothing happens tells nothing. */
export const mergeQueue = job({
  name: 'merge-queue',
  title: 'Merge queues',
  does: 'Evaluates alert rules about merge queues.',
  schedule: '0 */5 * * * *',
  seconds: 20,
  hardSeconds: 60,
  housekeeping: true,
  needsToken: false,
  async run({ services, mayContinue }) {
    let fired = 0;
    let evaluated = 0;
    for (const repository of (await services.store?.repositories.tracked()) ?? []) {
      if (!mayContinue()) break;
      const result = await services.evaluateAfterSync(repository, 'merge-queue', 'cron');
      fired += result.fired;
      evaluated += result.evaluated;
    }
    return { partial: false, resumeAt: null, summary: { evaluated, fired }, report: null };
  },
});
