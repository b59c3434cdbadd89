import { z } from 'zod';

/** What a message calls, as far as the door looks at it; the library reads it again and rejects what is malformed. */
export interface Call {
  method: string | null;
  /** The tool of `tools/call`; null in other messages. */
  tool: string | null;
  input: unknown;
  isBatch: boolean;
}

const Message = z.object({
  method: z.string(),
  params: z.looseObject({ name: z.string().optional(), arguments: z.unknown() }).optional(),
});

const nothing: Call = { method: null, tool: null, input: undefined, isBatch: false };

export function readCall(message: string): Call {
  const content = parsed(message);
  if (Array.isArray(content)) return { ...nothing, isBatch: true };
  const { data } = Message.safeParse(content);
  if (!data) return nothing;
  const { method, params } = data;
  if (method !== 'tools/call') return { ...nothing, method };
  return { ...nothing, method, tool: params?.name ?? null, input: params?.arguments };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
