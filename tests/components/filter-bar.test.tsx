// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SharedView } from '../../app/charts/link.tsx';
import { withChoices } from '../../app/components/choices.ts';
import { type Filter, FilterBar } from '../../app/components/filter-bar.tsx';
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

test('a form that folds says what is chosen in it', () => {
  const options = [
    { value: '', label: 'All' },
    { value: 'octo/web', label: 'octo/web' },
  ];
  const repository = { kind: 'select' as const, name: 'repo', label: 'Repository', value: '', options };
  const person = { kind: 'text' as const, name: 'person', label: 'Person', value: 'ana' };
  const { rerender } = render(<FilterBar search="" filters={[repository, person]} folds />);
  expect(screen.getByText('Repository: All · Person: ana').tagName).toBe('SUMMARY');
  expect(screen.getByRole('group').querySelectorAll('select, input')).toHaveLength(2);
  rerender(<FilterBar search="" filters={[{ ...person, value: null }]} folds />);
  expect(screen.getByText('Filters').tagName).toBe('SUMMARY');
});

test('a pager says which rows of how many', () => {
  render(<Pager from={26} to={50} total={1214} noun="runs" previousHref="?page=1" nextHref="?page=3" />);
  const pager = screen.getByRole('navigation', { name: 'Pages of runs' });
  expect(pager.textContent).toContain('26–50 of 1,214 runs');
  expect(screen.getByRole('link', { name: 'Next' }).getAttribute('href')).toBe('?page=3');
});

test('behind a share link what was chosen is said in words', () => {
  const days = ['30', '90'].map((value) => ({ value, label: `${value} days` }));
  const sizes = ['20', '50'].map((value) => ({ value, label: value }));
  const or = { name: 'per_page', label: 'or last runs', value: null, options: sizes };
  const range = { kind: 'range' as const, name: 'range', label: 'Range', options: days, or };
  const compare = [{ value: '', label: 'vs previous period' }];
  const read = (filters: readonly Filter[], note?: string) => {
    const { container } = render(
      <SharedView>
        <FilterBar search="" filters={filters} note={note} end="Synced" />
      </SharedView>,
    );
    expect(container.querySelector('a, form, details')).toBeNull();
    return container.textContent?.trim();
  };
  expect(
    read(
      [
        { ...range, value: '90' },
        { kind: 'menu', name: 'compare', label: 'Compare', value: null, options: compare },
      ],
      'All branches',
    ),
  ).toBe('Range: 90 days · vs previous period · All branches');
  expect(read([{ ...range, value: '2026-05-01..2026-05-31' }])).toBe('Range: 1 May 2026 to 31 May 2026');
  expect(read([{ ...range, value: null, or: { ...or, value: '35' } }])).toBe('Last runs: 35');
  expect(
    read([
      { kind: 'links', name: 'range', label: 'Range', value: '45', options: days },
      { kind: 'number', name: 'range', label: 'or', value: 45, unit: 'days' },
    ]),
  ).toBe('Range: 45 days');
  expect(read([{ kind: 'search', name: 'q', label: 'Name', value: '' }])).toBe('');
});

test('a pager without an end does not invent one', () => {
  render(<Pager from={1} to={50} total={null} noun="entries" nextHref={null} />);
  expect(screen.getByText('1–50 entries')).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});
