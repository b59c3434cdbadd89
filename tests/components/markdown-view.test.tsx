// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { MarkdownView } from '../../app/routes/docs/markdown-view.tsx';
import { drawInRoot } from './in-root.tsx';

const heading = { kind: 'heading', id: 'read', level: 2, children: ['Read'] };
const code = (text: string) => ({ kind: 'code', text });

test('blocks of code under one heading have names of their own', () => {
  const blocks = [code('a'), heading, code('b'), code('c'), { kind: 'list', isOrdered: false, items: [[code('d')]] }];
  const { container } = drawInRoot(
    <MarkdownView blocks={blocks as never} title="Tokens" />,
    { now: 0, zone: 'UTC', base: '' },
    '/docs/open/tokens',
  );
  const names = [...container.querySelectorAll('section')].map((box) => box.getAttribute('aria-label'));
  expect(names).toEqual(['Code: Tokens', 'Code: Read', 'Code: Read 2', 'Code: Read, 1']);
});
