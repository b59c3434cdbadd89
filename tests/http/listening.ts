import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { putApiFirst } from '../../server/http/front-door.ts';
import type { Outgoing } from '../../server/http/outgoing.ts';
import { type Incoming, serveApi } from '../../server/http/serve.ts';
import type { App } from '../../server/start.ts';

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | null;
}

/** A real listener, with the front door before a framework that answers everything else with its path. */
export interface Listening {
  port: number;
  send(path: string, sent?: Sent): Promise<{ status: number; headers: [string, string][]; text: string }>;
  close(): Promise<void>;
}

export async function listen(
  { app }: { app: App },
  door: (incoming: Incoming, address: string) => Promise<Outgoing> = (...asked) => serveApi(app.services, ...asked),
): Promise<Listening> {
  const server = createServer((request, response) => response.end(`the framework has ${request.url}`));
  putApiFirst(server, app.services.log, door);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const send: Listening['send'] = async (path, { method = 'GET', headers = {}, body = null } = {}) => {
    const asked = httpRequest({ port, path, method, headers, agent: false }).end(body ?? undefined);
    const [answered] = await once(asked, 'response');
    const pairs = Object.entries<string | string[]>(answered.headers).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    return { status: answered.statusCode, headers: pairs, text: await readAll(answered) };
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { port, send, close };
}
