import { lexer, type Token, type Tokens } from 'marked';
import { type Block, type Chapter, type Inline, plainText } from './blocks.ts';

/**
 * Reads a chapter from Markdown. HTML stays text, comments are excluded.
 * @throws Error where the chapter does not begin with a title and a lead, or holds what pages do not show.
 */
export function parseChapter(markdown: string): Chapter {
  const [title, lead, ...blocks] = lexer(markdown).flatMap(toBlocks);
  if (title?.kind !== 'heading' || title.level !== 1 || lead?.kind !== 'paragraph')
    throw new Error('A chapter begins with a title and a paragraph.');
  return { title: plainText(title.children), lead: plainText(lead.children), blocks };
}

/** The anchor of a heading, as code-hosting platforms make it. */
const toAnchor = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

function toBlocks(token: Token): Block[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'html':
      return token.text.trim().startsWith('<!--') ? [] : [{ kind: 'paragraph', children: [token.text.trim()] }];
    case 'heading': {
      const children = toInlines(token.tokens);
      return [{ kind: 'heading', level: token.depth, id: toAnchor(plainText(children)), children }];
    }
    case 'paragraph':
    case 'text':
      return [{ kind: 'paragraph', children: toInlines(token.tokens) }];
    case 'code':
      return [{ kind: 'code', text: token.text }];
    case 'list':
      return [toList(token as Tokens.List)];
    case 'table':
      return [toTable(token as Tokens.Table)];
    default:
      throw new Error(`Pages do not show ${token.type}: ${token.raw.slice(0, 80)}`);
  }
}

const toList = ({ ordered, items }: Tokens.List): Block => ({
  kind: 'list',
  isOrdered: ordered,
  items: items.map(({ tokens }) => tokens.flatMap(toBlocks)),
});

const toTable = ({ header, rows }: Tokens.Table): Block => ({
  kind: 'table',
  head: header.map(({ tokens }) => toInlines(tokens)),
  rows: rows.map((row) => {
    const cells = row.map(({ tokens }) => toInlines(tokens));
    const [name, ...others] = cells[0] ?? [];
    const isNamed = typeof name === 'object' && name.kind === 'code' && others.length === 0;
    return { id: isNamed ? toAnchor(name.text) : null, cells };
  }),
});

const toInlines = (tokens: readonly Token[] = []): Inline[] => tokens.map(toInline);

function toInline(token: Token): Inline {
  switch (token.type) {
    case 'text':
    case 'escape':
    case 'html':
      return token.text;
    case 'codespan':
      return { kind: 'code', text: token.text };
    case 'strong':
    case 'em':
      return { kind: token.type, children: toInlines(token.tokens) };
    case 'link':
      return { kind: 'link', href: toAddress(token.href), children: toInlines(token.tokens) };
    default:
      throw new Error(`Pages do not show ${token.type}: ${token.raw}`);
  }
}

/** Chapters link to each other as files, so that links work in the repository too. */
function toAddress(href: string): string {
  if (/^(https:\/\/|#)/.test(href)) return href;
  const chapter = /^(?:\.\.\/(?=open\/))?((?:open\/)?[a-z-]+)\.md(#.+)?$/.exec(href);
  if (!chapter) throw new Error(`A link leads neither to a chapter nor to https: ${href}`);
  return `/docs/${chapter[1]}${chapter[2] ?? ''}`;
}
