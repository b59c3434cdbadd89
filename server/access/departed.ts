import { Problem } from '../platform/problem.ts';
import { openServiceToken } from '../platform/service-token.ts';
import type { Store } from '../store/orm.ts';
import { isAdmitted } from './admission.ts';
import type { Services } from './context.ts';

type Reading = Pick<Services, 'env' | 'owner' | 'connect' | 'log'>;

interface Account {
  accountId: number;
  login: string;
}

/**
 * Which accounts may certainly not use the service any more: those that a standalone installation does not admit, and
 * those that the service's own token does not find among the members of an organization of `SERVICE_ALLOWED_ORGS`.
 */
export async function findDeparted(services: Reading): Promise<(account: Account) => Promise<boolean>> {
  if (services.env.MODE === 'standalone')
    return async ({ accountId, login }) => !(await isAdmitted(services, { id: accountId, login }));
  const members = await listMembers(services);
  return async ({ accountId }) => members !== null && !members.has(accountId);
}

/** Revokes the access tokens of accounts that have left, as far as the time suffices; answers how many. */
export async function endDepartedTokens(
  { store, clock }: Pick<Services, 'clock'> & { store: Store },
  hasLeft: (account: Account) => Promise<boolean>,
  mayContinue: () => boolean,
): Promise<number> {
  const now = clock.now();
  const by = { actor: { id: null, login: 'system' }, requestId: null, now };
  let ended = 0;
  for (const account of await store.accessTokens.accounts(now)) {
    if (!mayContinue()) break;
    if (await hasLeft(account)) ended += await store.accessTokens.revokeAll(account.accountId, 'org_not_allowed', by);
  }
  return ended;
}

/**
 * Ids of the members of all allowed organizations. null where they are not known for certain: without a token, where
 * its account is no member itself, which then sees public members alone, and where a list is not whole.
 */
async function listMembers({ env, connect, log }: Reading): Promise<ReadonlySet<number> | null> {
  if (!env.CODEHOST_TOKEN || env.SERVICE_ALLOWED_ORGS.length === 0) return null;
  const { organizations } = connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
  try {
    const ids = new Set<number>();
    for (const org of env.SERVICE_ALLOWED_ORGS) {
      if ((await organizations.membership(org))?.state !== 'active') return null;
      const { items, partial, stale } = await organizations.members(org, null);
      if (partial || stale) return null;
      for (const { id } of items) ids.add(id);
    }
    return ids;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log.warn({ err: error }, 'it could not be read who has left the organization');
    return null;
  }
}
