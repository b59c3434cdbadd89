import { z } from 'zod';
import { within } from '../../platform/fields.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { type BadgeKindName, badgeKinds } from '../../sharing/badge-kinds.ts';
import { snapshotFormat } from '../../sharing/snapshot.ts';
import type { StoredShare } from '../../store/shares.ts';

const states = ['live', 'expired', 'revoked', 'outdated'] as const;

/** Names a share; it opens nothing. */
export const shareId = within(1, Number.MAX_SAFE_INTEGER);

/** A badge or a link without its token. */
export const ShareRecord = z
  .object({
    id: z.int(),
    kind: z.enum(['badge', 'link']),
    page: z.string().meta({ description: 'Of a badge its kind, of a link the address of its page.' }),
    title: z.string(),
    owner: z.string().meta({ description: 'Login of whoever made it.' }),
    created_at: instant,
    expires_at: instant.nullable().meta({ description: 'null for a badge of a public repository without an end.' }),
    state: z.enum(states).meta({
      description:
        '`outdated` is a link of another version of the service, which does not open here: make another one after an update.',
    }),
    opens: z.int().nullable().meta({ description: 'Of a link; requests of badges are not counted.' }),
  })
  .meta({ id: 'Share' });

export const shareRecord = (share: StoredShare, now: number) => ({
  id: Number(share.id),
  kind: share.kind,
  page: share.page,
  title: titleOf(share),
  owner: share.login,
  createdAt: share.createdAt,
  expiresAt: share.expiresAt,
  state: shareState(share, now),
  opens: share.kind === 'badge' ? null : Object.values(share.opensByDay).reduce((sum, opens) => sum + opens, 0),
});

function titleOf({ kind, page, params }: Pick<StoredShare, 'kind' | 'page' | 'params'>): string {
  if (kind === 'link' || !params) return page;
  const name = badgeKinds[page as BadgeKindName]?.name ?? page;
  return `${name}, ${params.owner}/${params.repo}${params.branch === null ? '' : `, ${params.branch}`}`;
}

function shareState({ kind, revokedAt, expiresAt, format }: StoredShare, now: number): (typeof states)[number] {
  // The end of a link is noted as well.
  if (revokedAt !== null && (expiresAt === null || revokedAt < expiresAt)) return 'revoked';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return kind === 'link' && format !== snapshotFormat ? 'outdated' : 'live';
}
