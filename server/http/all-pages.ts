import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Context } from '../access/context.ts';
import type { Operation } from '../api/operation.ts';
import { Problem } from '../platform/problem.ts';
import { renewContext } from './context.ts';
import { performNext } from './execute.ts';

type Input = Record<string, unknown>;

/**
 * The input that reads as many rows of a file at once as can be: all of a table that is computed as a whole, and a
 * largest page of another, however small the pages are that the caller reads.
 */
export function toFileInput({ input: { shape }, skip }: Operation, requested: Input): Input {
  if (skip) return { ...requested, page: 1, limit: Number.MAX_SAFE_INTEGER };
  return shape.limit ? { ...requested, limit: z.parse(shape.limit, Number.MAX_SAFE_INTEGER) } : requested;
}

/** Of what that input led to, the rows from the requested page on. */
export function toFirstPage({ skip }: Operation, body: unknown, { page, limit }: Input): unknown {
  return skip ? skip(body, (Number(page) - 1) * Number(limit)) : body;
}

/**
 * Reads the page after an answer, null after the last, each as a request of its own: who ends a session, or takes a
 * permission away, ends the file. Where a limit is used up it waits until there is room again.
 */
export function readNextPage(operation: Operation, input: Input, context: Context) {
  let last = input;
  return async (body: unknown): Promise<unknown> => {
    const next = operation.nextPage?.(body, last);
    if (!next) return null;
    last = { ...last, ...next };
    for (;;)
      try {
        return await performNext(operation, last, renewContext(context));
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'rate_limited') throw error;
        await sleep((error.details?.retry_after_s ?? 1) * 1000, undefined, { signal: context.signal });
      }
  };
}
