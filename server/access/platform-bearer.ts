import { isTokenShaped } from '../codehost/accounts/viewer.ts';
import { Problem } from '../platform/problem.ts';
import { assertWithinLimit } from '../platform/rate-limit.ts';
import { isAdmitted, notAdmitted } from './admission.ts';
import { callerStatus, everything } from './caller-status.ts';
import { looked, unchecked } from './checked.ts';
import type { Actor, Context } from './context.ts';
import { isCronSecret } from './machines.ts';

/** A script's caller: the owner of the platform token it sends. Makes no session. */
export async function fromPlatformToken(token: string, context: Context): Promise<Actor> {
  const { services } = context;
  if (!isTokenShaped(token) || isCronSecret(token, services.env))
    throw new Problem('unauthenticated', 'Send your GitHub token as "Authorization: Bearer <token>".');
  const owner = await readTokenOwner(token, context);
  const identity = { ...owner, token, session: null, accessToken: null };
  if (services.env.MODE === 'standalone') {
    if (await looked(() => isAdmitted(services, owner))) return { ...everything, ...identity };
    throw notAdmitted(services, owner);
  }
  const caller = await looked(async () => services.store?.users.byAccount(owner.id, services.clock.now()));
  if (!caller) throw new Problem('unauthenticated', 'Sign in with a browser once before using scripts.');
  return { ...identity, ...callerStatus(caller, services) };
}

/** The account behind a token: as the platform named it within five minutes, or by a request. */
async function readTokenOwner(token: string, context: Context) {
  const codehost = context.connect(token);
  const { id, login, name, avatarUrl } =
    codehost.knownViewer() ?? (await countRejected(context, token, () => codehost.viewer()));
  return { id, login, name, avatarUrl };
}

const maxRejected = 30;
/** The tokens that are being looked up, by address. */
const lookedUp = new Map<string, Set<string>>();

/**
 * Thirty tokens of an address may be rejected a minute, those that are being looked up included; what the platform
 * accepts or cannot check is not counted.
 */
async function countRejected<T>(context: Context, token: string, request: () => Promise<T>): Promise<T> {
  const { limits, clock } = context.services;
  const key = `bearer:${context.address}`;
  const callerStatus = await looked(() => limits.look(key, maxRejected, 60_000, clock.now()));
  const others = lookedUp.get(key) ?? new Set();
  assertWithinLimit({
    ...callerStatus,
    allowed: callerStatus.allowed && (others.has(token) || others.size < callerStatus.remaining),
  });
  lookedUp.set(key, others.add(token));
  try {
    return await request();
  } catch (error) {
    const code = error instanceof Problem ? error.code : null;
    if (code === 'unauthenticated')
      assertWithinLimit(await looked(() => limits.hit(key, maxRejected, 60_000, clock.now())));
    throw code === 'upstream_unavailable' ? unchecked(error) : error;
  } finally {
    others.delete(token);
    if (others.size === 0) lookedUp.delete(key);
  }
}
