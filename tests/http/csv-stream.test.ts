import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import { streamPages } from '../../server/http/csv-stream.ts';

const toLines = (body: unknown) => (body as string[]).map((row) => `${row}\r\n`);
const parts = { head: 'name\r\n', toLines };

/** Gives the pages after the first, and tells how many were wanted. */
function pagesOf(...pages: string[][]) {
  const left = [...pages];
  const source = { read: 0, next };
  return source;

  async function next() {
    source.read++;
    return left.shift() ?? null;
  }
}

describe('a file of many pages', () => {
  test('is the rows of all of them under one head', async () => {
    const source = pagesOf(['c'], [], ['d']);
    const text = await new Response(streamPages(parts, ['a', 'b'], source.next)).text();
    expect(text).toBe('name\r\na\r\nb\r\nc\r\nd\r\n');
  });

  test('has a row once that moved onto the next page meanwhile', async () => {
    const text = await new Response(streamPages(parts, ['c', 'b'], pagesOf(['b', 'a']).next)).text();
    expect(text).toBe('name\r\nc\r\nb\r\na\r\n');
  });

  test('is read as it is taken, a page at a time, and no further once nobody takes it', async () => {
    const source = pagesOf(['b'], ['c'], ['d']);
    const reader = streamPages(parts, ['a'], source.next).getReader();
    const take = async () => new TextDecoder().decode((await reader.read()).value);
    expect([await take(), source.read]).toEqual(['name\r\na\r\n', 0]);
    expect([await take(), source.read]).toEqual(['b\r\n', 1]);
    await reader.cancel();
    expect(source.read).toBe(1);
  });

  test('breaks off where a page cannot be read', async () => {
    const fail = async () => {
      throw new Error('gone');
    };
    await expect(new Response(streamPages(parts, ['a'], fail)).text()).rejects.toThrow('gone');
  });

  test('is read within the request that it belongs to, whoever takes it', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const next = async () => {
      seen.push(storage.getStore());
      return null;
    };
    const stream = storage.run('request', () => streamPages(parts, ['a'], next));
    await storage.run('socket', () => new Response(stream).text());
    expect(seen).toEqual(['request']);
  });
});
