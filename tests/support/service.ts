import { failureStatuses } from '../../server/api/openapi/responses.ts';
import { operations } from '../../server/api/registry.ts';
import { serve } from '../../server/http/serve.ts';
import { readEnv } from '../../server/platform/env.ts';
import { type App, boot, type Unusual } from '../../server/start.ts';
import { type Double, startDouble } from '../codehost-double/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { oauthApp } from '../codehost-double/oauth.ts';
import { migratedAny, migratedMemory } from './migrated.ts';
import { reusedMemory } from './reused-memory.ts';

export interface RequestOptions {
  /** A token of the named world; the service is requested with the session it signs in to. */
  as?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** The peer's address. */
  from?: string;
}

export interface Answered {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into freely by tests.
  body: any;
  text: string;
}

export interface Service {
  app: App;
  double: Double;
  clock: { now(): number; advance(ms: number): void };
  /** The JSON door, requested over the same path as a socket would. */
  ask(method: string, path: string, options?: RequestOptions): Promise<Answered>;
  /** The session cookie of a token. */
  signIn(token: string): Promise<string>;
  close(): Promise<void>;
}

const origin = 'http://localhost:3000';

/** A busy machine takes longer than people wait; what is left out after ten seconds, a test says itself. */
const patientMs = 120_000;

/** `DATABASE_URL` of a service that uses a database, whichever kind it is. */
export const anyDatabase = 'any';

/** The whole service in process, against a codehost double, with a clock of its own; or beside another, sharing both. */
export async function startService(
  env: Record<string, string> = {},
  beside?: Pick<Service, 'clock' | 'double'>,
  unusual: Pick<Unusual, 'openMemory' | 'mcp' | 'readMs'> = {},
): Promise<Service> {
  const clock = beside?.clock ?? movableClock(namedNow);
  const double = beside?.double ?? (await startDouble({ clock }));
  const settings: Record<string, string> = {
    NODE_ENV: 'test',
    SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
    CODEHOST_API_URL: double.url,
    CODEHOST_GRAPHQL_URL: double.graphqlUrl,
    SCHEDULER: 'off',
    // Several accounts of a world sign in to the service of one test.
    STANDALONE_ALLOWED_LOGINS: '*',
    LOG_LEVEL: 'silent',
    ...(env.MODE === 'organization' && { DATABASE_URL: anyDatabase, ...organization(double) }),
    ...env,
  };
  if (settings.DATABASE_URL === 'pglite://memory') settings.DATABASE_URL = await migratedMemory();
  if (settings.DATABASE_URL === anyDatabase) settings.DATABASE_URL = await migratedAny();
  const usual = { openMemory: reusedMemory, timing: { retryMs: 30 }, readMs: patientMs };
  const app = await boot(readEnv(settings), clock, { ...usual, ...unusual });
  const cookies = new Map<string, string>();
  const ask: Service['ask'] = async (method, path, options = {}) => {
    const headers = new Headers(options.headers);
    if (options.as) headers.set('cookie', await signIn(options.as));
    if (options.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
    if (method !== 'GET' && !headers.has('origin')) headers.set('origin', origin);
    const body =
      options.body === undefined || typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
    const request = new Request(`${origin}${path}`, { method, headers, body: body as string | undefined });
    const response = await serve(
      app.services,
      request,
      options.from ?? '127.0.0.1',
      async () => new Response('a page'),
    );
    const text = await response.text();
    assertDescribed(method, path, response.status);
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : null };
  };
  const signIn: Service['signIn'] = async (token) => {
    const known = cookies.get(token);
    if (known) return known;
    if (app.services.env.MODE === 'organization') return throughPlatform(token);
    const answer = await ask('POST', '/api/auth/setup', { body: { pat: token }, from: `10.0.0.${cookies.size + 1}` });
    if (answer.status !== 200) throw new Error(`sign-in failed: ${answer.text}`);
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    cookies.set(token, cookie);
    return cookie;
  };
  /** Signs in the way a browser does: to the platform, which asks nobody twice, and back. */
  const throughPlatform = async (token: string) => {
    const login = double.world.tokens.find((one) => one.token === token)?.login;
    if (login === undefined) throw new Error(`The world has no token ${token}`);
    double.consent({ login, token });
    const from = `10.0.0.${cookies.size + 1}`;
    const begun = await ask('GET', '/api/auth/login', { from });
    const consented = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
    const { pathname, search } = new URL(consented.headers.get('location') ?? '');
    const flow = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const done = await ask('GET', `${pathname}${search}`, { headers: { cookie: flow }, from });
    const cookie = done.headers
      .getSetCookie()
      .find((one) => one.startsWith('das_session='))
      ?.split(';')[0];
    if (!cookie) throw new Error(`sign-in led to ${done.headers.get('location')}`);
    cookies.set(token, cookie);
    return cookie;
  };
  const close = async () => {
    await app.close();
    if (!beside) await double.close();
  };
  return { app, double, clock, ask, signIn, close };
}

/** What a shared deployment needs beside the rest. */
export const organization = ({ url }: Pick<Double, 'url'>) => ({
  CODEHOST_WEB_URL: url,
  CODEHOST_CLIENT_ID: oauthApp.clientId,
  CODEHOST_CLIENT_SECRET: oauthApp.clientSecret,
  BOOTSTRAP_ADMINS: 'ann',
});

/** What every operation may answer, whatever it declares: unchanged, sent on to https, forbidden by law, a defect. */
const anywhere = [304, 308, 451, 500];

/** Throws where an operation answers with a status that its description does not name. */
function assertDescribed(method: string, path: string, status: number): void {
  const [pathname = ''] = path.split('?');
  const options = operationAt(method, pathname);
  if (!options || anywhere.includes(status)) return;
  const { successes = { 200: 'OK' } } = options;
  if (!(status in successes) && !failureStatuses(options).includes(status))
    throw new Error(`${method} ${options.path} answered ${status}, which its description does not name`);
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/\[\w+\]/g, '[^/]+')}$`);
const described = operations.map((operation) => ({
  method: operation.method,
  pattern: patternOf(operation.path),
  operation,
}));
const found = new Map<string, (typeof operations)[number] | undefined>();

/** Hundreds of patterns are tried once for each address, as tests ask for the same again and again. */
function operationAt(method: string, pathname: string) {
  const key = `${method} ${pathname}`;
  if (!found.has(key)) {
    const matching = described.find((one) => one.method === method && one.pattern.test(pathname));
    found.set(key, matching?.operation);
  }
  return found.get(key);
}

export function movableClock(start: number) {
  let now = start;
  return {
    now: () => now,
    advance(ms: number) {
      now += ms;
    },
  };
}
