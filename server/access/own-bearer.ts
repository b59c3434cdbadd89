import { widerNetwork } from '../platform/address.ts';
import { Problem } from '../platform/problem.ts';
import { assertWithinLimit } from '../platform/rate-limit.ts';
import type { FoundToken } from '../store/access-tokens.ts';
import type { TokenRevocation } from '../store/entities/access-token.ts';
import { isAdmitted, notAdmitted } from './admission.ts';
import { everything, grantsOf } from './caller-status.ts';
import { looked, unchecked } from './checked.ts';
import type { Actor, Context, Services } from './context.ts';
import { featureKeys } from './features.ts';
import { openUnderToken, sealUnderToken } from './token-seal.ts';
import { feedPrefix, isTokenText, tokenIdHash } from './token-text.ts';

/** An access token that is live, and the platform token that it stands for. */
interface OpenedToken extends FoundToken {
  idHash: Buffer;
  platformToken: string;
}

/** The token in the address of a feed, whose readers send no headers; null at every other address. */
export const feedToken = ({ pathname, searchParams }: URL): string | null =>
  pathname.startsWith('/api/feeds/') ? (searchParams.get('t') ?? '') : null;

/**
 * Looks up an access token that was sent as a bearer, or in the address of a feed, and decrypts the platform token. Nothing of it is remembered, so
 * that a revoked token is rejected at once by every process.
 * @throws Problem `unauthenticated` with a reason, `db_not_configured`, `authz_unavailable`
 */
export async function findOwnToken(text: string, context: Context): Promise<OpenedToken> {
  const { services } = context;
  if (!isTokenText(text) && !isTokenText(text, feedPrefix))
    throw await countUnknown(context, unauthenticated('token_malformed'));
  const { store } = context;
  const idHash = tokenIdHash(text);
  const now = services.clock.now();
  const found = await looked(() => store.accessTokens.find(idHash, now));
  const kind = feedToken(context.url) === null ? 'personal' : 'feed';
  if (found?.kind !== kind || !context.url.pathname.startsWith('/api/'))
    throw await countUnknown(context, unauthenticated('token_not_valid'));
  const opened = openUnderToken(text, found.sealed, services.secrets);
  if (!opened) throw unauthenticated('token_unreadable');
  await looked(() => store.accessTokens.noteUse(found, widerNetwork(context.address), now));
  if (opened.isOutdated) await resealed(text, { ...found, platformToken: opened.text }, services);
  return { ...found, idHash, platformToken: opened.text };
}

/**
 * The account that an access token stands for, as far as the platform still confirms it, with what its groups are granted
 * and the token was made for.
 */
export async function identifyByToken(found: OpenedToken, context: Context): Promise<Actor> {
  if (found.isBroken) throw unauthenticated('token_rejected');
  const owner = await readOwner(found.platformToken, context);
  if (owner.id !== found.accountId) {
    await revokeToken(found.id, 'account_mismatch', context);
    throw unauthenticated('token_not_valid');
  }
  const { services } = context;
  if (services.env.MODE === 'standalone' && !(await looked(() => isAdmitted(services, owner))))
    throw notAdmitted(services, owner);
  if (services.env.MODE === 'organization' && !found.isKnown) throw unauthenticated('token_not_valid');
  const features = featureKeys.filter((key) => found.features.includes(key));
  const { granted, features: allowed } = services.env.MODE === 'standalone' ? everything : grantsOf(found, services);
  return {
    ...owner,
    token: found.platformToken,
    session: null,
    accessToken: { id: found.id, name: found.name, features, expiresAt: found.expiresAt },
    groups: found.groups,
    isAdmin: false,
    granted,
    features: allowed.filter((key) => features.includes(key)),
  };
}

/** The account of the platform token, as the platform named it within five minutes, or by a request. */
async function readOwner(platformToken: string, context: Context) {
  const codehost = context.connect(platformToken);
  const viewer =
    codehost.knownViewer() ??
    (await codehost.viewer().catch((error: unknown) => {
      const code = error instanceof Problem ? error.code : null;
      if (code === 'unauthenticated') throw unauthenticated('token_rejected');
      throw code === 'upstream_unavailable' ? unchecked(error) : error;
    }));
  const { id, login, name, avatarUrl } = viewer;
  return { id, login, name, avatarUrl };
}

/** Ends a token for a reason of the service's own. */
export async function revokeToken(id: number, reason: TokenRevocation, context: Context): Promise<void> {
  const { store, clock } = context.services;
  const by = { actor: { id: null, login: 'system' }, requestId: context.requestId, now: clock.now() };
  await store?.accessTokens.revoke({ id }, reason, by);
}

/** After a rotation of the secret the platform token is encrypted anew. That this fails changes nothing for the caller. */
async function resealed(text: string, found: FoundToken & { platformToken: string }, services: Services) {
  const sealed = sealUnderToken(text, found.platformToken, services.secrets[0]);
  await services.store?.accessTokens.reseal(found.id, found.sealed, sealed).catch((error: unknown) => {
    services.log.error({ err: error }, 'a platform token could not be encrypted anew');
  });
}

type Reason = 'token_malformed' | 'token_not_valid' | 'token_unreadable' | 'token_rejected';

const sentences: Record<Reason, string> = {
  token_malformed: 'This is not an access token of this service.',
  token_not_valid: 'This access token is not valid.',
  token_unreadable:
    'This access token can no longer be read, because the secret of this service changed. Make a new one.',
  token_rejected: 'GitHub rejected the token behind this access token. Make a new access token.',
};

const unauthenticated = (reason: Reason) => new Problem('unauthenticated', sentences[reason], { details: { reason } });

const maxUnknown = 30;

/** Counts a token that nobody knows against the address it came from; tokens that are known go on to work there. */
async function countUnknown({ services, address }: Context, problem: Problem): Promise<Problem> {
  const { sessionLimits, clock } = services;
  const key = `unknown-token:${address}`;
  assertWithinLimit(await sessionLimits.hit(key, maxUnknown, 60_000, clock.now()));
  return problem;
}
