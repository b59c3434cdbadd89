import { once } from 'node:events';
import type { ServerBuild } from 'react-router';
import { createMetricsServer } from './http/metrics-server.ts';
import { createPages } from './http/page.ts';
import { respond, serve } from './http/serve.ts';
import { createHttpServer } from './http/server.ts';
import { staticFiles } from './http/static-files.ts';
import { systemClock } from './platform/clock.ts';
import type { Env } from './platform/env.ts';
import { isLoopback } from './platform/env-fields.ts';
import type { Log } from './platform/log.ts';
import { requestsInFlight } from './platform/process-metrics.ts';
import { boot, type Unusual } from './start.ts';

export interface Server {
  log: Log;
  /** Requests that are being answered. */
  inFlight(): number;
  /** Answers one request over web standards. */
  fetch(request: Request, client: { address: string }): Promise<Response>;
  /** Rejects where the address cannot be listened on. */
  listen(port: number, host: string): Promise<void>;
  /** Takes no new connections, waits 20 s at most for the requests being answered, then closes what is open. */
  close(): Promise<void>;
}

/** Boots, and answers a server of these pages and of the files of a folder that does not listen yet. */
export async function openServer(build: ServerBuild, folder: string, env: Env, unusual?: Unusual): Promise<Server> {
  const app = await boot(env, systemClock, unusual);
  const { log } = app.services;
  const pages = createPages(build, env.NODE_ENV);
  let inFlight = 0;
  let draining = false;

  async function counted<Answered extends { headers: Headers }>(work: Promise<Answered>): Promise<Answered> {
    inFlight++;
    requestsInFlight.now++;
    try {
      const answered = await work;
      if (draining) answered.headers.set('Connection', 'close');
      return answered;
    } finally {
      inFlight--;
      requestsInFlight.now--;
    }
  }

  const server = createHttpServer({
    env,
    log,
    files: staticFiles(folder),
    answer: (incoming, address) => counted(respond(app.services, incoming, address, pages)),
  });
  const metricsServer = env.METRICS_LISTEN ? createMetricsServer(app.services) : null;

  return {
    log,
    inFlight: () => inFlight,
    fetch: (request, client) => counted(serve(app.services, request, client.address, pages)),
    async listen(port, host) {
      server.listen(port, host);
      await once(server, 'listening');
      if (!metricsServer || !env.METRICS_LISTEN) return;
      metricsServer.listen(env.METRICS_LISTEN);
      await once(metricsServer, 'listening');
      if (!isLoopback(env.METRICS_LISTEN.host))
        log.warn({ metrics_listen: env.METRICS_LISTEN }, 'metrics are served without a token beyond this machine');
    },
    async close() {
      draining = true;
      server.close();
      metricsServer?.close();
      app.stop();
      const deadline = Date.now() + 20_000;
      while (inFlight > 0 && Date.now() < deadline) {
        server.closeIdleConnections();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      server.closeAllConnections();
      metricsServer?.closeAllConnections();
      await app.close();
    },
  };
}
