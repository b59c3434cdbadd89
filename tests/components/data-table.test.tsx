// @vitest-environment jsdom
import { render, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Column, DataTable, type DataTableProps, withoutEmpty } from '../../app/components/data-table.tsx';

interface Row {
  id: number;
  name: string;
  runs: number;
}
const rows: Row[] = [
  { id: 1, name: 'web', runs: 12 },
  { id: 2, name: '<script>alert(1)</script>', runs: 7 },
];
const show = (more: Partial<DataTableProps<Row>> = {}) =>
  render(
    <DataTable
      caption="Repositories"
      columns={[
        { key: 'name', label: 'Repository', sort: 'asc', cell: (row) => row.name },
        { key: 'runs', label: 'Runs', numeric: true, sort: 'desc', cell: (row) => row.runs },
        { key: 'note', label: 'Note', cell: () => 'x' },
      ]}
      rows={rows}
      rowKey={(row) => row.id}
      noun="repositories"
      {...more}
    />,
  );

test('it is a table with a caption, column headings and row headings', () => {
  show();
  const table = screen.getByRole('table', { name: 'Repositories' });
  expect(within(table).getAllByRole('columnheader')).toHaveLength(3);
  expect(within(table).getByRole('rowheader', { name: 'web' })).toBeTruthy();
  expect(within(table).getByRole('cell', { name: '12' }).className).toBe('num');
});

test('thousands stand apart in columns of numbers, and in their totals', () => {
  show({ rows: [{ id: 1, name: 'web', runs: 12_345 }], totals: ['Together', 12_345, ''] });
  expect(screen.getAllByRole('cell', { name: '12,345' })).toHaveLength(2);
});

test('what people typed stays text', () => {
  const { container } = show();
  expect(container.querySelector('script')).toBeNull();
  expect(screen.getByRole('rowheader', { name: '<script>alert(1)</script>' })).toBeTruthy();
});

describe('sorting', () => {
  const href = (key: string, direction: string) => `?sort=${key}&order=${direction}`;
  const target = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href');

  test('each sortable heading links to its own first direction', () => {
    show({ sorting: { key: 'none', direction: 'asc', href } });
    expect(target(/Repository/)).toBe('?sort=name&order=asc');
    expect(target(/Runs/)).toBe('?sort=runs&order=desc');
    expect(screen.queryByRole('link', { name: /Note/ })).toBeNull();
  });
  test('the active heading says its direction and links to the other one', () => {
    show({ sorting: { key: 'runs', direction: 'desc', href } });
    expect(target(/Runs/)).toBe('?sort=runs&order=asc');
    expect(screen.getByRole('columnheader', { name: /Runs/ }).getAttribute('aria-sort')).toBe('descending');
    expect(screen.getByRole('columnheader', { name: /Repository/ }).getAttribute('aria-sort')).toBeNull();
  });
});

test('a shortened list says how much it shows', () => {
  show({ total: 1214, allHref: '?all=1', csvHref: '?format=csv' });
  expect(screen.getByText(/^2 of 1,214 repositories/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'CSV' }).getAttribute('href')).toBe('?format=csv');
});

test('a whole list says nothing of the kind', () => {
  show({ total: 2 });
  expect(screen.queryByText(/Showing/)).toBeNull();
});

test('without rows there is a cause and one next step in place of a table', () => {
  show({
    rows: [],
    empty: { cause: 'Your token sees no repository.', next: { label: 'Change the token', href: '/setup' } },
  });
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getByText('Your token sees no repository.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Change the token' })).toBeTruthy();
});

test('the box that scrolls can be reached by keyboard', () => {
  show();
  expect(screen.getByRole('region', { name: 'Table: Repositories' }).tabIndex).toBe(0);
});

test('columns without anything to show are left out, and none where there are no rows', () => {
  const columns: Column<Row>[] = [
    { key: 'name', label: 'Repository', cell: ({ name }) => name },
    { key: 'runs', label: 'Runs', value: ({ runs }) => (runs > 10 ? runs : null) },
    { key: 'wait', label: 'Wait', value: () => null },
    { key: 'strip', label: 'Last runs', isEmpty: ({ runs }) => runs < 100, cell: () => 'strip' },
  ];
  expect(withoutEmpty(columns, rows).map(({ key }) => key)).toEqual(['name', 'runs']);
  expect(withoutEmpty(columns, rows.slice(1)).map(({ key }) => key)).toEqual(['name']);
  expect(withoutEmpty(columns, [])).toHaveLength(4);
});
