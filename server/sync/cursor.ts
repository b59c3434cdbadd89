import type { Instant } from '../metrics/facts.ts';

/** A stretch of time that is being read, newest first; `cut` is how far down the reading has come. */
export interface Pass {
  from: Instant;
  cut: Instant;
  /** What `syncedThrough` becomes when the pass reaches `from`. */
  through: Instant;
  kind: 'forward' | 'deep' | 'backfill';
}

/** What has been read of a repository's runs. */
export interface RunCursor {
  /** Everything created up to here has been read, down to `backfilledTo`. */
  syncedThrough: Instant | null;
  backfilledTo: Instant | null;
  /** When runs of the last 31 days were last read again for late re-runs. */
  deepAt: Instant | null;
  /** A pass that was interrupted. */
  resume: Pass | null;
}

export const neverSynced: RunCursor = { syncedThrough: null, backfilledTo: null, deepAt: null, resume: null };

const day = 86_400_000;
const overlap = 3 * day;
/** A run can be re-run for 30 days after its creation. */
const reRunReach = 31 * day;
const deepEvery = 7 * day;
/** The platform may list a run a little after it was created. */
const settling = 120_000;

/** The pass to make next; null when everything is read that should be. */
export function nextPass(cursor: RunCursor, now: Instant, backfillDays: number, done: Set<Pass['kind']>): Pass | null {
  if (cursor.resume) return cursor.resume;
  const target = now - backfillDays * day;
  if (!done.has('forward') && !done.has('deep')) return forwardPass(cursor, now, target);
  if (!done.has('backfill') && cursor.backfilledTo !== null && cursor.backfilledTo > target + day)
    return { kind: 'backfill', from: target, cut: cursor.backfilledTo, through: cursor.syncedThrough ?? now };
  return null;
}

function forwardPass({ syncedThrough, deepAt }: RunCursor, now: Instant, target: Instant): Pass {
  const through = now - settling;
  const cut = now + settling;
  if (syncedThrough === null) return { kind: 'deep', from: target, cut, through };
  const from = Math.max(syncedThrough - overlap, target);
  const isDeep = deepAt === null || now - deepAt >= deepEvery;
  return isDeep
    ? { kind: 'deep', from: Math.min(from, Math.max(now - reRunReach, target)), cut, through }
    : { kind: 'forward', from, cut, through };
}

/** The cursor after a pass came to its end. The watermark moves only here. */
export function finish(cursor: RunCursor, pass: Pass, now: Instant): RunCursor {
  return {
    syncedThrough: pass.kind === 'backfill' ? cursor.syncedThrough : pass.through,
    backfilledTo: cursor.backfilledTo === null ? pass.from : Math.min(cursor.backfilledTo, pass.from),
    deepAt: pass.kind === 'deep' ? now : cursor.deepAt,
    resume: null,
  };
}
