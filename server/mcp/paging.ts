import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Problem } from '../platform/problem.ts';
import type { Item } from './draft.ts';

/** Where the next page of a list begins. Nobody can make or change one but this installation. */
export interface Cursors {
  /** A cursor that goes on behind the item of a key, for the same input. */
  after(key: string): string;
  /** The key that a cursor goes on behind. @throws Problem `invalid_cursor` */
  read(cursor: string): string;
}

const lifeMs = 3_600_000;
const macBytes = 16;

const Payload = z.object({ v: z.literal(1), key: z.string(), input_hash: z.string(), exp: z.number() });

/** @param input of the call, without `cursor` and `limit` */
export function cursorsOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  { secret, now }: { secret: string; now: number },
): Cursors {
  const key = keyOf(secret);
  const inputHash = () => hash('sha256', JSON.stringify([tool, Object.entries(input).sort()]), 'base64url');
  const sign = (payload: Buffer) => createHmac('sha256', key).update(payload).digest().subarray(0, macBytes);
  return {
    after(itemKey) {
      const payload = Buffer.from(JSON.stringify({ v: 1, key: itemKey, input_hash: inputHash(), exp: now + lifeMs }));
      return Buffer.concat([payload, sign(payload)]).toString('base64url');
    },
    read(cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const [payload, mac] = [bytes.subarray(0, -macBytes), bytes.subarray(-macBytes)];
      if (mac.length !== macBytes || !timingSafeEqual(sign(payload), mac)) throw invalidCursor();
      const { data } = Payload.safeParse(JSON.parse(payload.toString()));
      if (!data || data.input_hash !== inputHash() || data.exp < now) throw invalidCursor();
      return data.key;
    },
  };
}

const keys = new Map<string, Buffer>();

/** Deriving it takes longer than all else about a cursor. */
function keyOf(secret: string): Buffer {
  const key = keys.get(secret) ?? Buffer.from(hkdfSync('sha256', secret, '', 'mcp/cursor/v1', 32));
  keys.set(secret, key);
  return key;
}

export const invalidCursor = () =>
  new Problem('invalid_cursor', 'The cursor belongs to another question, or is too old. Begin without one.');

export interface Page {
  items: readonly Item[];
  /** The cursor behind what is shown of them; null at the end of the list. */
  next(shown: readonly Item[]): string | null;
}

/** The page of a whole list. @throws Problem `invalid_cursor` also where the item that it goes on behind is gone */
export function pageOf(items: readonly Item[], cursor: string | undefined, limit: number, cursors: Cursors): Page {
  const last = cursor === undefined ? null : cursors.read(cursor);
  const keys = uniqueKeys(items);
  const from = last === null ? 0 : keys.indexOf(last) + 1;
  if (last !== null && from === 0) throw invalidCursor();
  return {
    items: items.slice(from, from + limit),
    next(shown) {
      const end = from + shown.length;
      const key = keys[end - 1];
      return shown.length === 0 || key === undefined || end === items.length ? null : cursors.after(key);
    },
  };
}

/** A key of each item that no other has, those of the same name numbered; hashed, as names are texts of others. */
function uniqueKeys(items: readonly Item[]): string[] {
  const counts = new Map<string, number>();
  return items.map(({ key }) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return hash('sha256', `${count} ${key}`, 'base64url');
  });
}
