import { createRequire } from 'node:module';
import { expect } from 'vitest';

/** The package brings no types. */
const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
  JSDOM: new (text: string, options: { contentType: string }) => { window: Window };
};

const namespace = 'http://www.w3.org/2005/Atom';
/** What stands where, by RFC 4287 §4.1, as often as it must and may. */
const inFeed = { id: [1, 1], title: [1, 1], updated: [1, 1], author: [1, 1], link: [0, 9], entry: [0, 999] };
const inEntry = { id: [1, 1], title: [1, 1], updated: [1, 1], link: [1, 9], content: [1, 1] };
const inAuthor = { name: [1, 1] };

type Rules = Readonly<Record<string, readonly number[]>>;

export interface ReadEntry {
  id: string;
  title: string;
  updated: string;
  page: string;
  content: string;
}

/** Reads a feed with a strict parser. @throws where it is not well-formed, or not valid Atom. */
export function expectAtom(text: string): ReadEntry[] {
  const { document } = new JSDOM(text, { contentType: 'application/xml' }).window;
  const feed = document.documentElement;
  expect([feed.localName, feed.namespaceURI]).toEqual(['feed', namespace]);
  expectChildren(feed, inFeed);
  expectChildren(feed.querySelector('author'), inAuthor);
  const entries = [...feed.children].filter(({ localName }) => localName === 'entry');
  for (const entry of entries) expectChildren(entry, inEntry);
  for (const updated of document.querySelectorAll('updated'))
    expect(updated.textContent).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
  for (const link of document.querySelectorAll('link'))
    expect(URL.canParse(link.getAttribute('href') ?? '')).toBe(true);
  const ids = [...document.querySelectorAll('id')].map(({ textContent }) => textContent);
  expect(new Set(ids).size).toBe(ids.length);
  return entries.map((entry) => {
    const read = (name: string) => entry.querySelector(name)?.textContent ?? '';
    const page = entry.querySelector('link[rel=alternate]')?.getAttribute('href') ?? '';
    return { id: read('id'), title: read('title'), updated: read('updated'), page, content: read('content') };
  });
}

function expectChildren(parent: Element | null, rules: Rules): void {
  const names = [...(parent?.children ?? [])].map(({ localName }) => localName);
  for (const name of names) expect(Object.keys(rules)).toContain(name);
  for (const [name, [least = 0, most = 0]] of Object.entries(rules)) {
    const found = names.filter((one) => one === name).length;
    expect(found, name).toBeGreaterThanOrEqual(least);
    expect(found, name).toBeLessThanOrEqual(most);
  }
}
