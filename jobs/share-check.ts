import { areDeparturesHeld, endDepartedGroups, endDepartedTokens, findDeparted } from '../server/access/departed.ts';
import { endOutdatedShares } from '../server/sharing/outdated.ts';
import { job } from './job.ts';

/** Ends what is shared and may be no longer, and access tokens and groups of whoever has left. */
export const shareCheck = job({
  name: 'share-check',
  title: 'Shares',
  does: 'Revokes groups, access tokens, badges and links of people who have left an organization of up to 3,000 members, badges of features their makers have lost, and endless badges of repositories that are private now.',
  schedule: '57 2 * * *',
  seconds: 60,
  hardSeconds: 90,
  housekeeping: true,
  needsToken: false,
  async run({ services, mayContinue }) {
    const { store } = services;
    const summary = { shares_ended: 0, tokens_ended: 0, members_ended: 0, departures_held: 0 };
    if (store) {
      const isHeld = await areDeparturesHeld({ ...services, store });
      if (isHeld) summary.departures_held = 1;
      const hasLeft = isHeld ? async () => false : await findDeparted(services);
      summary.shares_ended = await endOutdatedShares({ ...services, store }, hasLeft, mayContinue);
      summary.tokens_ended = await endDepartedTokens({ ...services, store }, hasLeft, mayContinue);
      summary.members_ended = await endDepartedGroups({ ...services, store }, hasLeft, mayContinue);
    }
    return { partial: !mayContinue(), resumeAt: null, summary, report: null };
  },
});
