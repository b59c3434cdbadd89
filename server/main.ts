// The built server. `server/launch.mjs` has it listen; any server of the framework's own can call the exported `fetch`.
import { join } from 'node:path';
import * as build from 'virtual:react-router/server-build';
import { openServer, type Server } from './open-server.ts';
import { readEnv } from './platform/env.ts';
import { logEverything } from './platform/log.ts';
import type { Unusual } from './start.ts';

export * from 'virtual:react-router/server-build';

/** A server of this build, with the variables of the process where no others are given. */
export const open = (variables?: Record<string, string | undefined>, unusual?: Unusual): Promise<Server> =>
  openServer(build, join(import.meta.dirname, '../client'), readEnv(variables), unusual);

let opened: Promise<Server> | undefined;

/** The server of the process, which ends with it. */
const getServer = (): Promise<Server> => (opened ??= open().then(endOnSignal));

function endOnSignal(server: Server): Server {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      server.log.info({ signal, in_flight: server.inFlight() }, 'stopping');
      setTimeout(() => process.exit(1), 25_000).unref();
      void server.close().then(() => process.exit(0));
    });
  return server;
}

/** Answers one request over web standards. */
export const fetch = async (request: Request, client: { address: string }): Promise<Response> =>
  (await getServer()).fetch(request, client);

/** Listens, and from then on writes nothing but lines of the log. Rejects where the address cannot be listened on. */
export async function listen(port: number, host: string): Promise<void> {
  const server = await getServer();
  await server.listen(port, host);
  logEverything(server.log);
}
