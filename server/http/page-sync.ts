import type { Context } from '../access/context.ts';
import type { SyncSummary } from '../store/sync-progress.ts';

export interface PageSync extends SyncSummary {
  /** Whether it is of all tracked repositories, though the page is of some. */
  isOfAll: boolean;
}

/**
 * How fresh the stored runs are of the repository or the owner that a page is of; null where none are stored. Of those
 * the caller was proved to see within five minutes, without a request; before that of all tracked repositories together,
 * which says nothing of a single one.
 */
export async function loadSync(context: Context): Promise<PageSync | null> {
  const { services, url } = context;
  if (!services.store) return null;
  const { syncProgress } = services.store;
  const now = services.clock.now();
  const scope = findScope(url);
  const ids = scope && (await listKnown(scope, context));
  if (ids) return { ...((await syncProgress.summary(now, ids)) ?? notSynced), isOfAll: false };
  const all = await syncProgress.summary(now);
  return all && { ...all, isOfAll: scope !== null };
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
