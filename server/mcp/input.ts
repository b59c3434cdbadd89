import { z } from 'zod';
import { clamped } from '../api/parameters.ts';
import { emptyReply } from '../http/execute.ts';
import { parseInput } from '../http/input.ts';
import type { Tool } from './tool.ts';

/** What every tool takes whose answer has a list. */
export const paging = {
  cursor: z.string().max(2000).optional().meta({ description: '`next_cursor` of the page before.' }),
  limit: clamped(1, 100, 25).meta({ description: 'Items of a page, 1 to 100.' }),
};

interface ToolInput {
  /** Without `cursor` and `limit`. */
  input: Record<string, unknown>;
  cursor: string | undefined;
  limit: number;
}

const wholePage = 100;

/** @throws Problem `invalid_request` that names every field at fault */
export function parseToolInput(tool: Pick<Tool, 'input'>, given: unknown): ToolInput {
  const values = typeof given === 'object' && given !== null && !Array.isArray(given) ? { ...given } : {};
  const unknown = Object.keys(values).filter((key) => !Object.hasOwn(tool.input.shape, key));
  const raw = { values, duplicates: [], unknown };
  const { cursor, limit, ...input } = parseInput(tool, raw, emptyReply()) as Record<string, unknown>;
  return { input, cursor: cursor as string | undefined, limit: (limit as number | undefined) ?? wholePage };
}
