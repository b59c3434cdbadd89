import type { Context } from '../access/context.ts';
import { badgePrefix, isTokenText, tokenIdHash } from '../access/token-text.ts';
import type { Instant, RepositoryName } from '../metrics/kernel/facts.ts';
import { dayMs, hourMs } from '../metrics/kernel/window.ts';
import { Problem } from '../platform/problem.ts';
import { nameKey } from '../reports/repositories/visibility.ts';
import { readSharing } from '../settings/sharing.ts';
import type { KnownRepository } from '../store/repositories.ts';
import { isLive } from '../store/shares.ts';
import type { BadgeKindName } from './badge-kinds.ts';

export interface RequestedBadge extends RepositoryName {
  kind: BadgeKindName;
  workflowId: number | null;
  branch: string | null;
}

/** How long it counts what GitHub said of a repository: whether everybody may see it. */
const publicForMs = 24 * hourMs;

/** A repository that nobody was given for so long has vanished, as the nightly reading takes it to have. */
const vanishedAfterMs = 7 * dayMs;

/**
 * The repository of a badge that may be shown: of exactly what its token was made for, or without one a public
 * repository, where that is allowed.
 * @throws Problem `share_expired`; `not_found` for everything else, which says nothing of what there is
 */
export async function openBadge(badge: RequestedBadge, token: string | undefined, context: Context) {
  const { services, store } = context;
  const settings = await readSharing(services.env, store);
  if (token !== undefined) return settings.sharing === 'off' ? hidden() : findByToken(badge, token, context);
  return settings.public_badges ? findPublic(badge, context) : hidden();
}

async function findByToken(
  badge: RequestedBadge,
  token: string,
  { store, services }: Context,
): Promise<KnownRepository> {
  if (!isTokenText(token, badgePrefix)) return hidden();
  const share = await store.shares.find(tokenIdHash(token), 'badge');
  const subject = share?.params;
  if (!share || !subject || share.revokedAt !== null) return hidden();
  const isSame =
    share.page === badge.kind &&
    isSameName(subject, badge) &&
    subject.workflow_id === badge.workflowId &&
    subject.branch === badge.branch;
  if (!isSame) return hidden();
  if (!isLive(share, services.clock.now())) throw new Problem('share_expired', 'This badge has expired.');
  const repository = await store.repositories.find({ id: subject.repository_id });
  if (!repository?.tracked || hasVanished(repository, services.clock.now())) return hidden();
  // Without an end it was made for a public repository, which is public no longer where it is not given.
  const isPublic = !repository.private && repository.unreachableSince === null;
  return share.expiresAt === null && !isPublic ? hidden() : repository;
}

/**
 * That one token is not given a repository says nothing of others: its maker's may be, and a reading with any of them takes
 * the mark away. What is blocked is blocked for everybody.
 */
function hasVanished({ unreachableSince, lastErrorCode }: KnownRepository, now: Instant): boolean {
  if (unreachableSince === null) return false;
  return lastErrorCode === 'legally_blocked' || now - unreachableSince >= vanishedAfterMs;
}

async function findPublic(badge: RequestedBadge, { store, services }: Context): Promise<KnownRepository> {
  const repository = (await store.repositories.tracked(badge.owner)).find((one) => isSameName(one, badge));
  if (!repository || repository.private || repository.unreachableSince !== null) return hidden();
  const cursor = await store.cursors.get(repository.id);
  const isKnown = (cursor?.syncedThrough ?? 0) >= services.clock.now() - publicForMs;
  return isKnown ? repository : hidden();
}

const isSameName = (one: RepositoryName, other: RepositoryName) => nameKey(one) === nameKey(other);

function hidden(): never {
  throw new Problem('not_found', 'There is no such badge.');
}
