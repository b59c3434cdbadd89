import type { Services } from '../access/context.ts';
import type { Store } from '../store/orm.ts';
import { badgeKinds } from './badge-kinds.ts';

/** Ends the shares that may stay no longer, as far as the time suffices, and answers how many they were. */
export async function endOutdatedShares(
  { store, env, clock }: Pick<Services, 'env' | 'clock'> & { store: Store },
  hasLeft: (account: { accountId: number }) => Promise<boolean>,
  mayContinue: () => boolean,
): Promise<number> {
  const now = clock.now();
  const by = { actor: { id: null, login: 'system' }, requestId: null, now };
  let ended = 0;
  for (const share of await store.shares.live(null, now)) {
    if (!mayContinue()) return ended;
    if ((await hasLeft(share)) && (await store.shares.revoke({ id: share.id }, 'maker_left', by)) === 'revoked')
      ended++;
  }
  const isOrganization = env.MODE === 'organization';
  const features = isOrganization && env.ACCESS_ENFORCEMENT === 'on' ? requiredFeatures : {};
  for (const { id, reason } of await store.shares.outdated(now, { isOrganization, features })) {
    if (!mayContinue()) break;
    if ((await store.shares.revoke({ id }, reason, by)) === 'revoked') ended++;
  }
  return ended;
}

const requiredFeatures = Object.fromEntries(Object.entries(badgeKinds).map(([kind, { feature }]) => [kind, feature]));
