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

/** What a synchronization is about. */
interface ToSync {
  repositories: Repository[];
  /** How many repositories of its scope its limit leaves out; null where not all of them could be listed. */
  leftOut: number | null;
}

/**
 * Which repositories a synchronization is about: the one named, those of an organization, or the tracked ones the
 * caller's token can see; for a caller without any, their own recently pushed ones. Archived ones are read only where
 * they are tracked, so that figures of the whole scope reach as far as those of the others.
 */
export async function repositoriesToSync({ org, owner, repo }: Scope, context: Context): Promise<ToSync> {
  const { repositories } = await context.codehost();
  if (owner && repo) return { repositories: [await repositories.get({ owner, repo })], leftOut: 0 };
  if (org) {
    const { items, partial } = await repositories.ofOrganization(org);
    const live = items.filter((one) => !one.archived);
    const archived = items.filter((one) => one.archived);
    const { repositories: chosen, leftOut } = limit(live, organizationLimit);
    return { repositories: [...chosen, ...(await onlyTracked(archived, context))], leftOut: partial ? null : leftOut };
  }
  const { items, partial } = await repositories.mine();
  const known = await onlyTracked(items, context);
  const since = context.services.clock.now() - recentMs;
  const own = items.filter((one) => !one.archived && (one.pushedAt ?? 0) >= since);
  const chosen =
    known.length === 0
      ? limit(own, ownLimit)
      : { repositories: byPush(known), leftOut: own.filter((one) => !known.includes(one)).length };
  return { ...chosen, leftOut: partial ? null : chosen.leftOut };
}

async function onlyTracked(items: readonly Repository[], { store }: Context): Promise<Repository[]> {
  const tracked = await store.repositories.tracked();
  return items.filter((one) => tracked.some((row) => sameName(row.owner, one.owner) && sameName(row.repo, one.repo)));
}

function limit(items: readonly Repository[], most: number) {
  return { repositories: byPush(items).slice(0, most), leftOut: Math.max(0, items.length - most) };
}

const byPush = (repositories: readonly Repository[]) =>
  repositories.toSorted((a, b) => (b.pushedAt ?? 0) - (a.pushedAt ?? 0));
