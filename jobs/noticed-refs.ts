import { actionTagsMoved } from '../server/alerts/action-metrics.ts';
import { Problem } from '../server/platform/problem.ts';
import { openServiceToken } from '../server/platform/service-token.ts';
import { observeNoticed } from '../server/sync/action-ledger/noticed.ts';
import { job } from './job.ts';

/** Looks at refs as soon as webhooks tell of them: an alarm of an own repository is not to wait for the night. */
export const noticedRefs = job({
  name: 'noticed-refs',
  title: 'Refs that webhooks reported',
  does: 'Looks up tags and branches of actions in use that webhooks reported, judges whether they moved, and evaluates the rules.',
  schedule: '45 * * * * *',
  seconds: 40,
  hardSeconds: 110,
  housekeeping: true,
  needsToken: true,
  async run({ services, signal, mayContinue }) {
    const { store, env, connect } = services;
    if (!store || !env.CODEHOST_TOKEN) throw new Error('Looking up refs needs a database and a token.');
    const codehost = connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
    const context = { services, store, codehost, signal, mayContinue };
    const done = await observeNoticed(context, actionTagsMoved.key).catch(passSpentQuota);
    return { partial: false, resumeAt: null, summary: { ...done }, report: null };
  },
});

/** The next minute tries again. */
function passSpentQuota(error: unknown) {
  if (error instanceof Problem && error.code === 'upstream_rate_limited') return { refs: 0, compared: 0 };
  throw error;
}
