import { LRUCache } from 'lru-cache';
import { withinTime } from '../platform/pending-requests.ts';
import { Problem } from '../platform/problem.ts';
import type { Services } from './context.ts';

/** How long it is believed that somebody belongs to an organization; that they do not is never believed. */
const cacheTtlMs = 300_000;
const timeoutMs = 5000;

interface Member {
  id: number;
  token: string;
  requestId: string;
}

/** Questions under way, so that the requests of one page ask the platform once. */
const pendingRequests = new LRUCache<string, Promise<Verdict>>({ max: 10_000 });

interface Verdict {
  status: 'member' | 'stranger' | 'unknown';
  isOwner: boolean;
  /** Why it is unknown. */
  cause: unknown;
}

/**
 * Rejects an account that is no active member of an organization of `SERVICE_ALLOWED_ORGS`, when that is set.
 * Throws `org_not_allowed`, `authz_unavailable` when that cannot be determined, and `unauthenticated` for a dead token.
 */
export async function assertAllowedMember(services: Services, member: Member): Promise<void> {
  const { env, store, clock } = services;
  const allowed = env.SERVICE_ALLOWED_ORGS;
  if (allowed.length === 0 || !store) return;
  const fresh = await store.memberships.fresh(member.id, allowed, clock.now() - cacheTtlMs);
  if (fresh.length > 0) return;
  const key = `${member.id} ${member.token}`;
  const pending = pendingRequests.get(key) ?? requestMembership(services, member);
  pendingRequests.set(key, pending);
  assertMember(await pending.finally(() => pendingRequests.delete(key)));
}

/** The same, but always by a request to the platform. Answers whether the account owns one of the organizations. */
export async function assertAllowedSignIn(services: Services, member: Member): Promise<{ isOwner: boolean }> {
  if (services.env.SERVICE_ALLOWED_ORGS.length === 0) return { isOwner: false };
  const verdict = await requestMembership(services, member);
  assertMember(verdict);
  return { isOwner: verdict.isOwner };
}

function assertMember({ status, cause }: Verdict): void {
  if (status === 'stranger')
    throw new Problem(
      'org_not_allowed',
      'Your account is not an active member of an organization that can sign in here.',
    );
  if (status === 'unknown')
    throw new Problem('authz_unavailable', 'Your membership cannot be checked on GitHub right now.', {
      cause,
      details: { retry_after_s: 30 },
    });
}

async function requestMembership(
  { env, store, clock, connect }: Services,
  { id, token, requestId }: Member,
): Promise<Verdict> {
  let cause: unknown;
  const organizations = connect(token, { requestId }).organizations;
  const answers = await Promise.all(
    env.SERVICE_ALLOWED_ORGS.map(async (organization) => {
      const found = await withinTime(() => organizations.membership(organization), timeoutMs, tooLate).catch(
        (error: unknown) => {
          cause = error;
          return unlessDead(error);
        },
      );
      if (found?.state === 'active') await store?.memberships.store(id, organization, found.role, clock.now());
      return found;
    }),
  );
  const active = answers.filter((one) => one?.state === 'active');
  const isUnknown = answers.includes(undefined);
  const status = active.length > 0 ? 'member' : isUnknown ? 'unknown' : 'stranger';
  return { status, isOwner: active.some((one) => one?.role === 'admin'), cause };
}

/** undefined for what could not be determined; a dead token ends the session, whatever the other organizations answer. */
function unlessDead(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code === 'unauthenticated') throw error;
}

const tooLate = (cause: object) => new Problem('upstream_unavailable', 'GitHub took too long.', { cause });
