import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import { invalidRequest } from '../../platform/problem.ts';

/** A caller's own name for one request: repeated with the same, it is executed once. */
export const idempotencyKey = z.string().regex(/^[A-Za-z0-9_-]{8,128}$/, 'is not 8 to 128 of A-Z, a-z, 0-9, _ and -');

/** The one of a request, from its header or, in a form, from a field; null without. Throws `invalid_request`. */
export function findIdempotencyKey(fromForm: string | undefined, { headers }: Context): string | null {
  const given = headers.get('idempotency-key') ?? fromForm;
  if (given === undefined) return null;
  const { data, error } = idempotencyKey.safeParse(given);
  if (data !== undefined) return data;
  const message = `Idempotency-Key ${error?.issues[0]?.message}.`;
  throw invalidRequest([{ field: 'Idempotency-Key', reason: 'invalid', message }]);
}
