import type { Context } from '../access/context.ts';
import { isTokenText, linkPrefix, tokenIdHash } from '../access/token-text.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import { assertWithinLimit } from '../platform/rate-limit.ts';
import { readSharing } from '../settings/sharing.ts';
import { isPassPhrase } from './pass-phrase.ts';

/** What a page said at one instant, without people. It is never computed again. */
export interface Snapshot {
  takenAt: Instant;
  /** The zone of the team. */
  zone: string;
  /** By the name that the page has for them; as the API answers, without what is not shared. */
  answers: Record<string, unknown>;
}

export interface OpenedLink {
  /** The address of its page. */
  page: string;
  expiresAt: Instant;
  /** null until the pass phrase was given. */
  snapshot: Snapshot | null;
  /** Whether a pass phrase was given that is not its own. */
  isWrong: boolean;
}

const maxUnknown = 30;
const maxTries = 5;

/**
 * What a link shows. Read at every request, so that one that is revoked is gone at once, in every process.
 * @throws Problem `not_found`, alike for unknown, revoked and expired ones; `rate_limited`
 */
export async function openLink(token: string, phrase: string | null, context: Context): Promise<OpenedLink> {
  const { services, address, store } = context;
  const now = services.clock.now();
  const isOff = (await readSharing(services.env, store)).sharing === 'off';
  const hash = tokenIdHash(token);
  const link = await store.shares.findLink(hash, now);
  if (!link || isOff || !isTokenText(token, linkPrefix)) {
    assertWithinLimit(await services.sessionLimits.hit(`unknown-link:${address}`, maxUnknown, 60_000, now));
    throw new Problem('not_found', 'There is nothing at this address.');
  }
  const { page, expiresAt, passHash, snapshot } = link;
  if (passHash !== null && phrase === null) return { page, expiresAt, snapshot: null, isWrong: false };
  if (passHash !== null && phrase !== null) {
    const key = `pass-phrase:${address}:${hash.toString('base64url')}`;
    assertWithinLimit(await services.limits.hit(key, maxTries, 60_000, now));
    if (!(await isPassPhrase(phrase, passHash))) return { page, expiresAt, snapshot: null, isWrong: true };
  }
  await store.shares.noteOpen(link.id, now);
  return { page, expiresAt, snapshot: snapshot as Snapshot, isWrong: false };
}
