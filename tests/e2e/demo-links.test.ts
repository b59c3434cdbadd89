import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

const getLinks = (html: string): string[] =>
  [...html.matchAll(/<a [^>]*?href="(\/demo[^"#]*)/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

test('the demo links to nothing that does not open', async () => {
  const seen = new Set<string>();
  const waiting = ['/demo'];
  const broken: string[] = [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    // Of the choices on a page one is enough; each has the same way in.
    const [place = ''] = path.split('?');
    if (seen.has(place)) continue;
    seen.add(place);
    const { status, text } = await site.visit(path);
    if (status !== 200) broken.push(`${status} ${path}`);
    waiting.push(...getLinks(text));
  }
  expect(broken).toEqual([]);
  expect(seen.size).toBeGreaterThan(50);
  expect(seen).toContain('/demo/repos/lumen-harbor/beacon-api/issues');
  expect(seen).not.toContain('/demo/repos/lumen-harbor/anchor-charts/issues');
});
