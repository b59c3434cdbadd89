import type { Context } from '../../access/context.ts';
import type { Listing } from '../../codehost/client/client.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { lastDaysWindow, type Window } from '../../metrics/kernel/window.ts';
import { Problem } from '../../platform/problem.ts';
import { type CoverageReason, readOrProblem, toReason } from '../kernel/coverage.ts';
import { type KnownState, readStates } from '../repositories/states.ts';
import { nameKey } from '../repositories/visibility.ts';
import { type RunHistory, runHistory, storedFreshMs } from './runs.ts';

export const overviewDays = 30;

/** The repositories of an organization that were looked into, and what was read of them. */
export interface OrganizationReading {
  listing: Listing<Repository>;
  window: Window;
  repositories: ReadRepository[];
  /** Why not everything of the repositories beside their runs is known; undefined where it is. */
  partialReason: string | undefined;
  /** Repositories with runs in the window beyond those above; null when that is not known. */
  activeElsewhere: Repository[] | null;
}

export interface ReadRepository {
  repository: Repository;
  /** null when the runs could not be read. */
  history: RunHistory | null;
  failure: CoverageReason | null;
  /** null when it could not be had. */
  state: KnownState | null;
}

/** Whether everything about a repository but its runs is known. */
export const isStateComplete = ({ state }: ReadRepository) => state?.unread === null;

/**
 * Reads the runs of the `limit` repositories pushed to last, archived ones only where others do not fill it.
 * Throws `not_found` for a personal account, and the platform's problem when no repository at all could be read.
 */
export async function readOrganization(
  { org, limit }: { org: string; limit: number },
  listing: Listing<Repository>,
  context: Context,
): Promise<OrganizationReading> {
  const codehost = await context.codehost();
  const window = lastDaysWindow(overviewDays, context.services.clock.now());
  const listed = byActivity(listing.items).slice(0, limit);
  // Stored facts are shared: an old list does not prove that the caller may still see them.
  const mayUseStore = !listing.stale && !context.isDemo;
  const [{ states, partialReason }, read] = await Promise.all([
    readStates(codehost, listed),
    Promise.all(listed.map((one) => readOrProblem(runHistory(one, window, context, mayUseStore)))),
  ]);
  const failures = read.flatMap((one) => (one instanceof Problem ? one : []));
  if (failures[0] && failures.length === listed.length) throw failures[0];
  const stateByName = new Map(states.map((state) => [nameKey(state), state]));
  const repositories = listed.map((repository, index): ReadRepository => {
    const history = read[index] ?? null;
    const state = stateByName.get(nameKey(repository)) ?? null;
    if (history instanceof Problem) return { repository, history: null, failure: toReason(history), state };
    return { repository, history, failure: null, state };
  });
  const elsewhere = mayUseStore ? await activeElsewhere(org, listing, listed, window, context) : null;
  return { listing, window, repositories, partialReason, activeElsewhere: elsewhere };
}

const byActivity = (repositories: readonly Repository[]) =>
  repositories.toSorted(
    (a, b) =>
      Number(a.archived) - Number(b.archived) ||
      (b.pushedAt ?? 0) - (a.pushedAt ?? 0) ||
      a.repo.localeCompare(b.repo, 'en'),
  );

/** Active ones among the repositories that are not listed; null unless the runs of all of them are stored. */
async function activeElsewhere(
  org: string,
  { items, partial }: Listing<Repository>,
  listed: readonly Repository[],
  window: Window,
  { services: { store } }: Context,
): Promise<Repository[] | null> {
  if (!store || partial) return null;
  const isListed = new Set(listed.map(({ id }) => id));
  const others = items.filter(({ id, archived }) => !archived && !isListed.has(id));
  if (others.length === 0) return [];
  const tracked = new Map((await store.repositories.tracked(org)).map((one) => [one.codehostId, one.id]));
  const ids = others.flatMap(({ id }) => tracked.get(id) ?? []);
  if (ids.length < others.length) return null;
  const stored = await store.workflowFigures.storedWindows(ids);
  const isStored = (known: Window | undefined) =>
    known !== undefined && known.from <= window.from && known.to >= window.to - storedFreshMs;
  if (!ids.every((id) => isStored(stored.get(id)))) return null;
  const active = new Set(await store.runs.activeSince(ids, window.from));
  return others.filter((_, index) => active.has(ids[index] ?? 0));
}
