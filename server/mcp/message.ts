import { z } from 'zod';

/** What a message calls, as far as the door looks at it; the library reads it again and rejects what is malformed. */
export interface Call {
  method: string | null;
  /** The tool of `tools/call`; null in other messages. */
  tool: string | null;
  input: unknown;
}

const Message = z.object({
  method: z.string(),
  params: z.looseObject({ name: z.string().optional(), arguments: z.unknown() }).optional(),
});

const nothing: Call = { method: null, tool: null, input: undefined };

export function readCall(message: string): Call {
  const { data } = Message.safeParse(parsed(message));
  if (!data) return nothing;
  const { method, params } = data;
  if (method !== 'tools/call') return { ...nothing, method };
  return { method, tool: params?.name ?? null, input: params?.arguments };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
