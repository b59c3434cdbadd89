import { describe, expect, test } from 'vitest';
import { getScopeSwitch } from '../../app/routes/frame/scope-switch.ts';
import type { PageContext } from '../../server/http/page-context.ts';

const pages = [
  '',
  'repositories',
  'pull-requests',
  'deployments',
  'ci',
  'cost',
  'reports',
  'team',
  'security',
  'org/:org',
  'org/:org/health',
  'repos/:owner/:repo',
  'repos/:owner/:repo/issues',
  'repos/:owner/:repo/pull-requests',
];
const reader = {
  account: { login: 'ann' },
  base: '',
  hasDatabase: true,
  pages,
  organizations: [],
  recent: ['octo/web', 'many/one'],
} as unknown as PageContext;

function read(address: string, more: Partial<PageContext> = {}) {
  const [path = '', search = ''] = address.split('?');
  const found = getScopeSwitch({ ...reader, ...more }, path, search && `?${search}`);
  const links = found?.groups.flatMap((group) => group.links) ?? [];
  return { label: found?.label, hrefs: new Map(links.map(({ label, href }) => [label, href])) };
}

test.each([
  ['/', 'Everything I can see'],
  ['/?org=octo', 'octo'],
  ['/org/octo/health', 'octo'],
  ['/repos/octo/web/team', 'octo/web'],
  ['/ci?repo=octo%2Fweb', 'octo/web'],
  ['/ci?org=octo&repo=octo%2Fweb', 'octo/web'],
  ['/ci?org=octo&repo=x', 'octo'],
  ['/explain?metric=lead_time&owner=octo&repo=web', 'octo/web'],
  ['/explain?metric=total_repos&org=octo', 'octo'],
  ['/contributor/ana?owner=octo', 'octo'],
])('the switch of %s says %s', (address, label) => expect(read(address).label).toBe(label));

test('in the demo everything is its organization, which can be chosen', () => {
  const demo = { base: '/demo' as const, account: null, organizations: ['lumen-harbor'], recent: [] };
  const { label, hrefs } = read('/demo/ci?range=90', demo);
  expect([label, hrefs.get('lumen-harbor')]).toEqual(['Demo organization', '/demo/ci?range=90&org=lumen-harbor']);
  expect(read('/demo/ci?repo=lumen-harbor%2Fbeacon-api', demo).label).toBe('lumen-harbor/beacon-api');
});

describe('a choice stays in the section', () => {
  test.each([
    ['/ci?org=octo&view=slow', '/ci?view=slow', '/ci?org=many&view=slow', '/ci?view=slow&repo=many%2Fone'],
    ['/cost?repo=octo%2Fweb', '/cost', '/cost?org=many', '/cost?repo=many%2Fone'],
    ['/pull-requests', '/pull-requests', '/pull-requests?org=many', '/repos/many/one/pull-requests'],
    ['/team?org=octo&range=90', '/?range=90', '/team?org=many&range=90', '/team?range=90&repo=many%2Fone'],
    ['/repos/octo/web/pull-requests', '/pull-requests', '/pull-requests?org=many', '/repos/many/one/pull-requests'],
    ['/repos/octo/web/issues?range=7', '/?range=7', '/org/many?range=7', '/repos/many/one/issues?range=7'],
    ['/repos/octo/web/workflows/1', '/', '/org/many', '/repos/many/one'],
    ['/org/octo/health?compare=off', '/?compare=off', '/org/many/health?compare=off', '/repos/many/one?compare=off'],
    ['/contributor/ana?owner=octo', '/', '/team?org=many', '/repos/many/one'],
    ['/settings', '/', '/org/many', '/repos/many/one'],
  ])('%s', (address, everything, organization, repository) => {
    const { hrefs } = read(address);
    expect([hrefs.get('Everything I can see'), hrefs.get('many'), hrefs.get('many/one')]).toEqual([
      everything,
      organization,
      repository,
    ]);
  });

  test('but for one that does not open, or that the own account has not', () => {
    expect(read('/repos/octo/web/pull-requests', { hasDatabase: false }).hrefs.get('many')).toBe('/org/many');
    expect(read('/cost', { pages: ['repositories'] }).hrefs.get('many')).toBe('/?org=many');
    const own = { recent: ['ann/dotfiles'] };
    expect(read('/security?org=octo', own).hrefs.get('ann')).toBe('/?org=ann');
    expect(read('/team?org=octo', own).hrefs.get('ann')).toBe('/team?org=ann');
  });
});

test('owners are each there once, the one of the page first', () => {
  const { hrefs } = read('/ci?org=Octo', { organizations: ['acme', 'octo'] });
  expect([...hrefs.keys()]).toEqual([
    'Everything I can see',
    'All repositories',
    'Octo',
    'acme',
    'many',
    'octo/web',
    'many/one',
  ]);
});

test('who may open no repository is offered none', () => {
  expect(getScopeSwitch({ ...reader, pages: [''] }, '/', '')).toBeUndefined();
  expect(getScopeSwitch({ ...reader, account: null }, '/', '')).toBeUndefined();
});
