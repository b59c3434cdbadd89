import { Problem } from '../platform/problem.ts';
import type { Actor, Context } from './context.ts';
import { type FeatureKey, features } from './features.ts';
import { assertCronBearer, assertSigned, sendsToken } from './machines.ts';
import { assertMcpRequest } from './mcp-request.ts';
import type { Access, Requirement } from './rules.ts';
import { assertSameSite, isSafe } from './same-site.ts';

/**
 * Whether the caller may do what this rule guards: returns, or throws the error. The API, the pages and what is
 * offered on them are all decided here, and the order is part of the promise: an anonymous caller gets no other answer,
 * a forged form is rejected before anything is looked up, and membership is settled before groups.
 */
export async function decide(access: Access, context: Context): Promise<void> {
  const required = access.required(context);
  if (required === 'bearer') return assertCronBearer(context);
  if (required === 'signature') return assertSigned(context);
  if (required === 'accessToken') return decideByAccessToken(access, context);
  if (required === 'share') return;
  if (!isAboutCaller(required, context)) return assertSameSite(context);
  if (!hasCredentials(context)) await context.actor();
  assertSameSite(context);
  const actor = await context.actor();
  assertReadable(access, context, actor);
  assertSession(access, context, actor);
  await assertGranted(access, required, context, actor);
  assertWithinToken(required, context, actor);
}

/** No cookie takes part, so that no page can send one along; what the token may read is decided where it reads. */
async function decideByAccessToken(access: Access, context: Context): Promise<void> {
  assertMcpRequest(context);
  await assertGranted(access, 'member', context, await context.actor());
}

/** In standalone mode everything is granted, but what only an organization has. */
async function assertGranted(access: Access, required: Requirement, context: Context, actor: Actor): Promise<void> {
  const { env } = context.services;
  if (env.MODE === 'standalone') {
    if (access.isOrganizationOnly) throw new Problem('org_mode_only', 'Only available in organization mode.');
    return;
  }
  const denied = denial(required, actor);
  if (!denied) return;
  const isEnforced = env.ACCESS_ENFORCEMENT === 'on';
  await note(context, actor, denied, isEnforced);
  const rejection = isEnforced ? denied : alwaysDenied(required, actor);
  if (rejection) throw rejection;
}

/** An access token reads what people look at; it never writes, nor sees settings and administration. */
function assertReadable({ allowsAccessTokens }: Access, { method }: Context, { accessToken }: Actor): void {
  if (!accessToken || (allowsAccessTokens && isSafe(method))) return;
  throw new Problem('token_read_only', 'An access token cannot do this: it reads metrics alone.');
}

/** What the account may use, its token may not use unless it was made for it; also where access is not enforced. */
function assertWithinToken(required: Requirement, { services: { env } }: Context, actor: Actor): void {
  if (typeof required !== 'object' || isWithinToken(required, actor)) return;
  const denied = denial({ ...required, orOwn: null }, actor);
  if (denied && env.MODE === 'organization' && env.ACCESS_ENFORCEMENT === 'on') throw denied;
  const message = `This access token was made without ${features[required.feature].label}.`;
  throw new Problem('insufficient_scope', message, { flag: required.feature });
}

/** Whether the access token of a caller was made for what is required; callers without one are not limited. */
function isWithinToken(required: Requirement, { accessToken }: Pick<Person, 'accessToken'>): boolean {
  if (!accessToken || typeof required !== 'object') return true;
  return accessToken.features.some((key) => key === required.feature || key === required.orFeature);
}

/** Whether a rule is about who the caller is, rather than about machines or nobody. */
export const isAboutCaller = (required: Requirement, { isDemo }: Pick<Context, 'isDemo'>): boolean =>
  !isDemo && !isForNobody(required);

/** Whether machines or nobody in particular is meant. */
const isForNobody = (required: Requirement): required is 'anyone' | 'bearer' | 'signature' | 'share' =>
  required === 'anyone' || required === 'bearer' || required === 'signature' || required === 'share';

/**
 * Any token of somebody can be sent as a bearer, whatever it was issued for: it does not change what others rely on.
 */
function assertSession({ allowsTokenWrites, isSessionOnly }: Access, { method }: Context, { session }: Actor): void {
  if (session || (!isSessionOnly && (allowsTokenWrites || isSafe(method)))) return;
  throw new Problem(
    'session_required',
    'This requires a signed-in session. A GitHub token as bearer allows reading, syncing and filing issues.',
  );
}

/** Whom a decision is about; without a login nothing is their own. */
type Person = Pick<Actor, 'groups' | 'isAdmin' | 'granted'> & Partial<Pick<Actor, 'login' | 'accessToken'>>;

const isOwn = (login: string | null | undefined, { login: own }: Person): boolean =>
  own !== undefined && login?.toLowerCase() === own.toLowerCase();

/** Why a caller whose session and membership are in order is denied; null when not. */
export function denial(required: Requirement, actor: Person): Problem | null {
  if (isForNobody(required) || required === 'session') return null;
  if (actor.groups.length === 0) return new Problem('no_groups', 'You are not in any group yet and have no access.');
  if (actor.isAdmin || required === 'member' || required === 'accessToken') return null;
  if (required === 'admin') return forAdministrators();
  const { feature, orFeature } = required;
  const isGranted = actor.granted.some((key) => key === feature || key === orFeature);
  if (isGranted || isOwn(required.orOwn, actor)) return null;
  const message = `${features[feature].label} is not granted to any of your groups.`;
  return new Problem('forbidden', message, { flag: feature });
}

/** Why a caller is denied while access is not enforced: administration is never open. */
const alwaysDenied = (required: Requirement, { isAdmin }: Pick<Actor, 'isAdmin'>): Problem | null =>
  required === 'admin' && !isAdmin ? forAdministrators() : null;

const forAdministrators = () => new Problem('forbidden', 'Only administrators can do this.', { flag: 'admin' });

/** Whether something may be offered to the caller; without another request. */
export function offers(access: Access, context: Context, actor: Person): boolean {
  const { env } = context.services;
  if (context.isDemo) return true;
  const required = access.required(context);
  if (!isWithinToken(required, actor)) return false;
  if (env.MODE === 'standalone') return !access.isOrganizationOnly;
  return (env.ACCESS_ENFORCEMENT === 'on' ? denial(required, actor) : alwaysDenied(required, actor)) === null;
}

/** Whether the caller may see what a feature shows; for an answer of which only a part needs it. */
export const mayUse = async (key: FeatureKey, context: Context): Promise<boolean> =>
  context.isDemo || (await context.actor()).features.includes(key);

async function note({ services, requestId }: Context, actor: Actor, { code, flag }: Problem, isEnforced: boolean) {
  const { store, log, clock } = services;
  const event = isEnforced ? 'denied' : 'would_deny';
  log.info({ login: actor.login, code, flag, request_id: requestId }, event);
  await store?.users.denied(actor.id, flag ? `${code}:${flag}` : code, clock.now());
}

/** Whether a request carries something that could identify the caller: a token, or a cookie of ours that opens. */
const hasCredentials = ({ headers, services }: Context): boolean =>
  sendsToken(headers) || services.sessions.unseal(headers) !== null;
