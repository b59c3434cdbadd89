import { stopwatch } from '../server/platform/clock.ts';
import { openServiceToken } from '../server/platform/service-token.ts';
import { readWaitingLogs } from '../server/sync/attempt-logs.ts';
import { sampleLogs } from '../server/sync/sample-logs.ts';
import { job } from './job.ts';

/** No attempt is begun after so many seconds: rules are to be evaluated in the rest. */
const readSeconds = 30;

/** Reads requested logs, else a sample of them. What the quota leaves over waits for the next minute. */
export const logDownloads = job({
  name: 'log-downloads',
  title: 'Logs of runs',
  does: 'Reads from logs and workflow files which actions runs used, where somebody searched for affected runs, and of a sample of runs before their logs are deleted.',
  schedule: '30 * * * * *',
  seconds: 45,
  hardSeconds: 110,
  housekeeping: true,
  needsToken: true,
  async run({ services, signal, mayContinue }) {
    const { store, env, log, connect } = services;
    if (!store || !env.CODEHOST_TOKEN) throw new Error('Reading logs needs a database and a token.');
    const codehost = connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
    if ((await store.exposure.countWaitingLogs()) === 0) await sampleLogs({ store, env, clock: services.clock });
    const elapsed = stopwatch(services.clock);
    const mayRead = () => mayContinue() && elapsed() < readSeconds * 1000;
    const reading = { store, codehost, services, log, signal, mayContinue: mayRead };
    const { attempts, repoIds } = await readWaitingLogs(reading);
    for (const repository of repoIds.size > 0 ? await store.repositories.tracked() : []) {
      if (!repoIds.has(repository.id)) continue;
      if (!mayContinue()) break;
      await services.evaluateAfterSync(repository, 'exposure', 'cron');
    }
    signal.throwIfAborted();
    return { partial: false, resumeAt: null, summary: { attempts }, report: null };
  },
});
