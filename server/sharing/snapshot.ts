import type { Context } from '../access/context.ts';
import { isTokenText, linkPrefix, tokenIdHash } from '../access/token-text.ts';
import type { FoundPage } from '../api/shares/shareable-pages.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import { assertWithinLimit } from '../platform/rate-limit.ts';
import type { PanelNotes } from '../reports/kernel/answer-notes.ts';
import { readSharing } from '../settings/sharing.ts';
import { isPassPhrase } from './pass-phrase.ts';

/**
 * Of the snapshots that this version draws. It is raised with every change of what they hold, or of what their parts
 * need to be drawn: those of another format are not opened.
 */
export const snapshotFormat = 5;

/** What a page said at one instant, without people. It is never computed again. */
export interface Snapshot extends FoundPage {
  format: typeof snapshotFormat;
  takenAt: Instant;
  /** The zone of the team. */
  zone: string;
  /** By the name that the page has for them. */
  answers: Record<string, SharedAnswer>;
}

/** As the API answers, without what is not shared. */
export interface SharedAnswer {
  data: unknown;
  notes: PanelNotes;
}

export interface OpenedLink {
  expiresAt: Instant;
  /** null until the pass phrase was given. */
  snapshot: Snapshot | null;
  /** Whether a pass phrase was given that is not its own. */
  isWrong: boolean;
}

/** How a link is opened. */
export interface Opening {
  token: string;
  /** null where none was sent. */
  phrase: string | null;
  /** Whether somebody looks at it, and not a program ahead of them. */
  isCounted: boolean;
}

const maxUnknown = 30;
const maxWrong = 5;

/**
 * What a link shows. Read at every request, so that one that is revoked is gone at once, in every process.
 * @throws Problem `not_found`, alike for unknown, revoked and expired ones and for those of another format;
 * `rate_limited`
 */
export async function openLink({ token, phrase, isCounted }: Opening, context: Context): Promise<OpenedLink> {
  const { services, address, store } = context;
  const now = services.clock.now();
  const isOff = (await readSharing(services.env, store)).sharing === 'off';
  const hash = tokenIdHash(token);
  const link = await store.shares.findLink(hash, now);
  const snapshot = link?.snapshot as Snapshot | undefined;
  if (!link || snapshot?.format !== snapshotFormat || isOff || !isTokenText(token, linkPrefix)) {
    assertWithinLimit(await services.sessionLimits.hit(`unknown-link:${address}`, maxUnknown, 60_000, now));
    throw new Problem('not_found', 'There is nothing at this address.');
  }
  const { expiresAt, passHash } = link;
  if (passHash !== null) {
    if (phrase === null) return { expiresAt, snapshot: null, isWrong: false };
    const key = `pass-phrase:${address}:${hash.toString('base64url')}`;
    assertWithinLimit(await services.limits.look(key, maxWrong, 60_000, now));
    const isRight = await isPassPhrase(phrase, passHash);
    // Looked at again, since many may be tried at the same time.
    const count = isRight ? services.limits.look : services.limits.hit;
    assertWithinLimit(await count(key, maxWrong, 60_000, now));
    if (!isRight) return { expiresAt, snapshot: null, isWrong: true };
  }
  if (isCounted) await store.shares.noteOpen(link.id, now);
  return { expiresAt, snapshot, isWrong: false };
}
