import type { Service } from '../support/service.ts';
import { requestOf, revision } from './client.ts';

const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A JSON-RPC message of the revision that the service is written for. */
export const messageOf = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });

/** The headers that mirror a message. */
export const mirrorOf = (method: string, name?: string): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': revision,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

export interface Replied {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into freely by tests.
  body: any;
  text: string;
}

export async function reply(response: Response): Promise<Replied> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : null, text };
}

/** Calls a tool the way clients do; the answer as it leaves. */
export async function callTool(
  service: Pick<Service, 'app'>,
  headers: Record<string, string>,
  name: string,
  input: object,
): Promise<Replied> {
  const request = new Request('http://localhost:3000/api/mcp', {
    method: 'POST',
    headers: { ...mirrorOf('tools/call', name), ...headers },
    body: messageOf('tools/call', { name, arguments: input }),
  });
  return reply(await requestOf(service, request));
}
