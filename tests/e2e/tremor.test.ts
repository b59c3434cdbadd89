import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
});
afterAll(() => site?.stop());

/** What a person opens every day; without scripts, for nothing of it is drawn in a browser. */
const daily = [
  '/demo',
  '/demo/search?q=beacon',
  '/demo/ci?view=slow',
  '/demo/team?org=lumen-harbor',
  '/demo/security?org=lumen-harbor',
  '/demo/repos/lumen-harbor/beacon-api',
  '/demo/repos/lumen-harbor/beacon-api/workflows/41100',
  '/demo/contributor/mira-okafor?owner=lumen-harbor',
];

/** A metric has no name of its own in its markup. */
const marks = /tremor-([A-Z]\w+)-root|text-tremor-(metric)/g;

test('at least eight components of Tremor are drawn on the pages of every day', async () => {
  const pages = await Promise.all(daily.map((path) => site.visit(path, {})));
  const found = pages.flatMap(({ text }) => [...text.matchAll(marks)].map(([, name, metric]) => name ?? metric));
  expect([...new Set(found)].sort()).toEqual([
    'Badge',
    'BadgeDelta',
    'BarList',
    'Card',
    'CategoryBar',
    'List',
    'ListItem',
    'ProgressBar',
    'metric',
  ]);
});
