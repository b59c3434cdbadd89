import type { Context } from '../access/context.ts';
import type { Platform } from '../codehost/changes/client.ts';
import { Problem } from '../platform/problem.ts';
import { nameKey } from '../reports/repositories/visibility.ts';
import type { EventSubject, SeenEvents } from '../store/alert-events.ts';
import type { KnownRepository } from '../store/repositories.ts';
import { parseScope } from './scope.ts';

/** Repositories that are requested one by one, where the list of the caller's does not hold them. */
const maxProbes = 100;

/** What a caller who is no administrator may know of. */
export interface VisibilityScope extends SeenEvents {
  /** Whether rules of this scope are theirs to read. */
  sees(scope: string): boolean;
}

/**
 * What of these rules and events is about repositories that the caller's own token sees, and organizations of which
 * they are an active member.
 * @throws Problem `authz_unavailable` when the platform cannot be reached: then nothing is shown.
 */
export async function findVisibilityScope(
  { rules, subjects }: { rules: readonly { scope: string }[]; subjects: readonly EventSubject[] },
  context: Context,
): Promise<VisibilityScope> {
  const texts = new Set([...rules, ...subjects].map(({ scope }) => scope));
  const scopes = [...texts].flatMap((text) => parseScope(text) ?? []);
  const platform = await context.codehost();
  const getScopeKeys = (kind: string) =>
    scopes.filter(({ scopeKind }) => scopeKind === kind).map(({ scopeKey }) => scopeKey);
  const concerned = await context.store.repositories.concerning({
    names: getScopeKeys('repo'),
    owners: getScopeKeys('org'),
    ids: subjects.flatMap(({ repoId }) => repoId ?? []),
  });
  const repositories = await seenRepositories(concerned, platform).catch(unproved);
  const orgs = await findMemberships(
    new Set(scopes.flatMap(({ owner, repo }) => (repo === null ? [owner] : []))),
    platform,
  );
  const seen = scopes.filter(({ scopeKind, scopeKey }) =>
    (scopeKind === 'org' ? orgs : repositories.names).has(scopeKey),
  );
  const seenTexts = new Set(seen.map(({ scope }) => scope));
  return { scopes: [...seenTexts], repoIds: repositories.ids, sees: (scope) => seenTexts.has(scope) };
}

/**
 * By the caller's own list; beyond it only what is public, or all where the list was truncated, is requested. What is
 * stored is known by the platform's id: a name may have passed to another repository.
 */
async function seenRepositories(concerned: readonly KnownRepository[], { repositories }: Platform) {
  const mine = await repositories.mine();
  if (mine.stale) throw new Problem('upstream_unavailable', 'Only an outdated list is known.');
  const seen = new Set(mine.items.map(({ id }) => id));
  const others = concerned.filter((one) => !seen.has(one.codehostId) && (mine.partial || !one.private));
  for (const one of others.slice(0, maxProbes)) {
    const found = await repositories.get(one).catch(hideForbidden);
    if (found) seen.add(found.id);
  }
  const known = concerned.filter(({ codehostId }) => seen.has(codehostId));
  return { names: new Set([...mine.items, ...known].map(nameKey)), ids: known.map(({ id }) => id) };
}

async function findMemberships(orgs: ReadonlySet<string>, { organizations }: Platform) {
  const member = new Set<string>();
  for (const org of orgs)
    if (await organizations.isMember(org).catch(hideForbidden).catch(unproved)) member.add(org.toLowerCase());
  return member;
}

const unseen: ReadonlySet<string> = new Set([
  'not_found',
  'upstream_forbidden',
  'sso_required',
  'legally_blocked',
  'gone',
]);

function hideForbidden(error: unknown): null {
  if (error instanceof Problem && unseen.has(error.code)) return null;
  throw error;
}

function unproved(error: unknown): never {
  if (!(error instanceof Problem) || !['upstream_unavailable', 'upstream_rate_limited'].includes(error.code))
    throw error;
  throw new Problem('authz_unavailable', 'GitHub cannot be reached to check your access. Try again shortly.', {
    cause: error,
    details: { retry_after_s: 30 },
  });
}
