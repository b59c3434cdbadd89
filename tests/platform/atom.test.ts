import { expect, test } from 'vitest';
import { type AtomFeed, answerFeed, writeAtom } from '../../server/platform/atom.ts';
import { expectAtom } from '../support/atom-reader.ts';

const at = Date.UTC(2026, 10, 22, 10, 0, 0, 500);
const entry = { id: 'tag:a.example,2026:1', title: 'One', updated: at, page: 'https://a.example/1', content: 'Text' };
const feed: AtomFeed = {
  id: 'tag:a.example,2026:all',
  title: 'All',
  author: 'Somebody',
  self: 'https://a.example/all.atom',
  page: 'https://a.example/',
  entries: [entry],
};

test('a feed is valid, with and without entries', () => {
  expect(expectAtom(writeAtom(feed))).toEqual([
    { id: entry.id, title: 'One', updated: '2026-11-22T10:00:00.500Z', page: entry.page, content: 'Text' },
  ]);
  expect(expectAtom(writeAtom({ ...feed, entries: [] }))).toEqual([]);
});

test.each([
  ['<script>alert(1)</script>'],
  [']]>&amp;"\'<!--'],
  ['a\u0000b\u0008c\ufffe\ud800d', 'abcd'],
  ['\u202ea 🦆'],
])('%j stays text', (text, kept = text) => {
  const page = `https://a.example/${encodeURIComponent('"&<')}?a=1&b="`;
  const [read] = expectAtom(writeAtom({ ...feed, entries: [{ ...entry, title: text, content: text, page }] }));
  expect(read).toMatchObject({ title: kept, content: kept, page });
});

test('a reader that has what there is is answered 304', async () => {
  const ask = (headers: Record<string, string> = {}) => answerFeed(feed, new Headers(headers));
  const first = ask();
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  expect(first.headers.get('cache-control')).toBe('private, max-age=900');
  const tag = first.headers.get('etag') ?? '';
  const date = first.headers.get('last-modified') ?? '';
  expect(date).toBe('Sun, 22 Nov 2026 10:00:00 GMT');
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = ask({ 'if-none-match': known });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
  }
  expect(ask({ 'if-modified-since': date }).status).toBe(304);
  expect(ask({ 'if-modified-since': new Date(at - 1000).toUTCString() }).status).toBe(200);
  expect(ask({ 'if-modified-since': 'yesterday' }).status).toBe(200);
  expect(ask({ 'if-none-match': '"other"', 'if-modified-since': date }).status).toBe(200);
});

test('the reader of these tests refuses what is not valid', () => {
  const text = writeAtom(feed);
  for (const [from, to] of [
    ['<id>tag:a.example,2026:all</id>', ''],
    ['<updated>', '<updated>on '],
    ['</entry>', ''],
    ['<title>One</title>', '<title>One</title><title>Two</title>'],
    ['<author>', '<writer/><author>'],
  ] as const)
    expect(() => expectAtom(text.replace(from, to)), from).toThrow();
});
