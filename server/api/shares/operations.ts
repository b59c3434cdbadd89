import { z } from 'zod';
import { type Context, changedBy } from '../../access/context.ts';
import { bySessionOnly, member } from '../../access/rules.ts';
import { within } from '../../platform/fields.ts';
import { Problem } from '../../platform/problem.ts';
import { operation } from '../operation.ts';
import { bounded, clamped } from '../parameters.ts';
import { sharingFor } from './allowed.ts';
import { ShareRecord, shareId, shareRecord } from './fields.ts';
import { makeBadge, newBadge } from './make-badge.ts';
import { makeLink } from './make-link.ts';

const access = bySessionOnly(member);
const path = '/api/shares';

export const getShares = operation({
  method: 'GET',
  path,
  summary: 'Your badges and links, and to administrators those of everybody; the newest first',
  access,
  input: z.object({ limit: clamped(1, 500, 100), offset: bounded(0, 1_000_000, 0) }),
  output: z.object({
    shares: z.array(ShareRecord),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    may_share: z.boolean().meta({ description: 'Whether you may make another one.' }),
  }),
  async run({ limit, offset }, context) {
    const { store, services } = context;
    const { id, isAdmin } = await context.actor();
    const now = services.clock.now();
    const { shares, total } = await store.shares.list(managesAll(context, isAdmin) ? null : id, { limit, offset });
    const { mayShare } = await sharingFor(context, isAdmin);
    return { shares: shares.map((share) => shareRecord(share, now)), total, limit, offset, mayShare };
  },
});

/** In standalone mode every account administers the service, and none another one's badges and links. */
const managesAll = ({ services }: Context, isAdmin: boolean): boolean =>
  isAdmin && services.env.MODE === 'organization';

export const createShare = operation({
  method: 'POST',
  path,
  summary: 'Make a badge, or a link to what a page says now; its token is in this answer alone',
  access,
  limit: { bucket: 'shares', times: 60, windowMs: 3_600_000, per: 'account', counts: 'after' },
  failures: ['share_limit', 'not_found', 'authz_unavailable'],
  successes: { 201: 'Created' },
  input: z
    .object({
      page: z.string().max(2000).optional().meta({
        description:
          'Path and query of the page that a link is to show as it is now: a repository, the overview of a workflow, deployments or issues, an organization or its health, trends under `/reports`, or the explanation of a metric.',
      }),
      badge: newBadge.optional(),
      expires_in_days: within(1, 366).optional().meta({
        description:
          'Of a link 1 to 90, 14 without it; of a badge at most 366, and of a public repository without an end.',
      }),
      pass_phrase: z
        .string()
        .regex(/^.{8,200}$/su, 'must have 8 to 200 characters')
        .optional()
        .meta({ description: 'Of a link, which then asks for it.' }),
    })
    .refine(({ page, badge }) => (page === undefined) !== (badge === undefined), {
      path: ['page'],
      message: 'must be given, or badge instead',
    })
    .refine(({ badge, pass_phrase }) => badge === undefined || pass_phrase === undefined, {
      path: ['pass_phrase'],
      message: 'is of a link alone',
    }),
  output: z.object({
    token: z.string().meta({ description: 'Stands in `url`. It is stored nowhere.' }),
    url: z.string(),
    share: ShareRecord,
  }),
  async run({ page, badge, expires_in_days, pass_phrase }, context, reply) {
    const { isAdmin } = await context.actor();
    if (!(await sharingFor(context, isAdmin)).mayShare)
      throw new Problem('sharing_disabled', 'Sharing is off, or for administrators alone: see Settings, Sharing.');
    const made = badge
      ? await makeBadge(badge, expires_in_days, context)
      : await makeLink({ page: page ?? '', expires_in_days, pass_phrase }, context);
    reply.status = 201;
    return made;
  },
});

export const revokeShare = operation({
  method: 'DELETE',
  path,
  summary: 'Revoke one of your badges or links; administrators those of everybody',
  access,
  failures: ['not_found'],
  input: z.object({ id: shareId }),
  output: z.object({
    ok: z.literal(true),
    revoked: z.int().meta({ description: '0 for one that had ended before.' }),
  }),
  async run({ id }, context) {
    const { id: accountId, isAdmin } = await context.actor();
    const by = await changedBy(context);
    const { shares } = context.store;
    const own = await shares.revoke({ id, accountId }, 'owner', by);
    const revoked =
      own === 'unknown' && managesAll(context, isAdmin) ? await shares.revoke({ id }, 'administrator', by) : own;
    if (revoked === 'unknown') throw new Problem('not_found', 'There is no such badge or link.');
    return { ok: true as const, revoked: revoked === 'revoked' ? 1 : 0 };
  },
});
