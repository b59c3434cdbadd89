import type { z } from 'zod';
import type { Context } from '../access/context.ts';
import type { Operation } from '../api/operation.ts';
import type { Part } from '../mcp/reader.ts';
import type { Params } from '../mcp/tool.ts';
import { emptyReply, execute } from './execute.ts';
import { readRequest } from './input.ts';

type AnyOperation = Pick<Operation, 'method' | 'path'> & { input: z.ZodObject };

const noBody = { headers: new Headers(), body: null };

/**
 * Reads an operation for a part of the service that answers with it, by its access rule, limits and caches, as the API
 * does.
 * @throws Problem of the operation
 */
export async function readOperation<In extends z.ZodObject, Out extends z.ZodType>(
  context: Context,
  operation: Operation<In, Out>,
  params: Params,
): Promise<Part<z.output<Out>>> {
  const request = asRequest(context, operation, params);
  const reply = emptyReply();
  const raw = () => readRequest(request, noBody, {}, operation as unknown as Operation);
  const answer = await execute(operation, raw, request, reply);
  if (answer instanceof Response) throw new Error(`${operation.path} answers no data.`);
  const readAt = new Date(context.services.clock.now()).toISOString();
  return { path: `${request.url.pathname}${request.url.search}`, answer, headers: reply.headers, readAt };
}

/** The request to the API that reads an operation. Each field by its name: a copy would ask for the database. */
export function asRequest(context: Context, operation: AnyOperation, params: Params): Context {
  const url = new URL(operation.path, context.services.env.APP_URL);
  for (const [name, value] of Object.entries(params)) {
    if (!Object.hasOwn(operation.input.shape, name)) throw new Error(`${operation.path} takes no ${name}.`);
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const { services, requestId, headers, address, signal, isDemo, actor, connect, codehost } = context;
  return {
    services,
    requestId,
    method: operation.method,
    url,
    headers,
    address,
    signal,
    isDemo,
    actor,
    connect,
    codehost,
    get store() {
      return context.store;
    },
  };
}
