// The built server: `react-router-serve` calls the exported `fetch` instead of its plain handler.
import { subscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import * as build from 'virtual:react-router/server-build';
import morgan from 'morgan';
import { createRequestHandler, RouterContextProvider } from 'react-router';
import { putApiFirst } from './http/front-door.ts';
import { asVisited } from './http/page-frame.ts';
import { requestContext } from './http/router-context.ts';
import { serve, serveApi } from './http/serve.ts';
import { getApp } from './start.ts';

export * from 'virtual:react-router/server-build';

const app = await getApp();
const { env, log } = app.services;
const router = createRequestHandler({ ...build, allowedActionOrigins: [new URL(env.APP_URL).host] }, env.NODE_ENV);

// The bundled access log is replaced by our own; a format that returns nothing prints nothing.
morgan.format('tiny', () => undefined);

let server: Server | undefined;
subscribe('http.server.request.start', (message) => {
  if (server) return;
  server = (message as { server: Server }).server;
  server.requestTimeout = 30_000;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 65_000;
  putApiFirst(server, log, (incoming, address) => counted(serveApi(app.services, incoming, address)));
});

let inFlight = 0;
let draining = false;

export const fetch = (request: Request, client: { address: string }): Promise<Response> =>
  counted(
    serve(app.services, request, client.address, (context) => {
      const provider = new RouterContextProvider();
      provider.set(requestContext, context);
      return router(asVisited(context, request), provider);
    }),
  );

async function counted<Answered extends { headers: Headers }>(work: Promise<Answered>): Promise<Answered> {
  inFlight++;
  try {
    const answered = await work;
    if (draining) answered.headers.set('Connection', 'close');
    return answered;
  } finally {
    inFlight--;
  }
}

/** Waits for the requests under way, then closes what is open. The listener itself is closed by the server's own handler. */
async function drain() {
  draining = true;
  app.stop();
  const deadline = Date.now() + 20_000;
  setTimeout(() => process.exit(1), 25_000).unref();
  while (inFlight > 0 && Date.now() < deadline) {
    server?.closeIdleConnections();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  server?.closeAllConnections();
  await app.close();
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    log.info({ signal, in_flight: inFlight }, 'stopping');
    void drain();
  });
