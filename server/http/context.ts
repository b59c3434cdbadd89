import { randomUUID } from 'node:crypto';
import { everything } from '../access/caller-status.ts';
import type { Actor, Context, Services } from '../access/context.ts';
import { identify } from '../access/identify.ts';
import type { Platform } from '../codehost/changes/client.ts';
import { Problem } from '../platform/problem.ts';
import { situationOf } from './situation.ts';

interface Incoming {
  method: string;
  url: URL;
  headers: Headers;
  address: string;
  signal: AbortSignal;
}

/** Everything one request may use. The caller and their platform are looked up once, and only when needed. */
export function createContext(
  services: Services,
  incoming: Incoming,
  requestId = toRequestId(incoming.headers.get('x-request-id')),
): Context {
  let actor: Promise<Actor> | undefined;
  let connected: { token: string; codehost: Platform } | undefined;
  const context: Context = {
    ...incoming,
    services,
    requestId,
    isDemo: false,
    actor: () => (actor ??= identify(context)),
    connect(token) {
      if (connected?.token !== token)
        connected = { token, codehost: services.connect(token, { requestId: context.requestId }) };
      return connected.codehost;
    },
    codehost: async () => context.connect((await context.actor()).token),
    get store() {
      if (services.store) return services.store;
      throw new Problem('db_not_configured', 'No database is configured.');
    },
  };
  return context;
}

/** The same request, whose caller is looked up and counted again; of the demo there is none. */
export function renewContext(context: Context): Context {
  if (context.isDemo) return context;
  // Each by its name: spreading would ask for the database, which there need not be.
  const { services, requestId, method, url, headers, address, signal } = context;
  return createContext(services, { method, url, headers, address, signal }, requestId);
}

/** Whether a trusted proxy says that a request came without encryption, to a service that is reached with it. */
export const isUnencrypted = ({ headers, services: { env } }: Context): boolean =>
  env.TRUST_PROXY_HOPS > 0 && headers.get('x-forwarded-proto') === 'http' && env.APP_URL.startsWith('https:');

/** The same request as a visitor of the public sample organization: no session, no platform, no database. */
export function demoContext(context: Context): Context {
  const { codehost, clock, facts, jobs, answers } = context.services.demo(situationOf(context.url));
  const services = { ...context.services, store: null, clock, facts, jobs, answers };
  const visitor: Actor = {
    ...everything,
    id: 0,
    login: 'demo',
    name: null,
    avatarUrl: '',
    token: '',
    session: null,
    accessToken: null,
  };
  // Each by its name: spreading would ask for the database, which there need not be.
  const { requestId, method, url, headers, address, signal } = context;
  return {
    requestId,
    method,
    url,
    headers,
    address,
    signal,
    services,
    isDemo: true,
    actor: async () => visitor,
    connect: () => codehost,
    codehost: async () => codehost,
    get store(): never {
      throw new Problem('db_not_configured', 'The demo has no database.');
    },
  };
}

/** The identifier that the caller gave in `X-Request-Id`, where it is well formed; a new one otherwise. */
export const toRequestId = (given: string | string[] | null | undefined): string =>
  typeof given === 'string' && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID();
