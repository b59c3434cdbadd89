import { z } from 'zod';
import { type Context, changedBy } from '../../access/context.ts';
import { decide } from '../../access/decision.ts';
import { feature, member } from '../../access/rules.ts';
import { badgePrefix, createTokenText, tokenIdHash } from '../../access/token-text.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { invalidRequest, Problem } from '../../platform/problem.ts';
import { visibleRepository } from '../../reports/repositories/visibility.ts';
import { badgeKindNames, badgeKinds } from '../../sharing/badge-kinds.ts';
import { badgeBranch } from '../badges.ts';
import { identifier, repository } from '../parameters.ts';
import { shareRecord } from './fields.ts';

const maxBadges = 200;
const maxDays = 366;

/** What a badge is to show. */
export const newBadge = z
  .object({
    kind: z.enum(badgeKindNames),
    ...repository,
    workflow_id: identifier.optional(),
    branch: badgeBranch.optional().meta({ description: 'Of `workflow`; the default branch without it.' }),
  })
  .refine(({ kind, workflow_id }) => (kind === 'workflow') === (workflow_id !== undefined), {
    path: ['workflow_id'],
    message: 'is what a badge of a workflow needs, and no other takes',
  })
  .refine(({ kind, branch }) => kind === 'workflow' || branch === undefined, {
    path: ['branch'],
    message: 'is of a badge of a workflow alone',
  });

type NewBadge = z.output<typeof newBadge>;

/** Makes the token of a badge whose number the caller may see. Without days it never ends, which public repositories may. */
export async function makeBadge(badge: NewBadge, days: number | undefined, context: Context) {
  const { kind, owner, repo, workflow_id = null, branch = null } = badge;
  const { store, services } = context;
  const { feature: needed } = badgeKinds[kind];
  await decide(needed ? feature(needed) : member, context);
  const visible = await visibleRepository({ owner, repo }, context);
  const known = await store.repositories.find(visible);
  if (!known?.tracked)
    throw new Problem('not_found', 'Runs of this repository are not stored yet. Sync it first under Reports.');
  if (days === undefined && visible.private) throw rejectedEnd('must be given for a private repository');
  if (days !== undefined && days > maxDays) throw rejectedEnd(`must be at most ${maxDays} for a badge`);
  const [now, text, actor] = [services.clock.now(), createTokenText(badgePrefix), await context.actor()];
  const share = {
    tokenHash: tokenIdHash(text),
    kind: 'badge' as const,
    accountId: actor.id,
    login: actor.login,
    page: kind,
    params: { repository_id: visible.id, owner: visible.owner, repo: visible.repo, workflow_id, branch },
    snapshot: null,
    format: null,
    passHash: null,
    createdAt: now,
    expiresAt: days === undefined ? null : now + days * dayMs,
  };
  const id = await store.shares.create(share, maxBadges, await changedBy(context));
  if (id === null)
    throw new Problem('share_limit', `You have ${maxBadges} badges. Revoke one before you make another.`);
  const url = badgeUrl(services.env.APP_URL, { kind, ...share.params, t: text });
  return { token: text, url, share: shareRecord({ ...share, id, revokedAt: null, opensByDay: {} }, now) };
}

const rejectedEnd = (rule: string) =>
  invalidRequest([{ field: 'expires_in_days', reason: 'invalid', message: `expires_in_days ${rule}` }]);

interface Addressed {
  kind: string;
  owner: string;
  repo: string;
  workflow_id: number | null;
  branch: string | null;
  /** Its token; null where none is needed. */
  t: string | null;
}

/** The address of a badge. */
export function badgeUrl(appUrl: string, { kind, owner, repo, ...rest }: Addressed): string {
  const { workflow_id, branch, t } = rest;
  const given = Object.entries({ owner, repo, workflow_id, branch, t }).flatMap(([key, value]) =>
    value === null ? [] : [[key, String(value)]],
  );
  return `${appUrl}/api/badges/${kind}.svg?${new URLSearchParams(given)}`;
}
