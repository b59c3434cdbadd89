import type { Server } from 'node:http';
import type { Services } from '../access/context.ts';
import { countAnswer } from '../platform/process-metrics.ts';
import { createContext } from './context.ts';
import { secure } from './headers.ts';
import { answerInternally, isMetrics } from './metrics.ts';
import { createHttpServer } from './server.ts';

/** The listener of `METRICS_LISTEN`, not yet listening: whoever reaches it needs no token. */
export function createMetricsServer(services: Services): Server {
  const { env, log } = services;
  return createHttpServer({
    env,
    log,
    files: (_request, _response, next) => next(),
    async answer({ method, url, headers, signal }, address) {
      const started = performance.now();
      const context = createContext(services, { method, url, headers, address, signal });
      const outgoing = await answerInternally(context);
      secure(outgoing.headers, env, context.requestId);
      const operation = isMetrics(url.pathname) ? '/metrics' : 'unknown';
      countAnswer(operation, method, outgoing.status, performance.now() - started);
      return outgoing;
    },
  });
}
