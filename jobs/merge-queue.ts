import { evaluateQueues } from '../server/alerts/queue-rules.ts';
import { openServiceToken } from '../server/platform/service-token.ts';
import { job } from './job.ts';

const name = 'merge-queue';

/** Looks at merge queues as time goes by: one in which nothing happens, or of which a delivery was lost, tells nothing. */
export const mergeQueue = job({
  name,
  title: 'Merge queues',
  does: 'Looks at merge queues in use, more often where rules watch or webhooks reported them, and evaluates the rules.',
  schedule: '0 */5 * * * *',
  seconds: 20,
  hardSeconds: 60,
  housekeeping: true,
  needsToken: false,
  async run({ services, mayContinue }) {
    const runs = (await services.store?.jobRuns.latest(name, 2)) ?? [];
    const last = runs.find(({ status }) => status !== 'running');
    const after = last?.summary.reached ?? 0;
    const token = services.env.CODEHOST_TOKEN;
    const codehost = token ? services.connect(openServiceToken(token), { background: true }) : null;
    const round = await evaluateQueues(services, { after, codehost, mayContinue });
    return { partial: round.reached !== 0, resumeAt: null, summary: { ...round }, report: null };
  },
});
