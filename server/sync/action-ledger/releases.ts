import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { shortRefName, type UsedRef } from '../../scan/action-uses.ts';
import type { SeenRelease } from '../../store/action-ledger.ts';
import { passOver } from './problems.ts';
import type { LedgerContext } from './run.ts';

/** A release that the platform has for a tag. */
export interface TaggedRelease extends Pick<UsedRef, 'actionKey' | 'ref'> {
  commit: string;
  releaseId: number;
}

/** A release may become immutable after it was published; one that is stays so. */
const readAgainMs = 7 * dayMs;
/** One of which nothing is known yet is tried again the next night, behind those that wait longer. */
const tryAgainMs = dayMs / 2;

/** One request each, which the rest of the nightly work is not to go without. */
const perNight = 20;

/**
 * Stores whether releases are immutable: once for each commit of a tag, and again after a week where one is not; so many a
 * night, those that were never tried first, then the one that was tried longest ago. Of the rest it is not known, as of one
 * that cannot be read. Answers whether there was time for those of this night.
 */
export async function readReleases(
  context: LedgerContext,
  releases: readonly TaggedRelease[],
  nightBegan: Instant,
): Promise<boolean> {
  const { store, codehost, services, signal, mayContinue } = context;
  const seen = await store.actionLedger.releases([...new Set(releases.map(({ actionKey }) => actionKey))]);
  const room = perNight - seen.filter(({ seenAt }) => seenAt >= nightBegan).length;
  for (const { actionKey, tag, commit, releaseId, known } of listDue(releases, seen, services.clock.now()).slice(
    0,
    Math.max(0, room),
  )) {
    if (!mayContinue()) return false;
    const seenAt = services.clock.now();
    const [owner = '', repo = ''] = actionKey.split('/');
    const found = await codehost.release({ owner, repo }, releaseId).catch((error: unknown) => {
      passOver(error);
      return null;
    });
    signal.throwIfAborted();
    const { immutable, publishedAt } = found ?? known ?? unread;
    await store.actionLedger.putRelease({ actionKey, tag, commit, seenAt, immutable, publishedAt });
  }
  return true;
}

/** Of one that cannot be read: the try alone is stored. */
const unread = { immutable: null, publishedAt: null };

/** Those that are to be read, each once, the longest not read first. */
function listDue(releases: readonly TaggedRelease[], seen: readonly SeenRelease[], now: Instant) {
  const known = new Map(seen.map((one) => [toKey(one), one]));
  const all = releases.map(({ actionKey, ref, commit, releaseId }) => {
    const release = { actionKey, tag: shortRefName(ref), commit, releaseId };
    return { ...release, known: known.get(toKey(release)) };
  });
  return [...new Map(all.map((one) => [toKey(one), one])).values()]
    .filter(({ known: one }) => !one || (one.immutable !== true && now - one.seenAt >= waitOf(one)))
    .sort((one, other) => (one.known?.seenAt ?? 0) - (other.known?.seenAt ?? 0));
}

const waitOf = ({ immutable, publishedAt }: SeenRelease): number =>
  immutable === null && publishedAt === null ? tryAgainMs : readAgainMs;

const toKey = ({ actionKey, tag, commit }: Pick<SeenRelease, 'actionKey' | 'tag' | 'commit'>) =>
  `${actionKey} ${tag} ${commit}`;
