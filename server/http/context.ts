import { createHash, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { bearerToken, sendsToken } from '../access/bearer.ts';
import type { Actor, Context, Services } from '../access/context.ts';
import { featureKeys } from '../access/features.ts';
import { assertAllowedLogin } from '../access/sign-in.ts';
import { Problem } from '../platform/problem.ts';
import { limited } from './limits.ts';
import { noteOutdated } from './renewal.ts';

interface Incoming {
  method: string;
  url: URL;
  headers: Headers;
  address: string;
}

/** Everything one request may use. The caller and their platform are looked up once, and only when somebody asks. */
export function createContext(services: Services, incoming: Incoming): Context {
  let actor: Promise<Actor> | undefined;
  let codehost: ReturnType<Context['codehost']> | undefined;
  const context: Context = {
    ...incoming,
    services,
    requestId: requestId(incoming.headers),
    isDemo: false,
    actor: () => (actor ??= identify(context)),
    codehost: () => (codehost ??= context.actor().then(({ token }) => context.services.connect(token))),
    get store() {
      if (services.store) return services.store;
      throw new Problem('db_not_configured', 'No database is configured, so nothing is stored.');
    },
  };
  return context;
}

/** The same request as a visitor of the public sample organization: no session, no platform, no database. */
export function demoContext(context: Context): Context {
  const { codehost, clock, facts, jobs, answers } = context.services.demo();
  const services = { ...context.services, store: null, clock, facts, jobs, answers };
  const visitor: Actor = { ...everything, id: 0, login: 'demo', name: null, avatarUrl: '', token: '', session: null };
  // Each by its name: spreading would ask for the database, which there need not be.
  const { requestId, method, url, headers, address } = context;
  return {
    ...{ requestId, method, url, headers, address },
    services,
    isDemo: true,
    actor: async () => visitor,
    codehost: async () => codehost,
    get store(): never {
      throw new Problem('db_not_configured', 'The demo has no database.');
    },
  };
}

const everything = { groups: [] as string[], isAdmin: true, features: featureKeys };

function requestId(headers: Headers): string {
  const given = headers.get('x-request-id');
  return given && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID();
}

async function identify(context: Context): Promise<Actor> {
  const actor = sendsToken(context.headers) ? await fromToken(context) : await fromCookie(context);
  const { env, processLimits, clock } = context.services;
  const perMinute = env.RATE_LIMIT_SESSION_PER_MINUTE;
  if (perMinute > 0) {
    const key = `session:${actor.session?.id ?? tokenHash(actor.token)}`;
    limited(await processLimits.hit(key, perMinute, 60_000, clock.now()));
  }
  return actor;
}

async function fromCookie(context: Context): Promise<Actor> {
  const { services, headers } = context;
  const opened = await services.sessions.open(headers).catch((error: unknown) => {
    services.log.error({ err: error }, 'a session could not be checked');
    throw unchecked();
  });
  if (!opened) throw new Problem('unauthenticated', 'Sign in first.', { details: { mode: 'standalone' } });
  const { session } = opened;
  noteOutdated(context, opened);
  return { ...everything, ...session.user, token: session.token, session };
}

const unchecked = () =>
  new Problem('authz_unavailable', 'Your access cannot be checked right now. Try again shortly.', {
    details: { retry_after_s: 30 },
  });

const bearers = new LRUCache<string, Omit<Actor, 'token'>>({ max: 1000, ttl: 300_000 });

/** A script's caller: the owner of the platform token it sends. Makes no session. */
async function fromToken({ services, headers, address }: Context): Promise<Actor> {
  const token = bearerToken(headers);
  if (!token || !/^[\x21-\x7e]{1,500}$/.test(token))
    throw new Problem('unauthenticated', 'Send your platform token as "Authorization: Bearer <token>".');
  const key = tokenHash(token);
  const known = bearers.get(key);
  if (known) return { ...known, token };
  limited(await services.processLimits.hit(`bearer:${address}`, 30, 60_000, services.clock.now()));
  const { id, login, name, avatarUrl } = await services
    .connect(token)
    .viewer()
    .catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'upstream_unavailable' ? unchecked() : error;
    });
  assertAllowedLogin(services.env, login);
  const actor = { ...everything, id, login, name, avatarUrl, session: null };
  bearers.set(key, actor);
  return { ...actor, token };
}

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');
