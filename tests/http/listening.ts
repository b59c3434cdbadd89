import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import type { Outgoing } from '../../server/http/answer.ts';
import { type Incoming, respond } from '../../server/http/serve.ts';
import { createHttpServer } from '../../server/http/server.ts';
import { staticFiles } from '../../server/http/static-files.ts';
import type { App } from '../../server/start.ts';

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | null;
}

/** The real server, with pages that say their path, and the files of `public`. */
export interface Listening {
  port: number;
  send(path: string, sent?: Sent): Promise<{ status: number; headers: [string, string][]; text: string }>;
  close(): Promise<void>;
}

const page = async ({ url }: { url: URL }): Promise<Outgoing> => new Response(`the page at ${url.pathname}`);

export async function listen(
  { app: { services } }: { app: App },
  answer: (incoming: Incoming, address: string) => Promise<Outgoing> = (incoming, address) =>
    respond(services, incoming, address, page),
): Promise<Listening> {
  const files = staticFiles('public');
  const server = createHttpServer({ env: services.env, log: services.log, files, answer });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const send: Listening['send'] = async (path, { method = 'GET', headers = {}, body = null } = {}) => {
    const query = httpRequest({ port, path, method, headers, agent: false }).end(body ?? undefined);
    const [answered] = await once(query, 'response');
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
