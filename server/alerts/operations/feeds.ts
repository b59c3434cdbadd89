import { z } from 'zod';
import { feedAddress } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { answerFeed } from '../../platform/atom.ts';
import { alertFeed } from '../feed.ts';
import { findVisibilityScope } from '../visible.ts';
import { newestEvents } from './list.ts';

export const getFeed = operation({
  method: 'GET',
  path: '/api/feeds/[feed]',
  summary: 'The newest alerts as an Atom feed',
  access: feedAddress,
  limit: { bucket: 'feeds', times: 60, windowMs: 3_600_000, per: 'token', counts: 'after' },
  failures: ['authz_unavailable'],
  input: z.object({
    feed: z.enum(['alerts.atom']),
    t: z.string().meta({ description: 'A token of the kind `feed`.' }),
  }),
  contentType: 'application/atom+xml',
  output: z.string(),
  async run(_input, context) {
    const { alertEvents } = context.store;
    // Read anew each time: who no longer sees a repository no longer reads its alerts.
    const subjects = await alertEvents.subjects();
    const visibility = await findVisibilityScope({ rules: [], subjects }, context);
    const events = await alertEvents.list(newestEvents, null, visibility);
    return answerFeed(alertFeed(events, context.services.env.APP_URL), context.headers);
  },
});
