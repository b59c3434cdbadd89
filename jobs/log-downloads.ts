import type { Platform } from '../server/codehost/changes/client.ts';
import { hasSpareQuota } from '../server/codehost/client/rate-limit.ts';
import type { Instant } from '../server/metrics/kernel/facts.ts';
import { dayMs, hourMs } from '../server/metrics/kernel/window.ts';
import { stopwatch } from '../server/platform/clock.ts';
import { Problem } from '../server/platform/problem.ts';
import { openServiceToken } from '../server/platform/service-token.ts';
import { readWaitingLogs } from '../server/sync/attempt-logs.ts';
import { sampleLogs } from '../server/sync/sample-logs.ts';
import { job } from './job.ts';

/** No attempt is begun after so many seconds: rules are to be evaluated in the rest. */
const readSeconds = 30;

/** From an hour before the nightly look at refs (05:17 UTC) until it is done half of the quota is left to it. */
const sharedHours = { from: 4.25 * hourMs, to: 6.5 * hourMs };
const nightShare = 0.5;

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
    const none = { partial: false, resumeAt: null, summary: { attempts: 0 }, report: null };
    if (isShared(services.clock.now()) && !(await leavesHalf(codehost))) return none;
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
    return { ...none, summary: { attempts } };
  },
});

const isShared = (now: Instant): boolean => now % dayMs >= sharedHours.from && now % dayMs < sharedHours.to;

/** What the platform does not say of its quota is none to spare. @throws Problem when the token is rejected. */
const leavesHalf = (codehost: Platform): Promise<boolean> =>
  hasSpareQuota(codehost, nightShare).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code === 'unauthenticated') throw error;
    return false;
  });
