import { expect, test } from 'vitest';
import { parseChapter } from '../../../app/routes/docs/markdown.ts';
import { getEntries, type SearchEntry, searchDocs } from '../../../app/routes/docs/search.ts';
import { sections } from '../../../app/routes/docs/sections.ts';

const chapter = parseChapter(`# Jobs

How runs are read.

Before the first heading.

## Webhooks

A webhook shows runs within a second.

- needs a secret

\`\`\`sh
curl  /api
\`\`\`

| Name | Default |
|---|---|
| \`CRON_SECRET\` | none |
| nightly | 02:37 |
`);
const entries = getEntries({ key: 'jobs', title: chapter.title, lead: chapter.lead, blocks: chapter.blocks });
const hrefs = (places: readonly SearchEntry[], query: string) =>
  searchDocs(places, query)?.results.map(({ href }) => href) ?? null;

test('a chapter has a place for its beginning, each heading and each row', () => {
  expect(entries).toEqual([
    { title: 'Jobs', heading: null, href: '/docs/jobs', text: 'How runs are read. Before the first heading.' },
    {
      title: 'Jobs',
      heading: 'Webhooks',
      href: '/docs/jobs#webhooks',
      text: 'A webhook shows runs within a second. needs a secret curl /api',
    },
    { title: 'Jobs', heading: 'CRON_SECRET', href: '/docs/jobs#cron_secret', text: 'none' },
    { title: 'Jobs', heading: 'Webhooks', href: '/docs/jobs#webhooks', text: 'nightly · 02:37' },
  ]);
});

test('words are found by their beginning, in any case and order, headings first', () => {
  expect(hrefs(entries, 'SECOND webh')).toEqual(['/docs/jobs#webhooks']);
  expect(hrefs(entries, 'secret')).toEqual(['/docs/jobs#cron_secret', '/docs/jobs#webhooks']);
  expect(hrefs(entries, 'ecret')).toEqual([]);
});

test('the excerpt shows the matches', () => {
  expect(searchDocs(entries, 'runs within')?.results[0]?.excerpt).toEqual([
    'A webhook shows ',
    'runs',
    ' ',
    'within',
    ' a second. needs a secret curl /api',
  ]);
});

test('of a long text the part around the first match is shown, whole words of it', () => {
  const text = `${'before '.repeat(100)}needle${' after'.repeat(100)}`;
  const excerpt =
    searchDocs([{ title: 'T', heading: null, href: '/docs/t', text }], 'needle')?.results[0]?.excerpt ?? [];
  expect(excerpt[1]).toBe('needle');
  expect(excerpt.join('')).toMatch(/^… (before )+needle( after)+ …$/);
  expect(excerpt.join('').length).toBeLessThan(200);
});

test('where no place has all words, those with most are shown and it is said', () => {
  expect(searchDocs(entries, 'webhook second nonsense')).toMatchObject({ total: 1, hasAllWords: false });
  expect(searchDocs(entries, 'webhook second')).toMatchObject({ total: 1, hasAllWords: true });
  expect(searchDocs(entries, 'nonsense')).toEqual({ results: [], total: 0, hasAllWords: false });
});

test.each(['', '   ', '–', '"(*'])('%j holds no word', (query) => {
  expect(searchDocs(entries, query)).toBeNull();
});

test('a query is text, not a pattern, and only its first hundred characters count', () => {
  expect(hrefs(entries, '.*')).toBeNull();
  expect(hrefs(entries, 'secret) (a+)+$')).toEqual(['/docs/jobs#webhooks']);
  expect(searchDocs(entries, `${'secret '.repeat(20)}nonsense`)).toMatchObject({ hasAllWords: true });
});

test('no more than twenty are shown of what is found', () => {
  const many = Array.from({ length: 30 }, (_, index) => ({
    title: 'T',
    heading: null,
    href: `/docs/t${index}`,
    text: 'x',
  }));
  const answer = searchDocs(many, 'x');
  expect([answer?.results.length, answer?.total]).toEqual([20, 30]);
});

test.each([
  ['lead time', '/docs/delivery#lead-time-to-merge'],
  ['bus factor', '/docs/people#bus-factor'],
  ['SMTP_URL', '/docs/configuration#smtp_url'],
  ['pg_dump', '/docs/backup#back-up'],
  ['kubernetes', '/docs/processes#kubernetes'],
  ['audit log kept', '/docs/retention#how-long-each-kind-is-kept'],
])('%s is found first at %s', (query, href) => {
  expect(hrefs(sections().flatMap(getEntries), query)?.[0]).toBe(href);
});
