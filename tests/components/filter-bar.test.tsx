// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { withChoices } from '../../app/components/choices.ts';
import { FilterBar } from '../../app/components/filter-bar.tsx';
import { Pager } from '../../app/components/pager.tsx';

test('a changed choice keeps the others and goes back to the first page', () => {
  expect(withChoices('?days=30&q=web&page=4', { days: 90 })).toBe('?days=90&q=web');
  expect(withChoices('days=30&page=4', { page: 5 })).toBe('?days=30&page=5');
  expect(withChoices('?days=30', { days: null })).toBe('?');
});

test('presets are links; the chosen one says so', () => {
  const options = ['30', '90'].map((value) => ({ value, label: `${value} days` }));
  render(
    <FilterBar
      search="?days=30&q=web"
      filters={[{ kind: 'links', name: 'days', label: 'Window', value: 30, options }]}
    />,
  );
  expect(screen.getByRole('link', { name: '30 days' }).getAttribute('aria-current')).toBe('true');
  expect(screen.getByRole('link', { name: '90 days' }).getAttribute('href')).toBe('?days=90&q=web');
});

test('other choices are a form that gets, keeps its values and what it does not ask', () => {
  render(
    <FilterBar
      search="?days=30&q=web&page=3"
      filters={[
        { kind: 'search', name: 'q', label: 'Name', value: 'web' },
        { kind: 'select', name: 'branch', label: 'Branch', value: 'main', options: [{ value: 'main', label: 'main' }] },
        { kind: 'number', name: 'least', label: 'At least', value: 5, unit: 'runs' },
      ]}
    />,
  );
  const form = document.querySelector('form') as HTMLFormElement;
  expect(form.method).toBe('get');
  expect(Object.fromEntries(new FormData(form))).toEqual({ days: '30', q: 'web', branch: 'main', least: '5' });
  expect(screen.getByRole('searchbox', { name: 'Name' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Clear' }).getAttribute('href')).toBe('?days=30');
});

test('what must be chosen is not cleared', () => {
  const options = ['octo', 'many'].map((value) => ({ value, label: value }));
  const organization = { kind: 'select' as const, name: 'org', label: 'Organization', value: 'octo', options };
  const { rerender } = render(<FilterBar search="?org=octo" filters={[organization]} />);
  expect(screen.queryByRole('link', { name: 'Clear' })).toBeNull();
  const repository = { kind: 'text' as const, name: 'repo', label: 'Repository', value: 'octo/web' };
  rerender(<FilterBar search="?org=octo&repo=octo%2Fweb" filters={[organization, repository]} />);
  expect(screen.getByRole('link', { name: 'Clear' }).getAttribute('href')).toBe('?org=octo');
});

test('a pager says which rows of how many', () => {
  render(<Pager from={26} to={50} total={1214} noun="runs" previousHref="?page=1" nextHref="?page=3" />);
  const pager = screen.getByRole('navigation', { name: 'Pages of runs' });
  expect(pager.textContent).toContain('26–50 of 1,214 runs');
  expect(screen.getByRole('link', { name: 'Next' }).getAttribute('href')).toBe('?page=3');
});

test('a pager without an end does not invent one', () => {
  render(<Pager from={1} to={50} total={null} noun="entries" nextHref={null} />);
  expect(screen.getByText('1–50 entries')).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});
