import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { closeContexts, sharedBrowser } from '../support/browser.ts';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

const toList = (text: string) => /<nav aria-label="Documentation">.*?<\/nav>/s.exec(text)?.[0] ?? '';
const chapters = async () =>
  [...toList((await visit.read('/docs')).text).matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);

test('every page has the same side list with itself marked, and the search', async () => {
  const all = await chapters();
  expect(all.length).toBeGreaterThan(15);
  for (const path of all) {
    const { text } = await visit.readPlain(path);
    const list = toList(text);
    expect([...list.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(all);
    expect([...list.matchAll(/href="([^"]+)" aria-current="page"/g)].map(([, href]) => href)).toEqual([path]);
    expect(text).toMatch(/<search><form [^>]*action="\/docs"[^>]*>.*? name="q".*?<\/search>/s);
  }
});

test('every kind of page says which version it is about: that of the API and of the package', async () => {
  const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'));
  const { text } = await visit.read('/api/openapi.json');
  expect(JSON.parse(text).info.version).toBe(version);
  for (const path of ['/docs', '/docs/start', '/docs/api', '/docs/metrics', '/docs/metrics/lead_time', '/docs?q=lead'])
    expect((await visit.readPlain(path)).content, path).toContain(`Version ${version} `);
});

test('results name the chapter and the heading, and lead to a place that is there', async () => {
  expect((await visit.readPlain('/docs?q=median')).text).toContain('<mark>median</mark>');
  for (const query of ['lead time', 'webhook secret', 'backup', 'GET /api/db/sync', 'SESSION_SECRET']) {
    const { text, content: words } = await visit.readPlain(`/docs?q=${encodeURIComponent(query)}`);
    expect(words).toMatch(/\d+ results? for/);
    const results = /<ol class="results">.*?<\/ol>/s.exec(text)?.[0] ?? '';
    const hrefs = [...results.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
    expect(hrefs.length, query).toBeGreaterThan(0);
    for (const href of hrefs) {
      const [path = '', anchor] = href.split('#');
      const page = await visit.read(path);
      expect(page.status, href).toBe(200);
      if (anchor) expect(page.text, href).toContain(`id="${anchor}"`);
    }
  }
});

test('each metric is in the search, leads to pages that are there, and is led to from its numbers', async () => {
  const { text: results } = await visit.read('/docs?q=lead+time+to+merge');
  expect(results).toContain('href="/docs/metrics/lead_time"');
  const index = await visit.readPlain('/docs/metrics');
  const pages = new Set([...index.text.matchAll(/href="(\/docs\/metrics\/[^"]+)"/g)].map(([, href = '']) => href));
  expect(pages.size).toBeGreaterThan(80);
  const linked = new Set<string>();
  for (const path of pages) {
    const { text, status } = await visit.readPlain(path);
    expect(status, path).toBe(200);
    for (const [, href = ''] of text.matchAll(/href="(\/demo[^"#]*)/g)) linked.add(href.replaceAll('&amp;', '&'));
  }
  const fromCards = new Set<string>();
  for (const href of linked) {
    const page = await visit.read(href);
    expect(page.status, href).toBe(200);
    for (const [, to = ''] of page.text.matchAll(/href="(\/docs\/metrics\/[^"]+)" aria-label="Definition"/g))
      fromCards.add(to);
  }
  expect(fromCards.size).toBeGreaterThan(40);
  expect([...fromCards].filter((to) => !pages.has(to))).toEqual([]);
  const explained = await visit.read('/demo/explain?metric=lead_time&owner=lumen-harbor&repo=beacon-api');
  expect(explained.text).toContain('href="/docs/metrics/lead_time"');
});

test('what was searched for stays in the field, and is text', async () => {
  const { text, content: words } = await visit.readPlain(
    `/docs?q=${encodeURIComponent('"><script>alert(1)</script>')}`,
  );
  expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  expect(words).toMatch(/for “"&gt;&lt;script/);
});

test('a search without a word shows the overview, one without results says what to try', async () => {
  for (const query of ['', '++', '%E2%80%93'])
    expect((await visit.readPlain(`/docs?q=${query}`)).content).toMatch(/Nothing to search for\..*Read the numbers/);
  const { content: words } = await visit.readPlain('/docs?q=zzzz');
  expect(words).toContain('No results for “zzzz” Try another term');
  expect((await visit.read(`/docs?q=${'x'.repeat(5000)}`)).status).toBe(200);
});

test('a search works by keyboard in a browser without scripts', async () => {
  const browser = await sharedBrowser();
  try {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(`${visit.site.url}/docs/runs`);
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('bus factor');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'People › Bus factor' }).click();
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/docs/people#bus-factor');
  } finally {
    await closeContexts(browser);
  }
});
