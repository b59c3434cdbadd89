import { evaluateQueues } from '../server/alerts/queue-rules.ts';
import { job } from './job.ts';

const name = 'merge-queue';

/** Evaluates rules over merge queues as time goes by: a queue in which nothing happens tells nothing. */
export const mergeQueue = job({
  name,
  title: 'Merge queues',
  does: 'Evaluates alert rules about merge queues.',
  schedule: '0 */5 * * * *',
  seconds: 20,
  hardSeconds: 60,
  housekeeping: true,
  needsToken: false,
  async run({ services, mayContinue }) {
    const runs = (await services.store?.jobRuns.latest(name, 2)) ?? [];
    const last = runs.find(({ status }) => status !== 'running');
    const after = last?.summary.reached ?? 0;
    const { evaluated, fired, reached } = await evaluateQueues(services, { after, mayContinue });
    return { partial: reached !== 0, resumeAt: null, summary: { evaluated, fired, reached }, report: null };
  },
});
