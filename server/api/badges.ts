import { z } from 'zod';
import { sharedAddress } from '../access/rules.ts';
import type { Problem } from '../platform/problem.ts';
import { assertWithinLimit } from '../platform/rate-limit.ts';
import { currentBadge, describeBadge } from '../sharing/badge.ts';
import { openBadge } from '../sharing/badge-access.ts';
import { type BadgeKindName, badgeKindNames } from '../sharing/badge-kinds.ts';
import { drawBadge } from '../sharing/badge-svg.ts';
import { operation, perMinute, svgType } from './operation.ts';
import { identifier, repository } from './parameters.ts';

const extension = '.svg';
const files = badgeKindNames.map((kind) => `${kind}${extension}` as const);

/** Of all addresses together. */
const maxPerMinute = 6000;

/** The branch of a workflow. */
export const badgeBranch = z
  .string()
  .regex(/^\P{Cc}{1,255}$/u, 'is not a branch')
  .refine((text) => text.isWellFormed(), 'is not a branch');

export const getBadge = operation({
  method: 'GET',
  path: '/api/badges/[badge]',
  summary: 'A number of a repository as an image',
  access: sharedAddress,
  limit: perMinute('badges', 600, { per: 'address', counts: 'before' }),
  failures: ['invalid_request', 'not_found', 'share_expired', 'rate_limited', 'db_unavailable'],
  cache: 'public, max-age=300',
  describeFailure: drawFailure,
  input: z
    .object({
      badge: z.enum(files),
      ...repository,
      workflow_id: identifier.optional().meta({ description: 'Of `workflow.svg` alone, which needs it.' }),
      branch: badgeBranch.optional().meta({ description: 'Of `workflow.svg` alone; the default branch without it.' }),
      label: z
        .string()
        .regex(/^\P{Cc}{1,40}$/u, 'is not 1 to 40 visible characters')
        .optional(),
      style: z.enum(['flat', 'square']).default('flat'),
      t: z.string().max(100).optional().meta({
        description: 'The token of the badge. Public repositories need none where an administrator allowed that.',
      }),
    })
    .refine(({ badge, workflow_id }) => (badge === 'workflow.svg') === (workflow_id !== undefined), {
      path: ['workflow_id'],
      message: 'is what workflow.svg needs, and no other badge takes',
    })
    .refine(({ badge, branch }) => badge === 'workflow.svg' || branch === undefined, {
      path: ['branch'],
      message: 'is taken by workflow.svg alone',
    }),
  output: z.object({
    label: z.string(),
    message: z.string(),
    title: z.string(),
    tone: z.enum(['pass', 'fail', 'figure', 'none']),
    style: z.enum(['flat', 'square']),
  }),
  svg: drawBadge,
  async run({ badge, owner, repo, workflow_id, branch, label, style, t }, context) {
    const { services, store } = context;
    const now = services.clock.now();
    assertWithinLimit(await services.sessionLimits.hit('badges', maxPerMinute, 60_000, now));
    const kind = badge.slice(0, -extension.length) as BadgeKindName;
    const requested = { kind, owner, repo, workflowId: workflow_id ?? null, branch: branch ?? null };
    const known = await openBadge(requested, t, context);
    const query = { kind, repository: known, workflowId: requested.workflowId, branch: requested.branch };
    const value = await currentBadge(query, { ...services, store });
    return describeBadge(query, value, { label, style, now });
  },
});

/** Whoever looks at a page with a badge on it sees why there is no number. */
function drawFailure({ status }: Problem, _context: unknown, headers: Headers): string {
  headers.set('Content-Type', svgType);
  const message = failures[status] ?? 'unavailable';
  return drawBadge({ label: 'badge', message, title: `badge: ${message}`, tone: 'none', style: 'flat' });
}

const failures: Readonly<Record<number, string>> = { 400: 'invalid', 404: 'not found', 410: 'expired' };
