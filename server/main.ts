// The built server. `server/launch.mjs` has it listen; any server of the framework's own can call the exported `fetch`.
import { once } from 'node:events';
import { join } from 'node:path';
import * as build from 'virtual:react-router/server-build';
import { createPages } from './http/page.ts';
import { respond, serve } from './http/serve.ts';
import { createHttpServer } from './http/server.ts';
import { staticFiles } from './http/static-files.ts';
import { logEverything } from './platform/log.ts';
import { getApp } from './start.ts';

export * from 'virtual:react-router/server-build';

const app = await getApp();
const { env, log } = app.services;
const pages = createPages(build, env.NODE_ENV);
const files = staticFiles(join(import.meta.dirname, '../client'));
const server = createHttpServer({
  env,
  log,
  files,
  answer: (incoming, address) => counted(respond(app.services, incoming, address, pages)),
});

let inFlight = 0;
let draining = false;

/** Answers one request over web standards. */
export const fetch = (request: Request, client: { address: string }): Promise<Response> =>
  counted(serve(app.services, request, client.address, pages));

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

/** Listens, and from then on writes nothing but lines of the log. Rejects where the address cannot be listened on. */
export async function listen(port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
  logEverything(log);
}

/** Takes no new connections, waits for the requests under way, then closes what is open. */
async function drain() {
  draining = true;
  server.close();
  app.stop();
  const deadline = Date.now() + 20_000;
  setTimeout(() => process.exit(1), 25_000).unref();
  while (inFlight > 0 && Date.now() < deadline) {
    server.closeIdleConnections();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  server.closeAllConnections();
  await app.close();
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    log.info({ signal, in_flight: inFlight }, 'stopping');
    void drain();
  });
