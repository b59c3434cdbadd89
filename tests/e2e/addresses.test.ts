import { expect, test } from 'vitest';
import { workflowIds } from '../codehost-double/named-world.ts';
import { visitSite } from './visited-site.ts';

const visit = visitSite();
const web = '/repos/octo/web';

/** The addresses of the pages as the contract of the service has them, section 6.2. */
const addresses = [
  '/',
  web,
  `${web}/workflows/${workflowIds.webCi}`,
  ...['deployments', 'team', 'issues', 'security', 'audit'].map((page) => `${web}/${page}`),
  '/team',
  '/contributor/ana?owner=octo',
  '/contributor/ana/brief?owner=octo',
  '/working-habits',
  '/org/octo',
  '/org/octo/health',
  '/cost-analytics',
  '/reports',
  '/alerts',
  ...['', '/email', '/ai', '/team', '/working-habits', '/jobs'].map((page) => `/settings${page}`),
  '/setup',
  '/demo',
  '/demo/repos/lumen-harbor/beacon-api/audit',
  '/demo/cost-analytics',
  '/docs',
  '/docs/numbers',
];

test.each(addresses)('%s is a page, or leads to it for good', async (address) => {
  const { status, location } = await visit.site.visit(address, { cookie: visit.ann });
  expect([200, 308]).toContain(status);
  if (status === 308) expect((await visit.site.visit(location, { cookie: visit.ann })).status).toBe(200);
});

test.each([
  [`${web}/audit?file=ci.yml`, `${web}/changes?file=ci.yml`],
  ['/cost-analytics?org=octo', '/cost?org=octo'],
  ['/cost-analytics//', '/cost'],
  ['/cost%2Danalytics', '/cost'],
  [`${web}/aud%69t`, `${web}/changes`],
  ['/demo/cost-analytics/?year=2025&month=3', '/demo/cost?year=2025&month=3'],
])('%s keeps its choices on the way to %s', async (old, present) => {
  const { status, location } = await visit.site.visit(old, { cookie: visit.ann });
  expect([status, location]).toEqual([308, present]);
});
