import type { Context } from '../access/context.ts';
import { assertSignedBytes } from '../access/machines.ts';
import { deliveryHeaders } from '../api/sync/webhook.ts';
import { invalidRequest } from '../platform/problem.ts';
import { type RawInput, type RequestBody, readBytes } from './input.ts';
import { UnverifiedBytes } from './unverified-bytes.ts';

/** Largest body of a delivery; the platform's own are capped far below what fits into memory. */
const bodyLimit = 5 * 1024 * 1024;

/** What the platform signed, read only where a secret is set and the signature has its shape; the query is ignored. */
export async function readSigned(context: Context, request: RequestBody): Promise<RawInput> {
  const unverified = new UnverifiedBytes();
  const bytes = await readBytes(request, bodyLimit, (size) => unverified.add(size)).finally(() => unverified.release());
  assertSignedBytes(context, bytes);
  const header = (names: readonly string[]) => names.map((name) => context.headers.get(name)).find(Boolean);
  const values = {
    event: header(deliveryHeaders.event),
    delivery: header(deliveryHeaders.delivery),
    payload: parsePayload(bytes.toString('utf8'), context.headers.get('content-type') ?? ''),
  };
  return { values, duplicates: [], unknown: [] };
}

/** undefined when a form has no payload; whether it is an object is for the operation to decide. */
function parsePayload(text: string, type: string): unknown {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type);
  const json = isForm ? new URLSearchParams(text).get('payload') : text;
  if (!json) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    throw invalidRequest([{ field: 'payload', reason: 'invalid', message: 'payload is not JSON.' }]);
  }
}
