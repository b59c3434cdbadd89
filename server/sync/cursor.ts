import type { Instant } from '../metrics/kernel/facts.ts';

/** A stretch of time that is being read, newest first. */
export interface Pass {
  kind: 'forward' | 'deep' | 'backfill';
  from: Instant;
  /** How far back the reading has come; runs of this very second may have been read in part. */
  readDownTo: Instant;
  /**
   * The next page of what lies between `from` and `readDownTo`; above 1 only inside a second with more runs than a
   * page.
   */
  page: number;
  /**
   * Everything created up to here will have been read once the pass reaches `from`; of older work, when what came before it
   * was last looked through.
   */
  through: Instant;
  /** The pass that this one came before. */
  afterwards: Pass | null;
}

/** What has been read of a repository's runs. */
export interface RunCursor {
  /** Everything created up to here has been read, down to `backfilledTo`. */
  syncedThrough: Instant | null;
  backfilledTo: Instant | null;
  /** Runs young enough to be re-run have all been read again since then. */
  deepAt: Instant | null;
  /** A pass that was interrupted. */
  resume: Pass | null;
}

export const neverSynced: RunCursor = { syncedThrough: null, backfilledTo: null, deepAt: null, resume: null };

const minute = 60_000;
const day = 1440 * minute;
/** Runs that were listed late, and endings that were missed, are found again within this time; so is a wrong clock. */
const overlap = 3 * day;
/** While older work goes on, that far is looked once a day, and in between only as far as this. */
const shortOverlap = 60 * minute;
/** A run can be re-run for 30 days after its creation. */
const reRunReach = 31 * day;
const deepEvery = 7 * day;
/** The platform may list a run a little after it was created. */
const settling = 2 * minute;
/** A forward pass this recent is not repeated before older work that is still to be done. */
const recent = 15 * minute;

/** The pass to begin with: what was interrupted, unless it is old work and something new may have come since. */
export function firstPass(cursor: RunCursor, now: Instant, backfillDays: number): Pass {
  const { resume } = cursor;
  if (resume && (resume.kind === 'forward' || isRecent(cursor, now))) return resume;
  return forwardPass(cursor, now, backfillDays);
}

/**
 * The cursor after a pass came to its end, with what is to be read next as `resume`; null there when that is nothing.
 * The watermarks move only here.
 */
export function finish(cursor: RunCursor, pass: Pass, now: Instant, backfillDays: number): RunCursor {
  const moved = { ...watermarks(cursor, pass), resume: pass.afterwards };
  if (!isRecent(moved, now)) return { ...moved, resume: forwardPass(moved, now, backfillDays) };
  return { ...moved, resume: pass.afterwards ?? deepPass(moved, pass, now) ?? backfillPass(moved, now, backfillDays) };
}

/**
 * What was written while the clock was ahead proves nothing of what came since: that is read anew. How far back the
 * reading had come stays true.
 */
export function believable(cursor: RunCursor, now: Instant): RunCursor {
  const written = [cursor.syncedThrough, cursor.deepAt, cursor.resume?.through];
  return written.some((instant) => (instant ?? 0) > now)
    ? { ...neverSynced, backfilledTo: cursor.backfilledTo }
    : cursor;
}

const isRecent = ({ syncedThrough }: Pick<RunCursor, 'syncedThrough'>, now: Instant) =>
  syncedThrough !== null && syncedThrough >= now - recent;

/** Whether the newest runs were read just now or shortly before, however far back the reading has come. */
export function isUpToDate({ syncedThrough, resume }: RunCursor, now: Instant): boolean {
  // Before the first page of a forward pass, the newest runs are as old as before it.
  const hasBegun = resume?.kind === 'forward' && resume.readDownTo <= resume.through;
  return isRecent({ syncedThrough: hasBegun ? resume.through : syncedThrough }, now);
}

function watermarks(cursor: RunCursor, { kind, from, through }: Pass): RunCursor {
  const backfilledTo = Math.min(cursor.backfilledTo ?? from, from);
  if (kind === 'backfill') return { ...cursor, backfilledTo };
  if (kind === 'deep') return { ...cursor, deepAt: through };
  const reachedAll = from <= deepFrom(cursor);
  return { ...cursor, syncedThrough: through, backfilledTo, deepAt: reachedAll ? through : cursor.deepAt };
}

/** Where the next deep pass ends: no older run can have been re-run since the last one. */
const deepFrom = ({ deepAt, backfilledTo }: RunCursor): Instant =>
  deepAt === null || backfilledTo === null ? Number.POSITIVE_INFINITY : Math.max(deepAt - reRunReach, backfilledTo);

function forwardPass({ syncedThrough, backfilledTo, resume }: RunCursor, now: Instant, backfillDays: number): Pass {
  const isOverlapped = resume !== null && resume.kind !== 'forward' && now - resume.through < day;
  // What was read before the clock was ahead may have been re-run since.
  const reRunFrom = Math.max(now - reRunReach, backfilledTo ?? Number.POSITIVE_INFINITY);
  const from =
    syncedThrough === null
      ? Math.min(now - backfillDays * day, reRunFrom)
      : syncedThrough - (isOverlapped ? shortOverlap : overlap);
  const through = now - settling;
  // How far a backfill moves the watermarks follows from its start alone.
  const afterwards = resume?.kind === 'backfill' && !isOverlapped ? { ...resume, through } : resume;
  // The platform's clock decides what is newest, and it may be ahead of this one.
  return { kind: 'forward', from, readDownTo: now + overlap, page: 1, through, afterwards };
}

/** Goes on below what a forward pass has just read. */
function deepPass(cursor: RunCursor, after: Pass, now: Instant): Pass | null {
  const { syncedThrough, deepAt } = cursor;
  if (syncedThrough === null || deepAt === null || now - deepAt < deepEvery) return null;
  const readDownTo = after.kind === 'forward' ? after.from : syncedThrough - overlap;
  return { kind: 'deep', from: deepFrom(cursor), readDownTo, page: 1, through: syncedThrough, afterwards: null };
}

function backfillPass({ syncedThrough, backfilledTo }: RunCursor, now: Instant, backfillDays: number): Pass | null {
  const from = now - backfillDays * day;
  if (syncedThrough === null || backfilledTo === null || backfilledTo <= from + day) return null;
  return { kind: 'backfill', from, readDownTo: backfilledTo, page: 1, through: syncedThrough, afterwards: null };
}
