import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { type Double, startDouble } from '../codehost-double/double.ts';
import { namedBills } from '../codehost-double/named-billing.ts';
import { namedNow, namedWorld } from '../codehost-double/named-world.ts';
import type { DoubleWorld } from '../codehost-double/world.ts';
import { baseline } from './baseline.ts';
import { migratedMemory } from './migrated.ts';
import { organization } from './service.ts';
import { sharedHost } from './site-host.ts';

interface Visit {
  cookie?: string;
  headers?: Record<string, string>;
  /** Posts these fields as a browser without scripts would. */
  form?: Record<string, string>;
}

interface Visited {
  status: number;
  headers: Headers;
  text: string;
  /** Where a redirect leads; empty without one. */
  location: string;
}

/** The built service in another process, beside a codehost double in this one. */
export interface Site {
  url: string;
  /** Of the process that serves. */
  pid: number;
  double: Double;
  /** Asks for an address of the site; redirects are reported, not followed. */
  visit(path: string, visit?: Visit): Promise<Visited>;
  /** Fills in the form of `/setup`, or signs in through the platform, and answers the session cookie. */
  signIn(token?: string): Promise<string>;
  /** The same session for a browser. */
  signInBrowser(context: BrowserContext, token?: string): Promise<void>;
  /** Everything that was logged so far. */
  log(): string;
  stop(): Promise<void>;
}

const root = resolve(import.meta.dirname, '../..');
const bundle = join(root, 'build/server/index.js');

/**
 * Starts the built service, in a process that the sites of a worker share: to load it takes longer than most of what
 * tests do with one. An empty value takes a variable away.
 */
export async function startSite(env: Record<string, string> = {}): Promise<Site> {
  const host = await sharedHost(bundle);
  return startWith(env, async (variables, logFile) => {
    const printedBefore = host.printed().length;
    const close = await host.open(variables, logFile);
    return { pid: host.pid, printed: () => host.printed().slice(printedBefore), close };
  });
}

/** Starts the built server the way `npm start` does, as a process of its own. */
export const startSiteProcess = (env: Record<string, string> = {}): Promise<Site> =>
  startWith(env, async (variables, logFile) => {
    const output = openSync(logFile, 'a');
    const child = spawn(process.execPath, [baseline, '--report-exclude-env', join(root, 'server/launch.mjs')], {
      cwd: root,
      stdio: ['ignore', output, output],
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...variables },
    });
    closeSync(output);
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    const close = async () => {
      await stopped(child);
      process.off('exit', kill);
    };
    await healthy(variables.APP_URL ?? '', child, logFile).catch(async (error) => {
      await close();
      throw error;
    });
    return { pid: child.pid ?? 0, printed: () => '', close };
  });

interface Running {
  pid: number;
  /** What the process has printed beside the log of the site. */
  printed(): string;
  close(): Promise<void>;
}

async function startWith(
  env: Record<string, string>,
  run: (variables: Record<string, string>, logFile: string) => Promise<Running>,
): Promise<Site> {
  if (!existsSync(bundle)) throw new Error('The application is not built: run `npm run build` first.');
  const double = await startDouble({ world: worldOfToday() });
  const isShared = env.MODE === 'organization';
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(folder, 'log');
  writeFileSync(logFile, '');
  const tidy = async () => {
    await double.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const variables = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: url,
    SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
    CODEHOST_API_URL: double.url,
    CODEHOST_GRAPHQL_URL: double.graphqlUrl,
    DATABASE_URL: await migratedMemory(),
    SCHEDULER: 'off',
    // Several accounts of a world sign in to one site.
    STANDALONE_ALLOWED_LOGINS: '*',
    LOG_LEVEL: 'info',
    // Each visitor comes from an address of their own, so that sign-ins of one test do not use up another's.
    TRUST_PROXY_HOPS: '1',
    RATE_LIMIT_DEMO_PER_MINUTE: '0',
    ...(isShared && organization(double)),
    ...env,
  };
  const running = await run(variables, logFile).catch(async (error) => {
    await tidy();
    throw error;
  });
  const stop = async () => {
    await running.close();
    await tidy();
  };
  const log = () => readFileSync(logFile, 'utf8') + running.printed();
  return { url, pid: running.pid, double, log, stop, ...visitor(url, isShared ? double : null) };
}

