import type { Context } from '../../access/context.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { sameName } from '../repositories/visibility.ts';

interface Scope {
  org?: string | undefined;
  owner?: string | undefined;
  repo?: string | undefined;
}

const organizationLimit = 200;
const ownLimit = 50;
const recentMs = 90 * dayMs;

/**
 * Which repositories a synchronization is about: the one named, those of an organization, or the tracked ones the
 * caller's token can see; for a caller without any, their own recently pushed ones.
 */
export async function repositoriesToSync({ org, owner, repo }: Scope, context: Context): Promise<Repository[]> {
  const codehost = await context.codehost();
  if (owner && repo) return [await codehost.repositories.get({ owner, repo })];
  if (org) {
    const { items } = await codehost.repositories.ofOrganization(org);
    return byPush(items.filter((one) => !one.archived)).slice(0, organizationLimit);
  }
  const { items } = await codehost.repositories.mine();
  const tracked = await context.store.repositories.tracked();
  const known = items.filter((one) =>
    tracked.some((row) => sameName(row.owner, one.owner) && sameName(row.repo, one.repo)),
  );
  if (known.length > 0) return byPush(known);
  const since = context.services.clock.now() - recentMs;
  const own = items.filter((one) => !one.archived && (one.pushedAt ?? 0) >= since);
  return byPush(own).slice(0, ownLimit);
}

const byPush = (repositories: readonly Repository[]) =>
  repositories.toSorted((a, b) => (b.pushedAt ?? 0) - (a.pushedAt ?? 0));
