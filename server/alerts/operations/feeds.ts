import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import { feedAddress } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { org } from '../../api/parameters.ts';
import { type AtomFeed, answerFeed } from '../../platform/atom.ts';
import { alertFeed } from '../feed.ts';
import { findVisibilityScope } from '../visible.ts';
import { weeklyFeed } from '../weekly-feed.ts';
import { newestEvents } from './event-page.ts';

export const getFeed = operation({
  method: 'GET',
  path: '/api/feeds/[feed]',
  summary: 'The newest alerts, or the weekly summary of an organization, as an Atom feed',
  access: feedAddress,
  limit: { bucket: 'feeds', times: 60, windowMs: 3_600_000, per: 'token', counts: 'after' },
  failures: ['authz_unavailable', 'not_found'],
  input: z
    .object({
      feed: z.enum(['alerts.atom', 'weekly.atom']),
      t: z.string().meta({ description: 'A token of the kind `feed`.' }),
      org: org.optional().meta({ description: 'Of `weekly.atom`: the organization.' }),
    })
    .refine(({ feed, org }) => (feed === 'weekly.atom') === (org !== undefined), {
      path: ['org'],
      message: 'is of weekly.atom, which needs it',
    }),
  contentType: 'application/atom+xml',
  output: z.string(),
  async run({ org }, context, reply) {
    const feed = org === undefined ? await alertsOf(context) : await weeklyFeed(org, context, reply);
    return answerFeed(feed, context.headers);
  },
});

/** Read anew each time: who no longer sees a repository no longer reads its alerts. */
async function alertsOf(context: Context): Promise<AtomFeed> {
  const { alertEvents } = context.store;
  const subjects = await alertEvents.subjects();
  const visibility = await findVisibilityScope({ rules: [], subjects }, context);
  const events = await alertEvents.list(newestEvents, null, visibility);
  return alertFeed(events, context.services.env.APP_URL);
}
