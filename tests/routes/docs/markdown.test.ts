import { expect, test } from 'vitest';
import { plainText } from '../../../app/routes/docs/blocks.ts';
import { parseChapter } from '../../../app/routes/docs/markdown.ts';

const chapter = (body: string) => parseChapter(`# Title\n\nThe lead.\n\n${body}`);

test('a chapter is its title, its lead and its blocks', () => {
  const { title, lead, blocks } = chapter('## A *small* heading\n\nText with `code`, **weight** and 3 < 4 & 5.');
  expect([title, lead]).toEqual(['Title', 'The lead.']);
  expect(blocks).toEqual([
    {
      kind: 'heading',
      level: 2,
      id: 'a-small-heading',
      children: ['A ', { kind: 'em', children: ['small'] }, ' heading'],
    },
    {
      kind: 'paragraph',
      children: [
        'Text with ',
        { kind: 'code', text: 'code' },
        ', ',
        { kind: 'strong', children: ['weight'] },
        ' and 3 < 4 & 5.',
      ],
    },
  ]);
});

test('lists, code and tables keep their parts', () => {
  const { blocks } = chapter(
    '1. one\n2. two\n\n```sh\nnpm  start\n```\n\n| Name | Value |\n|---|---|\n| `A_B` | first |\n| plain | `x|y` |\n',
  );
  expect(blocks).toEqual([
    {
      kind: 'list',
      isOrdered: true,
      items: [[{ kind: 'paragraph', children: ['one'] }], [{ kind: 'paragraph', children: ['two'] }]],
    },
    { kind: 'code', text: 'npm  start' },
    expect.objectContaining({ kind: 'table', head: [['Name'], ['Value']] }),
  ]);
  const [, , table] = blocks;
  expect(table?.kind === 'table' && table.rows.map(({ id }) => id)).toEqual(['a_b', null]);
});

test('HTML stays text, and comments are excluded', () => {
  const { blocks } = chapter(
    '<!-- made by a script -->\n\n<script>alert(1)</script>\n\nOne <b onclick="x()">word</b>.',
  );
  expect(blocks.map((block) => block.kind === 'paragraph' && plainText(block.children))).toEqual([
    '<script>alert(1)</script>',
    'One <b onclick="x()">word</b>.',
  ]);
  expect(JSON.stringify(blocks)).not.toContain('"kind":"html"');
});

test.each([
  ['jobs.md', '/docs/jobs'],
  ['jobs.md#webhooks', '/docs/jobs#webhooks'],
  ['#here', '#here'],
  ['https://example.org/a', 'https://example.org/a'],
])('a link to %s leads to %s', (target, href) => {
  expect(chapter(`[there](${target})`).blocks).toEqual([
    { kind: 'paragraph', children: [{ kind: 'link', href, children: ['there'] }] },
  ]);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  '../secret.md',
  'http://example.org',
  '/alerts',
  '//example.org',
])('a link to %s stops the chapter', (target) => {
  expect(() => chapter(`[there](${target})`)).toThrow('A link leads neither to a chapter nor to https');
});

test.each(['![picture](https://example.org/a.png)', '> quoted', '~~gone~~'])('%s is not shown, and says so', (body) => {
  expect(() => chapter(body)).toThrow('Pages do not show');
});

test.each(['', 'No title', '## Small title\n\nLead', '# Title\n\n## No lead'])('%j is no chapter', (markdown) => {
  expect(() => parseChapter(markdown)).toThrow('A chapter begins with a title and a paragraph');
});
