import { expect, test } from 'vitest';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

const harbor = '/demo/repos/lumen-harbor/tidewater-web';
const pages = [
  '/demo',
  '/demo/pull-requests',
  '/demo/deployments',
  '/demo/ci',
  '/demo/cost',
  '/demo/cost?view=bill',
  '/demo/security',
  '/demo/reports',
  '/demo/reports?repo=lumen-harbor%2Ftidewater-web',
  '/demo/team?org=lumen-harbor',
  '/demo/org/lumen-harbor',
  '/demo/org/lumen-harbor/health',
  '/demo/org/lumen-harbor/merge-queues',
  '/demo/org/lumen-harbor/advisor',
  '/demo/contributor/tuan-pham?owner=lumen-harbor',
  '/demo/working-habits?org=lumen-harbor',
  '/demo/explain?metric=failure_rate&range=30',
  `${harbor}/pull-requests`,
  `${harbor}/workflows`,
  `${harbor}/deployments`,
  `${harbor}/issues`,
  `${harbor}/team`,
  `${harbor}/security`,
  `${harbor}/changes`,
  ...['overview', 'performance', 'reliability', 'triggers', 'cost', 'runs'].map(
    (tab) => `${harbor}/workflows/41000?tab=${tab}`,
  ),
];

const getFiles = (links: readonly string[]) => links.filter((href) => /[?&]format=(csv|sarif)\b/.test(href));

test.each(pages)('%s has its tables as files of the demo', async (path) => {
  const files = getFiles((await visit.read(path, '')).links);
  expect(files.length).toBeGreaterThan(0);
  for (const href of files) {
    expect(href).toMatch(/^\/demo\/api\/(advisor|codehost|db|explain)\b/);
    const { status, headers, text } = await visit.site.visit(href);
    expect([href, status]).toEqual([href, 200]);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]+\.(csv|sarif)"$/);
    if (href.includes('format=csv')) expect(text.split('\n').length, href).toBeGreaterThan(1);
  }
});

test('a file has the columns of the real one, and the rows of its situation', async () => {
  const real = await visit.site.visit('/api/db/cost?format=csv', { cookie: visit.ann });
  const readIn = async (situation: string) => {
    const { links } = await visit.read(`/demo/cost?situation=${situation}`, '');
    const [href = ''] = getFiles(links);
    return (await visit.site.visit(href)).text;
  };
  const [usual, flaky] = [await readIn('mixed'), await readIn('flaky')];
  const head = (text: string) => text.split(/\r?\n/)[0];
  expect(head(usual)).toBe(head(real.text));
  expect(usual).toContain('lumen-harbor/beacon-api');
  expect(flaky).not.toBe(usual);
});

test('has the reports alone, for reading alone', async () => {
  const ask = async (path: string) => (await visit.site.visit(path)).status;
  expect(await ask('/demo/api/admin/audit?format=csv')).toBe(404);
  expect(await ask('/demo/api/settings/email')).toBe(404);
  expect(await ask('/demo/api/codehost/nothing')).toBe(404);
  expect(await ask('/demo/api/codehost/bus-factor?owner=octo&repo=web&format=csv')).toBe(404);
  expect(await ask('/demo/api/db/cost?situation=x')).toBe(400);
  const { status } = await visit.site.visit('/demo/api/db/sync', { form: { owner: 'lumen-harbor' } });
  expect(status).toBe(405);
  expect(visit.site.double.violations).toEqual([]);
});
