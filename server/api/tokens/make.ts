import { z } from 'zod';
import { assertAllowedSignIn } from '../../access/allow-list.ts';
import { type Actor, type Context, changedBy } from '../../access/context.ts';
import { features } from '../../access/features.ts';
import { tokenHash } from '../../access/session.ts';
import { sealUnderToken } from '../../access/token-seal.ts';
import { createTokenText, feedPrefix, isOwnToken, tokenIdHash, tokenPrefix } from '../../access/token-text.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { within } from '../../platform/fields.ts';
import { invalidRequest, Problem } from '../../platform/problem.ts';
import { tokenKinds } from '../../store/entities/access-token.ts';
import { tokenFeatures, tokenRecord } from './fields.ts';

const maxLive = 20;
const usualDays = 90;

export const newToken = z
  .object({
    name: z
      .string()
      .trim()
      .regex(/^\P{Cc}{1,80}$/u, 'must have 1 to 80 visible characters')
      .refine((text) => text.isWellFormed(), 'holds characters that are no text')
      .meta({ description: 'To tell it from others; need not be unique.' }),
    kind: z
      .enum(tokenKinds)
      .default('personal')
      .meta({ description: '`feed` opens the addresses of feeds, and nothing else.' }),
    expires_in_days: within(1, 3650)
      .optional()
      .meta({ description: `${usualDays} without it and \`expires_at\`; at most \`ACCESS_TOKEN_MAX_DAYS\`.` }),
    expires_at: z.iso.datetime({ offset: true }).optional().meta({ description: 'At least a day from now.' }),
    features: z.array(z.enum(tokenFeatures)).max(tokenFeatures.length).meta({
      description: 'What it may read beyond what every member may; each must be granted to you.',
    }),
    platform_token: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{1,500}$/, 'is not a token: 1 to 500 visible characters without spaces')
      .optional()
      .meta({
        description:
          'GitHub token of your own account that it reads with; without it, that of your session. A fine-grained, ' +
          'read-only token narrows it to chosen repositories.',
      }),
  })
  .refine(({ expires_in_days, expires_at }) => expires_in_days === undefined || expires_at === undefined, {
    path: ['expires_at'],
    message: 'cannot be given beside expires_in_days',
  });

type NewToken = z.output<typeof newToken>;

/**
 * Makes an access token of the caller. Its text is in the answer alone: what is stored is its hash, and the platform
 * token encrypted under it.
 */
export async function makeToken(input: NewToken, context: Context) {
  const { store, services } = context;
  const actor = await context.actor();
  const now = services.clock.now();
  const expiresAt = readExpiry(input, now, services.env.ACCESS_TOKEN_MAX_DAYS);
  assertGranted(input.features, actor);
  const platformToken = await readPlatformToken(input, actor, context);
  const text = createTokenText(input.kind === 'feed' ? feedPrefix : tokenPrefix);
  const stored = {
    idHash: tokenIdHash(text),
    kind: input.kind,
    accountId: actor.id,
    login: actor.login,
    name: input.name,
    hint: text.slice(-4),
    features: tokenFeatures.filter((key) => input.features.includes(key)),
    sealed: sealUnderToken(text, platformToken, services.secrets[0]),
    platformTokenHash: tokenHash(platformToken),
    createdAt: now,
    expiresAt,
  };
  const id = await store.accessTokens.create(stored, maxLive, await changedBy(context));
  if (id === null)
    throw new Problem('token_limit', `You have ${maxLive} live access tokens. Revoke one before you make another.`);
  const unused = { lastUsedAt: null, lastUsedFrom: null, brokenAt: null, revokedAt: null };
  return { token: text, accessToken: tokenRecord({ ...stored, ...unused, id }, now) };
}

/** When it ends: there is no token without an end. */
function readExpiry({ expires_in_days, expires_at }: NewToken, now: number, maxDays: number): number {
  const expiresAt = expires_at
    ? Date.parse(expires_at)
    : now + (expires_in_days ?? Math.min(usualDays, maxDays)) * dayMs;
  const field = expires_at ? 'expires_at' : 'expires_in_days';
  if (expiresAt >= now + dayMs && expiresAt <= now + maxDays * dayMs) return expiresAt;
  const message = `${field} must lie between 1 and ${maxDays} days from now`;
  throw invalidRequest([{ field, reason: 'invalid', message }]);
}

function assertGranted(wanted: NewToken['features'], actor: Actor): void {
  const lacking = wanted.find((key) => !actor.features.includes(key));
  if (lacking === undefined) return;
  const message = `features: ${features[lacking].label} is not granted to you`;
  throw invalidRequest([{ field: 'features', reason: 'invalid', message }]);
}

/** The platform token that it stands for: of the session, or another one of the same account. */
async function readPlatformToken({ platform_token }: NewToken, actor: Actor, { services, requestId }: Context) {
  if (platform_token === undefined) return actor.token;
  if (isOwnToken(platform_token)) throw rejected('platform_token must be a token of GitHub, not of this service');
  const owner = await services
    .connect(platform_token, { requestId })
    .viewer()
    .catch((error: unknown) => {
      throw error instanceof Problem ? problemOf(error) : error;
    });
  if (owner.id !== actor.id) throw rejected('platform_token belongs to another account');
  if (services.env.MODE === 'organization')
    await assertProvesMembership(platform_token, actor, { services, requestId });
  return platform_token;
}

/** A token that cannot show the membership would be revoked at its first use. */
async function assertProvesMembership(
  token: string,
  { id }: Actor,
  { services, requestId }: Pick<Context, 'services' | 'requestId'>,
) {
  try {
    await assertAllowedSignIn(services, { id, token, requestId });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'org_not_allowed') throw error;
    throw rejected('platform_token cannot read your membership: it needs read access to members of the organization');
  }
}

/** An outage is never reported as a wrong token. */
function problemOf(error: Problem): Problem {
  if (error.code === 'unauthenticated') return rejected('platform_token was rejected by GitHub');
  return new Problem('authz_unavailable', 'GitHub cannot be reached to check the token. Try again shortly.', {
    cause: error,
    details: { retry_after_s: error.details?.retry_after_s ?? 30 },
  });
}

const rejected = (message: string) => invalidRequest([{ field: 'platform_token', reason: 'invalid', message }]);
