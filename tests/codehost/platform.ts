import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach } from 'vitest';
import { createCodehost, createCodehostShared } from '../../server/codehost/client/codehost.ts';
import type { RequestRecord } from '../../server/codehost/client/exchange.ts';
import type { Timing } from '../../server/codehost/client/octokit.ts';
import { createLog } from '../../server/platform/log.ts';
import { Problem } from '../../server/platform/problem.ts';

export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Handler = (seen: Seen, answer: Answerer) => unknown;

export interface Answerer {
  json(status: number, body: unknown, headers?: Record<string, string>): void;
  raw: ServerResponse;
}

/** A platform of one test: every request goes to `handler`, which may be exchanged. */
export async function startPlatform(handler: Handler) {
  const requests: Seen[] = [];
  const platform = { handler, requests, mostAtOnce: 0, url: '' };
  let running = 0;
  const server = createServer(async (request, response) => {
    running += 1;
    platform.mostAtOnce = Math.max(platform.mostAtOnce, running);
    response.on('close', () => {
      running -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
    requests.push(seen);
    const json: Answerer['json'] = (status, body, more = {}) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...more });
      response.end(status === 304 ? undefined : JSON.stringify(body));
    };
    await platform.handler(seen, { json, raw: response });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  platform.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(platform, { close });
}

type Platform = Awaited<ReturnType<typeof startPlatform>>;

/** A new platform for each test of a file, which `handler` answers for until the test exchanges it. */
export function platformOfEachTest(handler: Handler = () => undefined): Platform {
  let platform: Platform;
  beforeEach(async () => {
    platform = await startPlatform(handler);
  });
  afterEach(() => platform.close());
  return {
    get handler() {
      return platform.handler;
    },
    set handler(next) {
      platform.handler = next;
    },
    get requests() {
      return platform.requests;
    },
    get mostAtOnce() {
      return platform.mostAtOnce;
    },
    get url() {
      return platform.url;
    },
    close: () => platform.close(),
  };
}

/** Pauses are short; an answer may take as long as a busy machine needs. */
const timing: Timing = {
  restAttemptMs: 20_000,
  restTotalMs: 60_000,
  graphqlAttemptMs: 20_000,
  graphqlTotalMs: 60_000,
  retryMs: 2,
  secondMs: 10,
};

interface ClientOptions {
  token?: string;
  shared?: ReturnType<typeof createCodehostShared>;
  background?: boolean;
  botLogins?: string[];
  timing?: Partial<Timing>;
  clock?: TestClock;
  graphqlUrl?: string;
}

export interface TestClock {
  now(): number;
  advance(ms: number): void;
}

export function createTestClock(start = Date.parse('2026-03-10T12:00:00Z')): TestClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

/** A client of `apiUrl` with a clock to turn and a record of what it sent. */
export function clientOf(apiUrl: string, options: ClientOptions = {}) {
  const clock = options.clock ?? createTestClock();
  const shared = options.shared ?? createCodehostShared();
  const sent: RequestRecord[] = [];
  const codehost = createCodehost({
    apiUrl,
    graphqlUrl: options.graphqlUrl ?? `${apiUrl}/graphql`,
    token: options.token ?? 'token-of-a-test',
    clock,
    log: createLog('silent'),
    shared,
    timing: { ...timing, ...options.timing },
    onRequest: (record) => sent.push(record),
    ...(options.background ? { background: true } : {}),
    ...(options.botLogins ? { botLogins: options.botLogins } : {}),
  });
  return { codehost, clock, shared, sent };
}

/** The problem a promise is rejected with; fails when it is not rejected. */
export async function errorOf(promise: Promise<unknown>): Promise<Problem> {
  const outcome = await promise.then(
    () => 'no refusal',
    (error: unknown) => error,
  );
  if (outcome instanceof Problem) return outcome;
  throw new Error(`expected a problem, got ${String(outcome)}`, { cause: outcome });
}

export const wireRepository = (over: Record<string, unknown> = {}) => ({
  id: 1,
  name: 'web',
  full_name: 'octo/web',
  owner: { login: 'octo', id: 7, type: 'Organization' },
  description: null,
  html_url: 'https://example.test/octo/web',
  language: 'TypeScript',
  private: true,
  visibility: 'internal',
  stargazers_count: 3,
  archived: false,
  fork: false,
  default_branch: 'main',
  created_at: '2025-11-02T09:00:00Z',
  updated_at: '2026-03-09T10:00:00Z',
  pushed_at: '2026-03-09T11:00:00Z',
  permissions: { admin: false },
  ...over,
});

export const wireWorkflow = (over: Record<string, unknown> = {}) => ({
  id: 5,
  name: 'CI',
  path: '.github/workflows/ci.yml',
  state: 'active',
  created_at: '2026-03-09T10:00:00Z',
  updated_at: '2026-03-09T10:00:00Z',
  html_url: 'https://example.test/ci',
  badge_url: 'https://example.test/ci.svg',
  ...over,
});

export const wireRun = (over: Record<string, unknown> = {}) => ({
  id: 100,
  run_attempt: 1,
  workflow_id: 5,
  name: 'CI',
  run_number: 12,
  display_title: 'Fix it',
  event: 'push',
  status: 'completed',
  conclusion: 'success',
  head_branch: 'main',
  head_sha: 'a'.repeat(40),
  actor: { login: 'mona', avatar_url: 'https://example.test/mona.png', type: 'User' },
  triggering_actor: { login: 'dependabot[bot]', avatar_url: '', type: 'Bot' },
  created_at: '2026-03-09T10:00:00Z',
  run_started_at: '2026-03-09T10:00:05Z',
  updated_at: '2026-03-09T10:05:00Z',
  html_url: 'https://example.test/run/100',
  jobs_url: 'https://example.test/run/100/jobs',
  check_suite_node_id: 'CS_100',
  head_commit: { message: 'Fix it\n\nBecause.', author: { name: 'Mona', email: 'mona@example.test' } },
  pull_requests: [{ number: 4, url: 'https://example.test/pr/4', head: { sha: 'b'.repeat(40) } }],
  ...over,
});

/** The page a request asks for. */
export const pageIn = (url: string) => Number(new URL(url, 'http://test').searchParams.get('page'));

/** The paging header of `page` out of `last`. */
export const linkTo = (page: number, last: number) =>
  [page < last ? `<http://test/x?page=${page + 1}>; rel="next"` : '', `<http://test/x?page=${last}>; rel="last"`]
    .filter(Boolean)
    .join(', ');
