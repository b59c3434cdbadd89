import { z } from 'zod';

/** What a message calls, as far as the door looks at it; the library rejects what is malformed. */
export interface Call {
  /** The message; undefined where it is not JSON. */
  content: unknown;
  method: string | null;
  /** The tool of `tools/call`; null in other messages. */
  tool: string | null;
  input: unknown;
  isBatch: boolean;
}

const Message = z.object({
  method: z.string(),
  params: z.looseObject({ name: z.string().optional(), arguments: z.unknown().optional() }).optional(),
});

export function readCall(message: string): Call {
  const content = parsed(message);
  const unread: Call = { content, method: null, tool: null, input: undefined, isBatch: Array.isArray(content) };
  const { data } = Message.safeParse(content);
  if (!data) return unread;
  const { method, params } = data;
  if (method !== 'tools/call') return { ...unread, method };
  return { ...unread, method, tool: params?.name ?? null, input: params?.arguments };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
