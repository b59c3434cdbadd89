import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../../server/platform/clock.ts';
import { Budgets, type Resource } from './budgets.ts';
import { type Fault, Faults, type FaultTarget } from './faults.ts';
import { answerGraphql } from './graphql.ts';
import { namedWorld } from './named-world.ts';
import { answerOAuth, type Consent, newOAuthState, type OAuthState } from './oauth.ts';
import { respond } from './respond.ts';
import { answerRest } from './rest.ts';
import { logPath } from './rest-repositories.ts';
import { type DoubleWorld, letHappen } from './world.ts';
import { changesOf, type WorldChanges } from './world-changes.ts';

/** One request the double received. */
export interface RequestEntry {
  method: string;
  path: string;
  query: Record<string, string>;
  /** 0 when the connection was broken or left hanging. */
  status: number;
  /** Whether it carried a validator. */
  conditional: boolean;
  /** Operation id of the description, or the name of the GraphQL operation. */
  operation: string | null;
  /** Fields that a GraphQL answer resolved, as `Type.field`. */
  fields?: string[];
  /** The GraphQL document and its variables. */
  graphql: { query: string; variables: Record<string, unknown> } | null;
  account: string | null;
  token: string | null;
  resource: Resource | null;
  cost: number;
}

export interface DoubleOptions {
  /** The named world when not given. */
  world?: DoubleWorld;
  clock?: Clock;
}

/** The platform's stand-in for tests: a real HTTP server that keeps the platform's published contracts. */
export interface Double extends WorldChanges {
  /** Address of the REST API, without a slash at the end. */
  url: string;
  graphqlUrl: string;
  world: DoubleWorld;
  requests: RequestEntry[];
  /** What broke the contract: a client that requested what is not described, or the double itself. Must stay empty. */
  violations: string[];
  budgets: Budgets;
  /** Says who presses the button on the page of consent from now on. */
  consent(consent: Consent): void;
  /** Lets something go wrong for the requests that fit. */
  fault(target: FaultTarget, fault: Fault): void;
  /** Costs of the logged requests, by resource. */
  spent(resource: Resource): number;
  /** Forgets requests, violations, faults and spent budgets; and the changed world when it is the named one. */
  reset(): void;
  close(): Promise<void>;
}

/** What answering a request needs to know. */
export interface Service {
  world: DoubleWorld;
  base: string;
  budgets: Budgets;
  faults: Faults;
  clock: Clock;
  violations: string[];
  oauth: OAuthState;
}

/** Starts the double on a free port of the loopback address. */
export async function startDouble(options: DoubleOptions = {}): Promise<Double> {
  const clock = options.clock ?? systemClock;
  const requests: RequestEntry[] = [];
  const violations: string[] = [];
  const service: Service = {
    world: options.world ?? namedWorld(),
    base: '',
    budgets: new Budgets(clock),
    faults: new Faults(),
    clock,
    violations,
    oauth: newOAuthState(),
  };
  const server = createServer((request, response) => {
    serve(service, requests, request, response).catch((error: unknown) => {
      violations.push(`The double failed on ${request.method} ${request.url}: ${String(error)}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  service.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...liveChanges(service),
    url: service.base,
    graphqlUrl: `${service.base}/graphql`,
    get world() {
      return service.world;
    },
    requests,
    violations,
    budgets: service.budgets,
    consent: (consent) => {
      service.oauth.consent = consent;
    },
    fault: (target, fault) => service.faults.add(target, fault),
    spent: (resource) => requests.reduce((sum, one) => sum + (one.resource === resource ? one.cost : 0), 0),
    reset: () => {
      requests.length = 0;
      violations.length = 0;
      service.faults.clear();
      service.budgets.clear();
      service.oauth = newOAuthState();
      if (!options.world) service.world = namedWorld();
    },
    close: () =>
      new Promise((closed, failed) => {
        server.close((error) => (error ? failed(error) : closed()));
        server.closeAllConnections();
      }),
  };
}

/** The changes act on the world of the moment, which `reset` replaces. */
function liveChanges(service: Service): WorldChanges {
  const names = Object.keys(changesOf(service.world)) as (keyof WorldChanges)[];
  const forward =
    (name: keyof WorldChanges) =>
    (...given: never[]) =>
      (changesOf(service.world)[name] as (...args: never[]) => unknown)(...given);
  return Object.fromEntries(names.map((name) => [name, forward(name)])) as unknown as WorldChanges;
}

async function serve(
  service: Service,
  requests: RequestEntry[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request);
  const url = new URL(request.url ?? '/', service.base);
  const entry: RequestEntry = {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    status: 0,
    conditional: request.headers['if-none-match'] !== undefined,
    operation: null,
    graphql: null,
    account: null,
    token: null,
    resource: null,
    cost: 0,
  };
  requests.push(entry);
  letHappen(service.world, service.clock.now());
  if (url.pathname.startsWith(logPath)) {
    giveLog(service, url, request, response);
    return;
  }
  const fault = service.faults.take(entry.method, entry.path, body);
  const requested = { service, entry, url, headers: request.headers, body, fault };
  const answer =
    answerOAuth(requested) ?? (entry.path === '/graphql' ? await answerGraphql(requested) : answerRest(requested));
  await respond(response, entry, answer, fault);
}

/** The storage has neither tokens nor budgets. */
function giveLog({ world, violations }: Service, url: URL, request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.authorization) violations.push('The storage was given a token.');
  const [repositoryId, jobId] = url.pathname.slice(logPath.length).split('/').map(Number);
  const log = world.repositories.find(({ facts }) => facts.id === repositoryId)?.logs.get(jobId ?? 0);
  response.writeHead(log === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(log);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
