import { z } from 'zod';
import { type FeatureKey, featureKeys } from '../../access/features.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { within } from '../../platform/fields.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { tokenKinds } from '../../store/entities/access-token.ts';
import type { ListedToken } from '../../store/listed-tokens.ts';

/** What an access token can be made for: every feature but those that write. */
export const tokenFeatures = featureKeys.filter(
  (key) => key !== 'dataSync' && key !== 'codehostIssueFromAnomaly' && key !== 'ciAdvisorPullRequest',
) as Exclude<FeatureKey, 'dataSync' | 'codehostIssueFromAnomaly' | 'ciAdvisorPullRequest'>[];

const states = ['live', 'expiring', 'broken', 'expired', 'revoked'] as const;

export type TokenState = (typeof states)[number];

/** Names an access token; it opens nothing. */
export const tokenId = within(1, Number.MAX_SAFE_INTEGER);

/** An access token without its text. */
export const tokenFields = {
  id: z.int(),
  kind: z.enum(tokenKinds),
  name: z.string(),
  hint: z.string().meta({ description: 'The last four characters of its text.' }),
  features: z.array(z.enum(tokenFeatures)),
  created_at: instant,
  expires_at: instant,
  last_used_at: instant.nullable().meta({ description: 'Exact to five minutes; null when it was never used.' }),
  last_used_from: z
    .string()
    .nullable()
    .meta({ description: 'The network it was last used from: 24 bits of IPv4, 48 of IPv6.' }),
  state: z.enum(states).meta({
    description:
      '`expiring`: ends within seven days. `broken`: GitHub rejected the token behind it, so that it has to be made anew.',
  }),
  client: z.null().meta({ description: 'The connected application; there are none yet.' }),
};

/** The same of one token as of `now`. */
export const tokenRecord = (token: ListedToken, now: number) => ({
  id: Number(token.id),
  kind: token.kind,
  name: token.name,
  hint: token.hint,
  features: tokenFeatures.filter((key) => token.features.includes(key)),
  createdAt: token.createdAt,
  expiresAt: token.expiresAt,
  lastUsedAt: token.lastUsedAt,
  lastUsedFrom: token.lastUsedFrom,
  state: tokenState(token, now),
  client: null,
});

/** How a token stands as of `now`. */
export function tokenState({ revokedAt, expiresAt, brokenAt }: ListedToken, now: number): TokenState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt <= now) return 'expired';
  if (brokenAt !== null) return 'broken';
  return expiresAt <= now + 7 * dayMs ? 'expiring' : 'live';
}
