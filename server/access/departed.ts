import type { Codehost } from '../codehost/client/client.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import { Problem } from '../platform/problem.ts';
import { openServiceToken } from '../platform/service-token.ts';
import type { Store } from '../store/orm.ts';
import type { Services } from './context.ts';

type Reading = Pick<Services, 'env' | 'connect' | 'log'>;
type HasLeft = (account: { accountId: number }) => Promise<boolean>;

/**
 * Which accounts have certainly left the organizations of `SERVICE_ALLOWED_ORGS`: the service's own token does not find
 * them in the lists of members, and each of these organizations answers about the account alone that it is no member. A
 * list may lack a member, as it is read page by page. In standalone mode nobody counts as having left.
 */
export async function findDeparted({ env, connect, log }: Reading): Promise<HasLeft> {
  const allowed = env.SERVICE_ALLOWED_ORGS;
  if (env.MODE === 'standalone' || !env.CODEHOST_TOKEN || allowed.length === 0) return async () => false;
  const { organizations } = connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
  const members = await unlessUnreadable(log, () => listMembers(organizations, allowed, log));
  if (members === null) return async () => false;
  const answers = new Map<number, Promise<boolean | null>>();
  return async ({ accountId }) => {
    if (members.has(accountId)) return false;
    const answer = answers.get(accountId) ?? unlessUnreadable(log, () => isInNone(organizations, allowed, accountId));
    answers.set(accountId, answer);
    return (await answer) === true;
  };
}

const heldMs = 7 * dayMs;

/**
 * Whether nobody counts as having left tonight, since `SERVICE_ALLOWED_ORGS` has lost an organization within seven days:
 * all its members look gone then, and what is revoked does not come back with its name. Remembers what is allowed now.
 */
export async function areDeparturesHeld({
  store,
  env,
  clock,
  log,
}: Pick<Services, 'env' | 'clock' | 'log'> & { store: Store }): Promise<boolean> {
  const now = clock.now();
  const orgs = env.SERVICE_ALLOWED_ORGS.map((org) => org.toLowerCase());
  const before = (await store.answers.get<{ orgs: string[]; heldUntil: Instant }>(allowedKey, now))?.value;
  const lost = before?.orgs.filter((org) => !orgs.includes(org)) ?? [];
  const heldUntil = lost.length > 0 ? now + heldMs : (before?.heldUntil ?? 0);
  await store.answers.put(allowedKey, { orgs, heldUntil }, now, rememberedMs);
  if (now >= heldUntil) return false;
  log.warn({ lost, until: heldUntil }, 'SERVICE_ALLOWED_ORGS has lost an organization: nobody counts as having left');
  return true;
}

const allowedKey = 'departed:allowed-orgs';
const rememberedMs = 400 * dayMs;

/** Revokes the access tokens of accounts that have left, as far as the time suffices; answers how many. */
export async function endDepartedTokens(
  { store, clock }: Pick<Services, 'clock'> & { store: Store },
  hasLeft: HasLeft,
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

/** Takes all groups from accounts that have left, as far as the time suffices; answers from how many. */
export async function endDepartedGroups(
  { store, clock }: Pick<Services, 'clock'> & { store: Store },
  hasLeft: HasLeft,
  mayContinue: () => boolean,
): Promise<number> {
  const by = { actor: { id: null, login: 'system' }, requestId: null, now: clock.now() };
  let ended = 0;
  for (const account of await store.users.inGroups()) {
    if (!mayContinue()) break;
    if (!(await hasLeft(account))) continue;
    if (await store.users.removeAllGroups(account.accountId, 'org_not_allowed', by)) ended++;
  }
  return ended;
}

type Organizations = Pick<Codehost['organizations'], 'membership' | 'members' | 'hasMember'>;

/**
 * Ids of the members of all allowed organizations. null where they are not known: where the token's account is no
 * member itself, which then sees public members alone, and where a list is not whole, as beyond 3,000 members; the log
 * says which.
 */
async function listMembers(
  organizations: Organizations,
  allowed: readonly string[],
  log: Services['log'],
): Promise<ReadonlySet<number> | null> {
  const ids = new Set<number>();
  const unknown = (org: string, reason: string) => {
    log.warn({ org, reason }, 'nobody counts as having left: the members of an organization are not known');
    return null;
  };
  for (const org of allowed) {
    if ((await organizations.membership(org))?.state !== 'active') return unknown(org, 'token of no member');
    const { items, partial, stale } = await organizations.members(org, null);
    if (partial || stale) return unknown(org, partial ? 'list of members not whole' : 'list of members is an old copy');
    for (const { id } of items) ids.add(id);
  }
  return ids;
}

async function isInNone(organizations: Organizations, allowed: readonly string[], accountId: number): Promise<boolean> {
  for (const org of allowed) if (await organizations.hasMember(org, accountId)) return false;
  return true;
}

/** null, with a line in the log, where the platform does not answer. */
async function unlessUnreadable<T>(log: Services['log'], read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log.warn({ err: error }, 'it could not be read who has left the organization');
    return null;
  }
}
