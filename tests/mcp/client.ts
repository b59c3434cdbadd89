import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { serve } from '../../server/http/serve.ts';
import type { Service } from '../support/service.ts';

const endpoint = new URL('http://localhost:3000/api/mcp');

/** The revision that the service is written for. */
export const revision = '2026-07-28';

/** The official client, connected to a service of a test with an access token. */
export async function connectClient(
  service: Pick<Service, 'app'>,
  headers: Record<string, string>,
  mode: VersionNegotiationMode = { pin: revision },
): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(endpoint, {
    requestInit: { headers },
    fetch: (url, init) => requestOf(service, new Request(url, init)),
  });
  await client.connect(transport);
  return client;
}

/** One request to the endpoint, over the same path as a socket would. */
export const requestOf = (service: Pick<Service, 'app'>, request: Request, from = '127.0.0.1'): Promise<Response> =>
  serve(service.app.services, request, from, async () => new Response('a page'));