/** `platform` is where people sign in when it is not with a token of their own. */
function visitor(url: string, platform: Double | null): Pick<Site, 'visit' | 'signIn' | 'signInBrowser'> {
  const cookies = new Map<string, string>();
  let visitors = 0;
  const visit: Site['visit'] = async (path, { cookie, headers, form } = {}) => {
    const response = await fetch(`${url}${path}`, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      body: form ? new URLSearchParams(form) : null,
      headers: { ...(cookie && { cookie }), ...(form && { origin: url }), ...headers },
    });
    const location = response.headers.get('location') ?? '';
    return { status: response.status, headers: response.headers, text: await response.text(), location };
  };
  const signIn: Site['signIn'] = async (token = 'token-ann') => {
    const known = cookies.get(token);
    if (known) return known;
    const headers = { 'x-forwarded-for': `10.0.1.${++visitors}` };
    if (platform) {
      const begun = await throughPlatform(platform, token, visit, headers);
      cookies.set(token, begun);
      return begun;
    }
    const {
      status,
      headers: answered,
      text,
    } = await visit('/setup', { form: { intent: 'signIn', pat: token }, headers });
    const cookie = answered.getSetCookie()[0]?.split(';')[0];
    if (status !== 303 || !cookie) throw new Error(`Signing in answered ${status}: ${text.slice(0, 500)}`);
    cookies.set(token, cookie);
    return cookie;
  };
  const signInBrowser: Site['signInBrowser'] = async (context, token) => {
    const [name = '', ...value] = (await signIn(token)).split('=');
    await context.addCookies([{ name, value: value.join('='), url }]);
  };
  return { visit, signIn, signInBrowser };
}

/** Signs in the way a browser does: to the platform, which asks nobody twice, and back. */
async function throughPlatform(
  platform: Double,
  token: string,
  visit: Site['visit'],
  headers: Record<string, string>,
): Promise<string> {
  const login = platform.world.tokens.find((one) => one.token === token)?.login;
  if (login === undefined) throw new Error(`The world has no token ${token}`);
  platform.consent({ login, token });
  const begun = await visit('/api/auth/login', { headers });
  const consented = await fetch(begun.location, { redirect: 'manual' });
  const { pathname, search } = new URL(consented.headers.get('location') ?? '');
  const flow = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const done = await visit(`${pathname}${search}`, { headers, cookie: flow });
  const cookie = done.headers.getSetCookie().find((one) => one.startsWith('das_session='));
  if (!cookie) throw new Error(`Signing in led to ${done.location}`);
  return cookie.split(';')[0] ?? '';
}

/** The named world, moved so that what happened an hour ago in it happened an hour ago today. */
function worldOfToday(): DoubleWorld {
  const now = Date.now();
  const moved = later(namedWorld(), Math.floor((now - namedNow) / 1000) * 1000) as DoubleWorld;
  // Bills are reported in calendar days.
  return { ...moved, bills: namedBills(now) };
}

/** Every instant in a value moved; other numbers are far too small to be taken for one. */
function later(value: unknown, ms: number): unknown {
  if (typeof value === 'number') return value > 1e12 ? value + ms : value;
  if (Array.isArray(value)) return value.map((one) => later(one, ms));
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, later(one, ms)]));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, later(one, ms)]));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function healthy(url: string, child: ChildProcess, logFile: string): Promise<void> {
  const log = () => readFileSync(logFile, 'utf8');
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (child.exitCode !== null) throw new Error(`The server ended at once (${child.exitCode}):\n${log()}`);
    const answered = await fetch(`${url}/api/health`).catch(() => null);
    if (answered?.ok) return;
    await sleep(50);
  }
  throw new Error(`The server did not become healthy within a minute:\n${log()}`);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(forced);
}
