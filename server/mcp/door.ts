import { createMcpHandler, type Server } from '@modelcontextprotocol/server';
import type { Context } from '../access/context.ts';
import { type FeatureKey, features } from '../access/features.ts';
import type { Log } from '../platform/log.ts';
import { Problem } from '../platform/problem.ts';
import { noteMcp } from '../platform/request-record.ts';
import { readCall } from './message.ts';

/** The way of the Model Context Protocol into the service. */
export interface McpDoor {
  /** Answers one JSON-RPC message of a caller whose access token was accepted. */
  answer(message: string, context: Context): Promise<Response>;
  /** Ends the streams that are open. */
  close(): Promise<void>;
}

/** What a caller is served: a new server for each message. */
export interface Catalogue {
  serve(context: Context): Server;
  /** Names of tools that may stand in the log. */
  tools: ReadonlySet<string>;
  /** The feature that a call needs, and the access token was made without though its account has it; else null. */
  missingScope(tool: string, input: unknown, context: Context): Promise<FeatureKey | null>;
}

/** Methods that may stand in the log: what callers send is theirs. */
const methods = new Set([
  'initialize',
  'notifications/initialized',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'subscriptions/listen',
]);

/**
 * The library owns the protocol: versions, headers, JSON-RPC, both eras of it. Authentication, limits, scope and the log
 * are ours.
 */
export function createMcpDoor(catalogue: Catalogue, log: Log): McpDoor {
  const handler = createMcpHandler(({ authInfo }) => catalogue.serve(authInfo?.extra?.context as Context), {
    legacy: 'stateless',
    // Messages of the library quote what was sent.
    onerror: ({ name }) => log.debug({ error: name }, 'an MCP message was rejected'),
  });
  return {
    async answer(message, context) {
      const { content, method, tool, input, isBatch } = readCall(message);
      // One limit and one scope for each message; the revision that had batches is answered without.
      if (isBatch) return Response.json(batchRejected, { status: 400 });
      noteMcp(method !== null && methods.has(method) ? method : 'unknown', nameOf(tool, catalogue));
      if (tool !== null) assertScope(await catalogue.missingScope(tool, input, context));
      const { url, headers } = context;
      const body = content === undefined ? message : null;
      const request = new Request(url, { method: 'POST', headers, body, signal: context.signal });
      const authInfo = { token: '', clientId: '', scopes: [], extra: { context } };
      const response = await handler.fetch(request, { authInfo, parsedBody: content });
      response.headers.set('Cache-Control', 'no-store');
      return response;
    },
    close: () => handler.close(),
  };
}

const batchRejected = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Send one message at a time: batches are not served.' },
};

const nameOf = (tool: string | null, { tools }: Catalogue) => (tool !== null && tools.has(tool) ? tool : 'unknown');

function assertScope(missing: FeatureKey | null): void {
  if (missing === null) return;
  const message = `This access token was made without ${features[missing].label}.`;
  throw new Problem('insufficient_scope', message, { flag: missing });
}
