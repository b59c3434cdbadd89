import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import { decide } from '../access/decision.ts';
import type { Access } from '../access/rules.ts';
import { assertStillTaken } from '../access/still-taken.ts';
import type { Operation } from '../api/operation.ts';
import { toAnswer } from '../api/wire.ts';
import { createRequestLimits, withLimits } from '../platform/work-limits.ts';
import { parseInput, type RawInput } from './input.ts';
import { count } from './limits.ts';
import { reuse } from './reuse.ts';

export const emptyReply = (): Reply => ({ status: 200, headers: new Headers() });

/** The one way an operation is carried out, whichever adapter called. */
export async function execute<In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
  raw: () => RawInput | Promise<RawInput>,
  context: Context,
  reply: Reply,
): Promise<z.output<Out> | Response> {
  const input = await admit(operation, raw, context, reply);
  return perform(operation, input, context, reply);
}

/** Whether and with what the caller may execute it; counts the request. */
export async function admit<In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
  raw: () => RawInput | Promise<RawInput>,
  context: Context,
  reply: Reply,
): Promise<z.output<In>> {
  const { access, limit } = operation;
  await decide(access, context);
  if (limit?.counts === 'before') await count(limit, context, reply);
  const input = parseInput(operation, await raw(), reply);
  if (limit?.counts === 'after') await count(limit, context, reply);
  return input;
}

/** The answer to one who was admitted. */
export async function perform<In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
  input: z.output<In>,
  context: Context,
  reply: Reply,
): Promise<z.output<Out> | Response> {
  const { access } = operation;
  const run = async (own: Reply) => {
    const result = await operation.run(input, context, own);
    return result instanceof Response ? result : toAnswer(operation.output, result);
  };
  if (operation.method !== 'GET') return write(access, context, () => run(reply));
  const given = await read(access, context, () => reuse(operation, input, context, run));
  reply.status = given.reply.status;
  for (const [name, value] of given.reply.headers) reply.headers.append(name, value);
  return given.answer;
}

/** Another page of a table, admitted and counted as a request of its own. It is not given again. */
export async function performNext<In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
  input: z.output<In>,
  context: Context,
): Promise<z.output<Out>> {
  await decide(operation.access, context);
  if (operation.limit) await count(operation.limit, context, emptyReply());
  const result = await read(operation.access, context, () => operation.run(input, context, emptyReply()));
  if (result instanceof Response) throw new TypeError('A page of a table is no response.');
  return toAnswer(operation.output, result);
}

/** What was read may have called the platform, whose answer shows whether the token is still accepted. */
async function read<T>(access: Access, context: Context, run: () => Promise<T>): Promise<T> {
  const result = await withLimits(createRequestLimits(context.signal, context.services.readMs), run);
  await assertStillTaken(access, context);
  return result;
}

/** What changes something is carried through once it began. */
async function write<T>(access: Access, context: Context, run: () => Promise<T>): Promise<T> {
  await assertStillTaken(access, context);
  return run();
}
