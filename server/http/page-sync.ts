import type { Context } from '../access/context.ts';
import type { SyncSummary } from '../store/sync-progress.ts';

export interface PageSync extends SyncSummary {
  /** Whether it is of all tracked repositories, though the page is of some. */
  isOfAll: boolean;
}

/**
 * What the page is of, with the platform's ids of what the caller was proved to see of it within five minutes, without a
 * request. To be read before anything else: the parts of the page prove it at the same time.
 */
export async function findSyncScope(context: Context): Promise<SyncScope> {
  const scope = findScope(context.url);
  return { isOfSome: scope !== null, ids: scope && (await listKnown(scope, context)) };
}

/**
 * How fresh the stored runs are of what a page is of; null where none are stored. Where nothing of it was proved, of all
 * tracked repositories together, which says nothing of a single one.
 */
export async function loadSync({ services }: Context, { isOfSome, ids }: SyncScope): Promise<PageSync | null> {
  if (!services.store) return null;
  const { syncProgress } = services.store;
  const now = services.clock.now();
  if (ids) return { ...((await syncProgress.summary(now, ids)) ?? notSynced), isOfAll: false };
  const all = await syncProgress.summary(now);
  return all && { ...all, isOfAll: isOfSome };
}

interface SyncScope {
  /** Whether the page is of a repository or an owner. */
  isOfSome: boolean;
  /** null where nothing of it was proved, or the page is of everything. */
  ids: number[] | null;
}

const notSynced: SyncSummary = { repositories: 0, running: 0, syncedThrough: null, behind: 0 };

interface Scope {
  owner: string;
  /** null: all of the owner's. */
  repo: string | null;
}

/** What a page is of, by its address; null for everything that can be seen. */
function findScope({ pathname, searchParams }: URL): Scope | null {
  const [, section, owner, repo] = pathname.split('/').map(decode);
  if (section === 'repos' && owner && repo) return { owner, repo };
  if (section === 'org' && owner) return { owner, repo: null };
  const [repoOwner, name] = (searchParams.get('repo') ?? '').split('/');
  if (repoOwner && name) return { owner: repoOwner, repo: name };
  const asked = searchParams.get('owner') || searchParams.get('org');
  return asked ? { owner: asked, repo: searchParams.get('repo') || null } : null;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The platform's ids of what is known of the scope without a request; null where nothing is. */
async function listKnown({ owner, repo }: Scope, context: Context): Promise<number[] | null> {
  const { repositories } = await context.codehost();
  if (repo !== null) {
    const known = repositories.known({ owner, repo });
    return known && [known.id];
  }
  const ids = repositories
    .knownMine()
    .filter((one) => one.owner.toLowerCase() === owner.toLowerCase())
    .map(({ id }) => id);
  return ids.length === 0 ? null : ids;
}
