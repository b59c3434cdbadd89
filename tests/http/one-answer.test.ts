import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as root from '../../app/root.tsx';
import * as api from '../../app/routes/api.ts';
import type { Context } from '../../server/access/context.ts';
import { answer, toResponse } from '../../server/http/answer.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { serve } from '../../server/http/serve.ts';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { type Listening, listen } from './listening.ts';

let service: Service;
let cookie: string;
let socket: Listening;

beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase, RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  cookie = await service.signIn('token-ann');
  socket = await listen(service);
});

afterAll(async () => {
  await socket?.close();
  await service?.close();
});

const origin = 'http://localhost:3000';
const runs = '/api/codehost/runs?owner=octo&repo=web&workflow_id=7001';

test.each<[string, string, { body?: string } & Record<string, string>]>([
  ['GET', '/api/health', {}],
  ['GET', runs, {}],
  ['HEAD', runs, {}],
  ['GET', `${runs}&format=csv`, {}],
  ['GET', `${runs}&owner=twice`, {}],
  ['GET', '/api/codehost/runs', {}],
  ['GET', '/api/codehost/repo-summary?owner=octo&repo=nope', {}],
  ['GET', '/api/nothing', {}],
  ['GET', '/api/auth/me', { cookie: '' }],
  ['GET', '/api/auth/me', { ...bearerOf('token-bo'), cookie: '' }],
  ['DELETE', runs, { origin }],
  ['OPTIONS', runs, { cookie: '' }],
  ['POST', '/api/auth/logout', { origin: 'https://evil.example' }],
  ['POST', '/api/db/sync', { origin, 'content-type': 'application/json', body: '{"owner":"octo"}' }],
  ['POST', '/api/db/sync', { origin, 'content-type': 'text/plain', body: 'x' }],
  ['POST', '/api/db/sync', { origin, 'content-type': 'application/json', body: '{"owner":' }],
])(
  '%s %s %j is answered alike by the JSON adapter, over a socket and by the resource route',
  async (method, path, { body, ...given }) => {
    const query = () =>
      new Request(`${origin}${path}`, {
        method,
        headers: { cookie, 'x-request-id': 'the-same-for-both', ...given },
        body: body ?? null,
      });
    const direct = await visibleHeaders(query(), throughAdapter);
    const routed = await visibleHeaders(query(), throughRouter);
    expect(routed).toEqual(direct);
    expect(await overSocket(query())).toEqual(direct);
    expect(direct.headers).toContain('x-request-id: the-same-for-both');
  },
);

test('an answer that is already known is not sent again by either', async () => {
  const first = await visibleHeaders(new Request(`${origin}${runs}`, { headers: { cookie } }), throughAdapter);
  const tag = first.headers.find((line) => line.startsWith('etag: '))?.slice(6) ?? '';
  const query = () => new Request(`${origin}${runs}`, { headers: { cookie, 'if-none-match': tag } });
  const direct = await visibleHeaders(query(), throughAdapter);
  expect([direct.status, direct.text]).toEqual([304, '']);
  const ignored = ({ headers, ...rest }: typeof direct) => ({
    ...rest,
    headers: headers.filter((line) => !line.startsWith('x-request-id')),
  });
  expect(ignored(await visibleHeaders(query(), throughRouter))).toEqual(ignored(direct));
});

/** Status, headers and bytes of one request, sent through everything that lies before the two adapters. */
async function visibleHeaders(request: Request, adapter: (context: Context, request: Request) => Promise<Response>) {
  // Under another path `serve` takes it for a page, and the adapter is ours to choose; the request stays what it is.
  const outside = new Request(`${origin}/page`, { method: request.method, headers: request.headers });
  const response = await serve(service.app.services, outside, '127.0.0.1', (context) =>
    adapter({ ...context, url: new URL(request.url) }, request),
  );
  return { status: response.status, headers: [...response.headers].map(line).sort(), text: await response.text() };
}

const line = ([name, value]: [string, string]) => `${name}: ${value}`;

/** The same, sent to the listener that stands before the framework. */
async function overSocket(request: Request) {
  const { method } = request;
  const body = method === 'GET' || method === 'HEAD' ? null : await request.text();
  const { status, headers, text } = await socket.send(request.url.slice(origin.length), {
    method,
    headers: Object.fromEntries(request.headers),
    body,
  });
  const ofTransport = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'];
  const visibleHeaders = headers.filter(([name]) => !ofTransport.includes(name));
  // Compressing is the listener's own business, here as in the framework's chain.
  const lines = visibleHeaders.map(line).map((one) => one.replace(/^(vary: .+), Accept-Encoding$/, '$1'));
  return { status, headers: lines.filter((one) => one !== 'vary: Accept-Encoding').sort(), text };
}

const throughAdapter = async (context: Context, request: Request) => toResponse(await answer(context, request));

/** The framework's own handler over the real root and the real resource route. */
const throughRouter = (context: Context, request: Request): Promise<Response> => {
  const provider = new RouterContextProvider();
  provider.set(requestContext, context);
  return createRequestHandler(build, 'production')(request, provider);
};

const build = {
  entry: { module: { default: () => new Response('a page') } },
  routes: {
    root: { id: 'root', path: '', module: root },
    api: { id: 'api', parentId: 'root', path: 'api/*', module: api },
  },
  assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '' },
  publicPath: '/',
  assetsBuildDirectory: '',
  basename: '/',
  future: {},
  ssr: true,
  isSpaMode: false,
  prerender: [],
  routeDiscovery: { mode: 'initial' },
  allowedActionOrigins: ['localhost:3000'],
} as unknown as ServerBuild;
