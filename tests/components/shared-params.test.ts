import { expect, test } from 'vitest';
import { addSharedParams } from '../../app/components/shared-params.tsx';

const all = '?range=7&compare=year&bots=out&org=octo&repo=octo%2Fweb&sort=runs&page=2';

test.each([
  ['/', '/?range=7&compare=year&bots=out&org=octo'],
  ['/ci', '/ci?range=7&compare=year&bots=out&org=octo&repo=octo%2Fweb'],
  ['/ci?view=slow', '/ci?view=slow&range=7&compare=year&bots=out&org=octo&repo=octo%2Fweb'],
  ['/reports', '/reports?range=7&compare=year&bots=out&org=octo&repo=octo%2Fweb'],
  ['/team?org=many', '/team?org=many&range=7&compare=year&bots=out'],
  ['/team?repo=many%2Fone', '/team?repo=many%2Fone&range=7&compare=year&bots=out'],
  ['/repos/octo/web/issues#open', '/repos/octo/web/issues?range=7&compare=year&bots=out#open'],
  ['/org/octo', '/org/octo?range=7&compare=year&bots=out'],
  [
    '/explain?metric=lead_time&owner=octo&repo=web',
    '/explain?metric=lead_time&owner=octo&repo=web&shared_range=7&compare=year&shared_bots=out',
  ],
  ['/demo/explain?metric=scope_runs&range=90', '/demo/explain?metric=scope_runs&range=90&compare=year&shared_bots=out'],
  ['/settings/team', '/settings/team?range=7&compare=year&bots=out&org=octo&repo=octo%2Fweb'],
  ['/docs#top', '/docs?range=7&compare=year&bots=out&org=octo&repo=octo%2Fweb#top'],
  ['?view=slow', '?view=slow'],
  ['#runs', '#runs'],
  ['https://github.com/octo', 'https://github.com/octo'],
])('a link to %s leads to %s', (href, kept) => expect(addSharedParams(href, all)).toBe(kept));

test('a range of one page and an address without choices add nothing', () => {
  expect(addSharedParams('/ci', '?range=last-60')).toBe('/ci');
  expect(addSharedParams('/ci', '?range=2026-05-01..2026-05-31')).toBe('/ci?range=2026-05-01..2026-05-31');
  expect(addSharedParams('/ci?x=1', '')).toBe('/ci?x=1');
});

test('a repository in two parts, as on the page of a number, is shared by its full name or not at all', () => {
  expect(addSharedParams('/ci', '?metric=lead_time&owner=octo&repo=web')).toBe('/ci?repo=octo%2Fweb');
  expect(addSharedParams('/ci', '?metric=lead_time&repo=web')).toBe('/ci');
});

test('the page of a number hands on the choices of the page before, its own range before that', () => {
  const passed = '?metric=lead_time&owner=octo&repo=web&shared_range=7&compare=year&shared_bots=out';
  expect(addSharedParams('/team', passed)).toBe('/team?range=7&compare=year&bots=out&repo=octo%2Fweb');
  expect(addSharedParams('/security', `${passed}&range=90`)).toBe('/security?range=90&compare=year&bots=out');
  expect(addSharedParams('/explain?metric=reverts', passed)).toBe(
    '/explain?metric=reverts&shared_range=7&compare=year&shared_bots=out',
  );
});
