import { endOutdatedShares } from '../server/sharing/outdated.ts';
import { job } from './job.ts';

/** Ends what is shared and may be no longer. */
export const shareCheck = job({
  name: 'share-check',
  title: 'Shares',
  does: 'Revokes badges and links whose makers have left, and endless badges of repositories that are private now.',
  schedule: '57 2 * * *',
  seconds: 60,
  hardSeconds: 90,
  housekeeping: true,
  needsToken: false,
  async run({ services, mayContinue }) {
    const { store } = services;
    const shares_ended = store ? await endOutdatedShares({ ...services, store }, mayContinue) : 0;
    return { partial: !mayContinue(), resumeAt: null, summary: { shares_ended }, report: null };
  },
});
