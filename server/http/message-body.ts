import type { Context } from '../access/context.ts';
import { type RawInput, type RequestBody, readBytes } from './input.ts';

/** Tool calls are short. */
const bodyLimit = 64 * 1024;

/** The text of a message, which the library of its protocol reads: what is wrong with it is answered in its words. */
export async function readMessage(_context: Context, request: RequestBody): Promise<RawInput> {
  const message = (await readBytes(request, bodyLimit)).toString('utf8');
  return { values: { message }, duplicates: [], unknown: [] };
}
