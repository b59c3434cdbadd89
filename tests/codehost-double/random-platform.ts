import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { randomStream } from '../../server/metrics/kernel/random-stream.ts';
import { matchRoute } from './description.ts';
import { namedNow } from './named-world.ts';
import { randomData } from './random-graphql.ts';
import { randomBody } from './random-rest.ts';
import { chance, spoiled } from './random-values.ts';

/** A platform that knows nothing, and answers everything as its published description allows. */
export interface RandomPlatform {
  url: string;
  graphqlUrl: string;
  /** Questions that the description does not know. Must stay empty. */
  violations: string[];
  close(): Promise<void>;
}

interface RandomOptions {
  /** Equal questions get equal answers; another seed gives others. */
  seed: number;
  /** Whether fields here and there are missing, or hold what the description does not know. */
  strange: boolean;
}

export async function startRandomPlatform({ seed, strange }: RandomOptions): Promise<RandomPlatform> {
  const violations: string[] = [];
  const server = createServer(async (request, response) => {
    const { method, url = '/' } = request;
    try {
      const requested = `${seed} ${method} ${url} ${await text(request)}`;
      const { body, headers } = await answerTo(request, requested);
      // Nobody can sign in as somebody without an id and a login.
      const isSpoiled = strange && url !== '/user';
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers });
      response.end(JSON.stringify(isSpoiled ? spoiled(randomStream('strange', requested), body) : body));
    } catch (error) {
      violations.push(`${method} ${url}: ${error}`);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}');
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return { url, graphqlUrl: `${url}/graphql`, violations, close };
}

async function answerTo({ method = '', url = '' }: IncomingMessage, requested: string) {
  if (url === '/graphql') {
    const { query, variables } = JSON.parse(requested.slice(requested.indexOf('{')));
    return { body: withBudget(await randomData(query, variables, requested)), headers: {} };
  }
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const operation = matchRoute(method, withNames(pathname))?.operation;
  if (!operation) throw new Error('The platform has no such address');
  return {
    body: randomBody(operation, requested),
    headers: headersOf(requested, Number(searchParams.get('page') ?? 1)),
  };
}

/** The description leaves out the addresses of redirects. */
const withNames = (path: string) => path.replace(/^\/repositories\/\d+/, '/repos/octo/web');

/** The budget must last, else nothing more is requested. */
function withBudget(answer: { data: Record<string, unknown> }) {
  const resetAt = new Date(namedNow + 3_600_000).toISOString();
  const budget = { cost: 1, limit: 5000, remaining: 4000, resetAt };
  return { data: { ...answer.data, ...('rateLimit' in answer.data && { rateLimit: budget }) } };
}

function headersOf(requested: string, page: number): Record<string, string> {
  const random = randomStream('headers', requested);
  const links = [
    ...(page < 3 && chance(random, 0.2) ? [`<http://localhost/x?page=${page + 1}>; rel="next"`] : []),
    ...(chance(random, 0.2) ? [`<http://localhost/x?page=${page + 1}>; rel="last"`] : []),
  ];
  return {
    ...(links.length > 0 && { link: links.join(', ') }),
    ...(chance(random, 0.5) && { 'x-oauth-scopes': 'repo, read:org' }),
    ...(chance(random, 0.05) && { 'x-github-sso': 'partial-results; organizations=1,2' }),
  };
}
