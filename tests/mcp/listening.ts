import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { respond } from '../../server/http/serve.ts';
import { createHttpServer } from '../../server/http/server.ts';
import type { Service } from '../support/service.ts';

export interface TokenProxy {
  /** Where pages of its own would be. */
  origin: string;
  /** Passes requests on to a service, which listens from then on, with this token. */
  forwardTo(service: Pick<Service, 'app'>, authorization: string): Promise<void>;
  close(): void;
}

/** A proxy of this machine that adds the access token and leaves Host and Origin as they are. */
export async function openProxy(): Promise<TokenProxy> {
  let forward: (incoming: IncomingMessage, outgoing: ServerResponse) => void = (_, outgoing) => outgoing.destroy();
  const servers = [createServer((incoming, outgoing) => forward(incoming, outgoing))];
  const origin = `http://127.0.0.1:${await portOf(servers[0] as Server)}`;
  return {
    origin,
    async forwardTo({ app: { services } }, authorization) {
      const noPages = async () => new Response('a page');
      const server = createHttpServer({
        env: services.env,
        log: services.log,
        files: (_request, _response, next) => next(),
        answer: (incoming, address) => respond(services, incoming, address, noPages),
      });
      servers.push(server);
      const port = await portOf(server);
      forward = (incoming, outgoing) => passOn(incoming, outgoing, { port, authorization });
    },
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface Target {
  port: number;
  authorization: string;
}

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, { port, authorization }: Target): void {
  const { method, url, headers } = incoming;
  const sent = request({ port, method, path: url, headers: { ...headers, authorization } }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  sent.on('error', () => outgoing.destroy());
  outgoing.on('close', () => sent.destroy());
  incoming.pipe(sent);
}
