import { describe, expect, test } from 'vitest';
import { cursorsOf, pageOf } from '../../server/mcp/paging.ts';

const cursors = cursorsOf('explain_number', { metric: 'lead_time' }, { secret: 'x'.repeat(32), now: 0 });
const listOf = (...keys: string[]) => keys.map((key, at) => ({ key, value: { at } }));
const cursorAfter = (items: ReturnType<typeof listOf>, limit: number, cursor?: string) => {
  const page = pageOf(items, cursor, limit, cursors);
  return page.next(page.items) ?? '';
};

describe('a page of a list', () => {
  test('goes on behind its last item, wherever that stands by then', () => {
    const cursor = cursorAfter(listOf('c', 'b', 'a'), 1);
    expect(pageOf(listOf('d', 'c', 'b', 'a'), cursor, 5, cursors).items.map(({ key }) => key)).toEqual(['b', 'a']);
  });

  test('tells items of the same name apart, and ends with the last of them', () => {
    const items = listOf('a', 'a', 'a');
    const first = cursorAfter(items, 1);
    const second = cursorAfter(items, 1, first);
    expect(pageOf(items, second, 1, cursors).items).toEqual([{ key: 'a', value: { at: 2 } }]);
    expect(cursorAfter(items, 1, second)).toBe('');
  });

  test('is rejected where the item is gone', () => {
    const cursor = cursorAfter(listOf('b', 'a'), 1);
    expect(() => pageOf(listOf('a'), cursor, 1, cursors)).toThrow('Begin without one');
  });

  test('says no name in its cursor', () => {
    const cursor = cursorAfter(listOf('secret-branch', 'a'), 1);
    expect(Buffer.from(cursor, 'base64url').toString()).not.toContain('secret');
  });
});
