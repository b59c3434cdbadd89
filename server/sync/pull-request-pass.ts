import type { Instant } from '../metrics/kernel/facts.ts';

/** A reading of the ended pull requests of a repository, the newest update first, that may take several calls. */
export interface PullRequestPass {
  startedAt: Instant;
  /** Whatever was updated last before then is not wanted. */
  until: Instant;
  /** Every pull request that ended since then will have been read. */
  floor: Instant;
  /** Where the next page begins; null at the newest update. */
  after: string | null;
  /**
   * The floor of the sync state it began beside, null without one. Another one at the end tells that somebody read the
   * pull requests whole meanwhile, and that what changed before that is known of theirs alone.
   */
  beside: Instant | null;
}

/** How far the pull requests of a repository have been read, and where the reading goes on. */
export interface PullRequestCursor {
  /** Everything the platform held at this instant was read. */
  syncedThrough: Instant | null;
  resume: PullRequestPass | null;
}

const hour = 3_600_000;
const day = 24 * hour;

/** Whatever looks at pull requests and their commits looks back so far. */
export const lookBack = 90 * day;
/** The platform's clock, and its copies, may be behind by as much. */
export const overlap = hour;

export const neverRead: PullRequestCursor = { syncedThrough: null, resume: null };

/** What was written while the clock was ahead proves nothing: such a repository is read anew. */
export function believable(cursor: PullRequestCursor, now: Instant): PullRequestCursor {
  const { syncedThrough, resume } = cursor;
  return Math.max(syncedThrough ?? 0, resume?.startedAt ?? 0) > now ? neverRead : cursor;
}

/** How far down pull requests are stored already. */
export interface Reached {
  floor: Instant;
  through: Instant;
  capped: boolean;
}

/** Whether everything that ended since then is stored. */
export const reaches = (syncState: Reached | null, floor: Instant, now: Instant): syncState is Reached =>
  syncState !== null && !syncState.capped && syncState.floor <= floor && syncState.through <= now;

/** The first reading of everything that ended in the look-back: an update is never older than the end. */
export const fullPass = (syncState: Reached | null, now: Instant): PullRequestPass => {
  const since = now - lookBack;
  return { startedAt: now, until: since, floor: since, after: null, beside: syncState?.floor ?? null };
};

/** A reading of what changed since another one, which leaves the floor where it is. */
export const changesPass = (
  { through, floor }: Pick<Reached, 'through' | 'floor'>,
  now: Instant,
  beside: Reached | null,
): PullRequestPass => ({
  startedAt: now,
  until: through - overlap,
  floor,
  after: null,
  beside: beside?.floor ?? null,
});
