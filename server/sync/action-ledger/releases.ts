import { dayMs } from '../../metrics/kernel/window.ts';
import { shortRefName, type UsedRef } from '../../scan/action-uses.ts';
import { passOver } from './problems.ts';
import type { LedgerContext } from './run.ts';

/** A release that the platform has for a tag. */
export interface TaggedRelease extends Pick<UsedRef, 'actionKey' | 'ref'> {
  commit: string;
  releaseId: number;
}

/** A release may become immutable after it was published; one that is stays so. */
const readAgainMs = 7 * dayMs;

/**
 * Stores whether releases are immutable: once for each commit of a tag, and again after a week where one is not. One that
 * cannot be read is read the next night. Answers whether there was time for all.
 */
export async function readReleases(context: LedgerContext, releases: readonly TaggedRelease[]): Promise<boolean> {
  const { store, codehost, services, signal, mayContinue } = context;
  const seen = await store.actionLedger.releases([...new Set(releases.map(({ actionKey }) => actionKey))]);
  for (const { actionKey, ref, commit, releaseId } of releases) {
    const tag = shortRefName(ref);
    const known = seen.find((one) => one.actionKey === actionKey && one.tag === tag && one.commit === commit);
    const now = services.clock.now();
    if (known && (known.immutable === true || now - known.seenAt < readAgainMs)) continue;
    if (!mayContinue()) return false;
    const [owner = '', repo = ''] = actionKey.split('/');
    const found = await codehost.release({ owner, repo }, releaseId).catch((error: unknown) => {
      passOver(error);
      return null;
    });
    signal.throwIfAborted();
    if (found) await store.actionLedger.putRelease({ actionKey, tag, commit, seenAt: now, ...found });
  }
  return true;
}
