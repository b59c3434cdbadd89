import { isAdmitted } from '../access/admission.ts';
import type { Services } from '../access/context.ts';
import type { Store } from '../store/orm.ts';

/** Ends the shares that may stay no longer, as far as the time suffices, and answers how many they were. */
export async function endOutdatedShares(
  services: Services & { store: Store },
  mayContinue: () => boolean,
): Promise<number> {
  const { store, env, clock } = services;
  const now = clock.now();
  const by = { actor: { id: null, login: 'system' }, requestId: null, now };
  let ended = 0;
  const isOrganization = env.MODE === 'organization';
  const left = isOrganization ? [] : await leftByMaker(services, now);
  for (const { id, reason } of [...left, ...(await store.shares.outdated(now, { isOrganization }))]) {
    if (!mayContinue()) break;
    if ((await store.shares.revoke({ id }, reason, by)) === 'revoked') ended++;
  }
  return ended;
}

/** Those of accounts that may not use a standalone installation any more. */
async function leftByMaker(services: Services & { store: Store }, now: number) {
  const left: { id: number; reason: 'maker_left' }[] = [];
  for (const { id, accountId, login } of await services.store.shares.live(null, now))
    if (!(await isAdmitted(services, { id: accountId, login }))) left.push({ id, reason: 'maker_left' });
  return left;
}
