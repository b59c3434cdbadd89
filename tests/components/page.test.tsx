// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { render, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { Navigation, type NavigationProps } from '../../app/components/navigation.tsx';
import { Empty, Notice } from '../../app/components/notice.tsx';
import { Page } from '../../app/components/page.tsx';
import { Shell } from '../../app/components/shell.tsx';

const navigation: NavigationProps = {
  product: 'Delivery Analytics',
  links: [
    { label: 'Repositories', href: '/', icon: 'repositories', current: true },
    { label: 'Alerts', href: '/alerts', icon: 'alerts' },
  ],
  groups: [{ label: 'Administration', links: [{ label: 'Users', href: '/admin/users' }] }],
  account: { login: 'ann', signOut: { action: '/sign-out', csrf: 't' } },
  theme: { current: 'dark', action: '/theme', returnTo: '/alerts' },
};
const quota = { limit: 5000, resetsAt: '2026-05-20T03:40:00Z', zone: 'Asia/Saigon' };

test('the shell begins with a link to the content', () => {
  const { container } = render(<Shell navigation={<Navigation {...navigation} />}>content</Shell>);
  const first = container.querySelector('a');
  expect(first?.textContent).toBe('Skip to content');
  expect(container.querySelector(first?.getAttribute('href') ?? '')).toBe(screen.getByRole('main'));
});

describe('navigation', () => {
  test('lists what it is given and says where we are', () => {
    render(<Navigation {...navigation} />);
    const main = screen.getByRole('navigation', { name: 'Main', hidden: true });
    expect(within(main).getByText('Repositories').getAttribute('aria-current')).toBe('page');
    expect(within(main).getByText('Users').getAttribute('href')).toBe('/admin/users');
  });
  test('signs out and chooses a theme by plain forms', () => {
    render(<Navigation {...navigation} />);
    const signOut = screen.getByText('Sign out').closest('form');
    expect([signOut?.method, signOut?.getAttribute('action')]).toEqual(['post', '/sign-out']);
    const dark = screen.getByText('Dark') as HTMLButtonElement;
    expect([dark.name, dark.value, dark.getAttribute('aria-pressed')]).toEqual(['theme', 'dark', 'true']);
  });
  test('speaks of the quota only when it runs low', () => {
    const { rerender } = render(<Navigation {...navigation} quota={{ ...quota, remaining: 1000 }} />);
    expect(screen.queryByText(/quota is low/)).toBeNull();
    rerender(<Navigation {...navigation} quota={{ ...quota, remaining: 999 }} />);
    expect(screen.getByText(/quota is low/).closest('p')?.textContent).toContain(
      '999 of 5,000 requests left, full again at 10:40 (Asia/Saigon)',
    );
  });
});

test('a page names itself, its place and its siblings', () => {
  render(
    <Page
      description="What this page answers"
      title="acme/web"
      breadcrumbs={[{ label: 'Repositories', href: '/' }]}
      tabs={[
        { label: 'Overview', href: '/repos/acme/web', current: true },
        { label: 'Team', href: '/repos/acme/web/team' },
      ]}
      note={<Notice tone="partial">Two runs are missing.</Notice>}
    >
      <Empty cause="No runs yet." next={{ label: 'Sync', href: '/sync' }} />
    </Page>,
  );
  expect(screen.getByRole('heading', { level: 1, name: 'acme/web' })).toBeTruthy();
  expect(within(screen.getByRole('navigation', { name: 'Breadcrumbs' })).getAllByRole('link')).toHaveLength(1);
  expect(screen.getByRole('link', { name: 'Overview' }).getAttribute('aria-current')).toBe('page');
  expect(screen.getByRole('note').textContent).toContain('Incomplete. Two runs are missing.');
  expect(screen.getByRole('link', { name: 'Sync' })).toBeTruthy();
});

test('breadcrumbs have a slash between each other, and none after the last', () => {
  const css = readFileSync('app/components/page.css', 'utf8');
  const separators = [...css.matchAll(/^\.crumbs[^{]*::(?:before|after)[^{]*/gm)].map(([selector]) => selector.trim());
  expect(separators).toEqual(['.crumbs li + li::before']);
});

test.each([
  ['/repos/acme/web', '/', '/repos/acme/web', 'Pages of acme/web'],
  ['the team of it', '/repos/acme/web', '/repos/acme/web', 'Pages of acme/web'],
  ['CI', '/repos/acme/web', '?tab=runs', 'Pages of CI'],
])('tabs are named after the place they belong to: %s', (title, above, first, name) => {
  const page = title.startsWith('/') ? title.slice('/repos/'.length) : title;
  const label = above === '/' ? 'Repositories' : 'acme/web';
  render(
    <Page
      title={page}
      lead="What this page answers"
      breadcrumbs={[{ label, href: above }]}
      tabs={[{ label: 'First', href: first }]}
    >
      content
    </Page>,
  );
  expect(screen.getByRole('navigation', { name })).toBeTruthy();
});

const list = { label: 'Repositories', href: '/' };
const repository = { label: 'acme/web', href: '/repos/acme/web' };

test.each([
  ['Team', undefined, [], 'Team · Delivery Analytics'],
  ['acme/web', 'Overview', [list], 'Overview · acme/web · Delivery Analytics'],
  ['Issues', 'Issues', [list, repository], 'Issues · acme/web · Delivery Analytics'],
  ['CI', 'Reliability', [list, repository], 'Reliability · CI · acme/web · Delivery Analytics'],
  ['Health of acme', 'Health', [list, { label: 'acme', href: '/org/acme' }], 'Health of acme · Delivery Analytics'],
])('the document title of %s with the tab %s says its place', (title, tab, breadcrumbs, documentTitle) => {
  const tabs = tab ? [{ label: tab, href: '?tab', current: true }] : [];
  render(
    <Page title={title} lead="What it answers." breadcrumbs={breadcrumbs} tabs={tabs}>
      content
    </Page>,
  );
  expect(document.title).toBe(documentTitle);
  expect(document.querySelector('meta[name="description"]')?.getAttribute('content')).toBe('What it answers.');
});

test.each([
  ['problem', 'alert'],
  ['done', 'status'],
] as const)('a %s is announced', (tone, role) => {
  render(<Notice tone={tone}>Words.</Notice>);
  expect(screen.getByRole(role).textContent).toContain('Words.');
});
