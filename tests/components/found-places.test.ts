import { expect, test } from 'vitest';
import { findPlaces } from '../../app/routes/search/found-places.ts';
import type { PageContext } from '../../server/http/page-context.ts';

const reader = {
  account: { login: 'ann' },
  base: '',
  signInHref: '/login',
  hasDatabase: true,
  pages: [
    'alerts',
    'settings/email',
    'org/:org',
    'org/:org/health',
    'org/:org/merge-queues',
    'team',
    'repos/:owner/:repo',
    'repos/:owner/:repo/workflows',
    'repos/:owner/:repo/issues',
  ],
  organizations: [],
  recent: [],
  views: [],
} as unknown as PageContext;

function find(q: string, search: string, more: Partial<PageContext> = {}): Record<string, string[]> {
  const groups = findPlaces(q, { ...reader, ...more }, search, [{ label: 'Access tokens', href: '/docs/open/tokens' }]);
  return Object.fromEntries(groups.map(({ label, items }) => [label, items.map(({ href }) => href)]));
}

test('pages of the repository that was looked at, and of its organization, are found with its range', () => {
  expect(find('', '?repo=octo%2Fweb&range=90')).toMatchObject({
    'Pages of octo/web': ['/repos/octo/web?range=90', '/repos/octo/web/workflows?range=90'],
    'Pages of octo': ['/org/octo?range=90', '/org/octo/health?range=90', '/org/octo/merge-queues?range=90'],
  });
  expect(find('queue', '?org=octo')).toEqual({ 'Pages of octo': ['/org/octo/merge-queues'] });
});

test('without a scope those of the only organization are, and of several none', () => {
  expect(find('health', '', { organizations: ['octo'] })).toEqual({ 'Pages of octo': ['/org/octo/health'] });
  expect(find('health', '', { recent: ['octo/web', 'many/one'] })).toEqual({});
  expect(find('health', '', { recent: ['ann/dotfiles'] })).toEqual({});
  const demo = { base: '/demo' as const, account: null, organizations: ['lumen-harbor'] };
  expect(find('health', '', demo)).toEqual({ 'Pages of lumen-harbor': ['/demo/org/lumen-harbor/health'] });
});

test('an alert rule is created where the form is, by those who may', () => {
  expect(find('create alert', '?range=90')).toEqual({ Actions: ['/alerts?range=90#new'] });
  expect(find('create alert', '', { pages: ['alerts'] })).toEqual({});
  expect(find('create alert', '', { pages: ['settings/email'] })).toEqual({});
});

test('chapters of the documentation are found by their titles', () => {
  expect(find('access', '')).toEqual({ Documentation: ['/docs/open/tokens'] });
});

test('settings and chapters hand the scope on, but none of the demo', () => {
  const search = '?range=7&org=octo';
  expect(find('access', search, { pages: ['settings/tokens'] })).toEqual({
    Pages: [`/settings/tokens${search}`],
    Actions: [`/settings/tokens${search}`],
    Documentation: [`/docs/open/tokens${search}`],
  });
  expect(find('access', search, { base: '/demo' })).toEqual({ Documentation: ['/docs/open/tokens'] });
});
