import type { Context } from '../access/context.ts';
import type { Platform } from '../codehost/changes-client.ts';
import { Problem } from '../platform/problem.ts';
import { nameKey } from '../reports/visibility.ts';
import type { AlertEvent } from '../store/alert-events.ts';
import type { AlertRule } from '../store/alert-rules.ts';
import { scopeOf } from './scope.ts';

/** Repositories that are asked for one by one, where the list of the caller's does not hold them. */
const mostProbes = 100;

/**
 * What of rules and events a caller who is no administrator may know of: what is about repositories that their own
 * token sees, and organizations of which they are an active member.
 * @throws Problem `authz_unavailable` when the platform cannot be asked: then nothing is shown.
 */
export async function visibleOf<
  Rule extends Pick<AlertRule, 'scope'>,
  Event extends Pick<AlertEvent, 'scope' | 'repo'>,
>(
  { rules, events }: { rules: readonly Rule[]; events: readonly Event[] },
  context: Context,
): Promise<{ rules: Rule[]; events: Event[] }> {
  const scopes = [...rules, ...events].map(({ scope }) => scopeOf(scope)).filter((scope) => scope !== null);
  const named = scopes.flatMap(({ owner, repo }) => (repo === null ? [] : [{ owner, repo }]));
  const breached = events.flatMap(({ repo }) => (repo === null ? [] : [nameOf(repo)]));
  const platform = await context.codehost();
  const repos = await seenRepositories([...named, ...breached], platform).catch(unproved);
  const orgs = await memberOf(
    new Set(scopes.flatMap(({ owner, repo }) => (repo === null ? [owner] : []))),
    platform,
  ).catch(unproved);
  const isSeen = (text: string) => {
    const scope = scopeOf(text);
    return scope !== null && (scope.scopeKind === 'org' ? orgs : repos).has(scope.scopeKey);
  };
  return {
    rules: rules.filter(({ scope }) => isSeen(scope)),
    events: events.filter(({ scope, repo }) => isSeen(scope) && (repo === null || repos.has(repo.toLowerCase()))),
  };
}

const nameOf = (repo: string) => {
  const [owner = '', name = ''] = repo.split('/');
  return { owner, repo: name };
};

async function seenRepositories(wanted: { owner: string; repo: string }[], { repositories }: Platform) {
  if (wanted.length === 0) return new Set<string>();
  const mine = await repositories.mine();
  if (mine.stale) throw new Problem('upstream_unavailable', 'Only an old list is known.');
  const seen = new Set(mine.items.map(nameKey));
  const others = new Map(wanted.map((one) => [nameKey(one), one]));
  for (const [key, one] of [...others].filter(([key]) => !seen.has(key)).slice(0, mostProbes)) {
    const found = await repositories.get(one).catch(refusedAsUnseen);
    if (found) seen.add(key);
  }
  return seen;
}

async function memberOf(orgs: ReadonlySet<string>, { organizations }: Platform) {
  const member = new Set<string>();
  for (const org of orgs) {
    const membership = await organizations.membership(org).catch(refusedAsUnseen);
    if (membership?.state === 'active') member.add(org.toLowerCase());
  }
  return member;
}

const unseen: ReadonlySet<string> = new Set([
  'not_found',
  'upstream_forbidden',
  'sso_required',
  'legally_blocked',
  'gone',
]);

function refusedAsUnseen(error: unknown): null {
  if (error instanceof Problem && unseen.has(error.code)) return null;
  throw error;
}

function unproved(error: unknown): never {
  if (!(error instanceof Problem) || !['upstream_unavailable', 'upstream_rate_limited'].includes(error.code))
    throw error;
  throw new Problem('authz_unavailable', 'The platform cannot be asked what you may see. Try again shortly.', {
    details: { retry_after_s: 30 },
  });
}
