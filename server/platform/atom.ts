import { createHash } from 'node:crypto';

/** A feed in the Atom format (RFC 4287); instants are epoch milliseconds, addresses absolute. */
export interface AtomFeed {
  id: string;
  title: string;
  author: string;
  self: string;
  page: string;
  entries: readonly AtomEntry[];
}

export interface AtomEntry {
  id: string;
  title: string;
  updated: number;
  page: string;
  /** Plain text. */
  content: string;
}

const contentType = 'application/atom+xml; charset=utf-8';

/** When a feed without entries was last changed. */
const never = Date.UTC(2026, 0, 1);

const updatedAt = ({ entries }: AtomFeed): number => Math.max(never, ...entries.map(({ updated }) => updated));

/** The feed as XML. */
export function writeAtom(feed: AtomFeed): string {
  const { id, title, author, self, page, entries } = feed;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', id),
    element('title', title),
    element('updated', time(updatedAt(feed))),
    `<author>${element('name', author)}</author>`,
    link('self', self),
    link('alternate', page),
    ...entries.map(writeEntry),
    '</feed>',
    '',
  ].join('\n');
}

const writeEntry = ({ id, title, updated, page, content }: AtomEntry): string =>
  [
    '<entry>',
    element('id', id),
    element('title', title),
    element('updated', time(updated)),
    link('alternate', page),
    `<content type="text">${escapeXml(content)}</content>`,
    '</entry>',
  ].join('\n');

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;

const link = (relation: string, address: string): string => `<link rel="${relation}" href="${escapeXml(address)}"/>`;

const time = (at: number): string => new Date(at).toISOString();

/** Text of an element or an attribute, without the characters that XML 1.0 cannot hold. */
const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The answer to a reader of a feed: 304 where it has what there is. */
export function answerFeed(feed: AtomFeed, requestHeaders: Headers): Response {
  const text = writeAtom(feed);
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 27);
  const headers = new Headers({
    'Cache-Control': 'private, max-age=900',
    // Its address has a token.
    'Referrer-Policy': 'no-referrer',
    ETag: `"${tag}"`,
    'Last-Modified': new Date(updatedAt(feed)).toUTCString(),
  });
  if (isKnown(tag, updatedAt(feed), requestHeaders)) return new Response(null, { status: 304, headers });
  headers.set('Content-Type', contentType);
  return new Response(text, { headers });
}

/**
 * A date is compared only where no tag is named (RFC 9110 §13.1.3), and with the very date: an earlier one may be of
 * events that its reader sees no more.
 */
function isKnown(tag: string, updated: number, requestHeaders: Headers): boolean {
  const tags = requestHeaders.get('if-none-match');
  if (tags !== null) return tags.trim() === '*' || tags.includes(`"${tag}"`);
  return Date.parse(requestHeaders.get('if-modified-since') ?? '') === Math.floor(updated / 1000) * 1000;
}
