import { expect, test } from 'vitest';
import { workflowIds } from '../codehost-double/named-world.ts';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

test.each(['/repos/octo/web', `/repos/octo/web/workflows/${workflowIds.webCi}`, '/org/octo', '/settings', '/docs'])(
  'every tab of %s has a title of its own',
  async (path) => {
    const tabs =
      /<nav (class="tabs"|aria-label="Documentation").*?<\/nav>/s.exec((await visit.read(path)).text)?.[0] ?? '';
    const hrefs = [...tabs.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    expect(hrefs.length).toBeGreaterThan(1);
    const titles = new Set<string | undefined>();
    for (const href of hrefs) {
      const { pathname, search } = new URL(href, visit.site.url + path);
      titles.add(/<title>([^<]*)/.exec((await visit.read(`${pathname}${search}`)).text)?.[1]);
    }
    expect(titles.size).toBe(hrefs.length);
  },
);

test('pages about the same thing have titles of their own', async () => {
  const getTitle = async (path: string) => /<title>([^<]*)/.exec((await visit.read(path)).text)?.[1];
  expect(await getTitle('/settings/working-habits')).not.toBe(await getTitle('/working-habits'));
});

test('an icon is found at the address that browsers try by themselves', async () => {
  const { status, headers, text } = await visit.site.visit('/favicon.ico');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^image\/(x-icon|vnd\.microsoft\.icon)/);
  expect(text.slice(0, 4)).toBe('\0\0\u0001\0');
  const page = (await visit.site.visit('/docs')).text;
  const icons = [...page.matchAll(/<link rel="icon" href="([^"]+)"/g)].map(([, href]) => href);
  expect(icons).toEqual(['/favicon.ico', '/favicon.svg']);
});
