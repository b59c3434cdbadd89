import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Block, Inline } from '../../../app/routes/docs/blocks.ts';
import { forReaders, sections } from '../../../app/routes/docs/sections.ts';
import routes from '../../../app/routes.ts';
import { nameService } from '../../../server/platform/example-address.ts';

const root = resolve(import.meta.dirname, '../../..');
const folder = join(root, 'app/routes/docs/content');

const toInlines = (block: Block): Inline[] => {
  if (block.kind === 'list') return block.items.flat().flatMap(toInlines);
  if (block.kind === 'table') return [block.head, ...block.rows.map(({ cells }) => cells)].flat(2);
  return block.kind === 'code' ? [] : block.children;
};
const deep = (inlines: readonly Inline[]): Inline[] =>
  inlines.flatMap((inline) =>
    typeof inline === 'object' && 'children' in inline ? [inline, ...deep(inline.children)] : [inline],
  );
const getAnchors = (blocks: readonly Block[]) =>
  blocks.flatMap((block) => {
    if (block.kind === 'table') return block.rows.flatMap(({ id }) => (id === null ? [] : [id]));
    return block.kind === 'heading' ? [block.id] : [];
  });
const anchors = new Map(sections().map(({ key, blocks }) => [`/docs/${key}`, getAnchors(blocks)]));

test('every file is a chapter of the side list, once', () => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const files = names.map((name) => name.replace(/\.md$/, ''));
  expect(
    sections()
      .map(({ key }) => key)
      .sort(),
  ).toEqual(files.sort());
});

test.each(sections())('anchors of $key are there once', ({ blocks }) => {
  const ids = getAnchors(blocks);
  expect(ids.every((id) => id.length > 0)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(sections())('links of $key lead to chapters and places that exist', ({ key, blocks }) => {
  for (const inline of deep(blocks.flatMap(toInlines))) {
    if (typeof inline !== 'object' || inline.kind !== 'link' || inline.href.startsWith('https:')) continue;
    const [path, anchor] = inline.href.replace(/^#/, `/docs/${key}#`).split('#');
    expect([...anchors.keys()], inline.href).toContain(path);
    if (anchor !== undefined) expect(anchors.get(path ?? ''), inline.href).toContain(anchor);
  }
});

/** What routes make of an address: `:owner` stands for any part. */
const patterns = routes
  .flatMap((one) => one.children ?? [one])
  .flatMap(({ path }) => (path === undefined || path === '*' || path === 'api/*' ? [] : [path]))
  .map((path) => new RegExp(`^/${path.replace(/:\w+/g, '[^/]+')}$`));

test.each(sections())('pages and files that $key names exist', ({ blocks }) => {
  for (const inline of deep(blocks.flatMap(toInlines))) {
    if (typeof inline !== 'object' || inline.kind !== 'code') continue;
    const { text } = inline;
    if (/^\/(?!api\/|app$|metrics$)[a-z/-]+$/.test(text))
      expect(
        patterns.some((pattern) => pattern.test(text)),
        text,
      ).toBe(true);
    for (const [path] of text.matchAll(/\b(app|server|tests|migrations|jobs)\/[\w./-]+/g))
      expect(existsSync(join(root, path)), path).toBe(true);
  }
});

test('the chapter about retention says what is never deleted of people', () => {
  const chapter = readFileSync(join(folder, 'retention.md'), 'utf8');
  for (const what of ['logins of GitHub accounts that runs and facts named', 'users and their memberships'])
    expect(chapter).toMatch(new RegExp(`\\| ${what}[^|]*\\| never deleted`));
});

test('the chapter about retention names every age at which something is deleted', () => {
  const chapter = readFileSync(join(folder, 'retention.md'), 'utf8').replaceAll(',', '');
  const ages = (path: string, pattern: RegExp) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(pattern)].map(([, age]) => age);
  const all = [
    ...ages('server/store/sql/retention.sql', /interval '(\d+ (?:days|years))'/g),
    ...ages('server/store/facts/retention.ts', /days: (\d+) \}/g).map((days) => `${days} days`),
  ];
  expect(all.length).toBeGreaterThan(15);
  for (const age of all) expect(chapter).toContain(age);
});

test.each(sections())('$key shows no HTML of its file', ({ key }) => {
  const markdown = readFileSync(join(folder, `${key}.md`), 'utf8')
    .replace(/```.*?```/gs, '')
    .replace(/`[^`]*`/g, '');
  expect(markdown.replace(/<!--.*?-->/gs, '')).not.toMatch(/<[a-z/!]/i);
});

test('the host has its own name in what readers run, but not in code, anchors and chapters about the source', () => {
  const named = (key: string) => {
    const section = sections().find((one) => one.key === key);
    return (
      section &&
      forReaders(section, {
        nameHost: (text) => text.replaceAll('GitHub', 'git.acme.example'),
        nameService: (example) => nameService(example, { APP_URL: 'http://metrics.acme.example:8080' }),
      })
    );
  };
  const organization = named('organization');
  expect(organization?.lead).toContain('sign in with git.acme.example');
  expect(JSON.stringify(organization?.blocks)).not.toContain('GitHub');
  expect(organization?.blocks).toContainEqual({
    kind: 'heading',
    level: 2,
    id: 'github-outages',
    children: ['git.acme.example outages'],
  });
  expect(JSON.stringify(named('configuration')?.blocks)).toContain('https://api.github.com');
  expect(JSON.stringify(named('open/mcp')?.blocks)).toContain('http://metrics.acme.example:8080/api/mcp');
  expect(JSON.stringify(named('open/metrics')?.blocks)).toContain('[\\"metrics.acme.example:8080\\"]');
  for (const { key } of sections()) expect(JSON.stringify(named(key))).not.toContain('analytics.example.org');
  expect(named('development')).toEqual(sections().find(({ key }) => key === 'development'));
});
