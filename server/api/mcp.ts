import { z } from 'zod';
import type { Context } from '../access/context.ts';
import { bearerToken } from '../access/machines.ts';
import { accessTokenBearer } from '../access/rules.ts';
import type { Problem } from '../platform/problem.ts';
import { operation } from './operation.ts';

/** JSON-RPC 2.0, whose methods, parameters and results the Model Context Protocol describes. */
const Message = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).optional(),
    method: z.string().optional(),
  })
  .meta({ id: 'JsonRpcMessage' });

export const callMcp = operation({
  method: 'POST',
  path: '/api/mcp',
  summary: 'Model Context Protocol: tools, resources and prompts for agents',
  access: accessTokenBearer,
  isEnabled: ({ MCP_ENABLED }) => MCP_ENABLED,
  allowedOrigins: ({ MCP_ALLOWED_ORIGINS }) => MCP_ALLOWED_ORIGINS,
  describeFailure,
  successes: { 200: 'The answer', 202: 'A notification was accepted' },
  failures: ['not_found'],
  input: z.object({ message: z.string() }),
  output: Message,
  run: ({ message }, context) => context.services.mcp.answer(message, context),
});

/** Statuses that are not about one message are JSON-RPC errors, with the status as their code; others as everywhere. */
function describeFailure(problem: Problem, { headers: sent }: Context, headers: Headers) {
  const { status, code, message, details } = problem;
  const challenge = challengeOf(problem, sent);
  if (challenge) headers.set('WWW-Authenticate', challenge);
  const isAboutConnection = code === 'origin_not_allowed' || status === 429 || status === 503;
  if (!isAboutConnection) return null;
  const data = { code, ...(details?.retry_after_s && { retry_after_s: details.retry_after_s }) };
  return { jsonrpc: '2.0', error: { code: status, message, data } };
}

/** What a client lacks, in the words of RFC 6750. */
function challengeOf({ status, code, flag }: Problem, sent: Headers): string | null {
  if (status === 401) return bearerToken(sent) !== null ? 'Bearer error="invalid_token"' : 'Bearer';
  return code === 'insufficient_scope' ? `Bearer error="insufficient_scope", scope="read feature:${flag}"` : null;
}
