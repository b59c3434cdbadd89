import { describe, expect, test } from 'vitest';
import type { Column } from '../../app/components/data-table.tsx';
import { orderRows, orderSection, requestedOrder } from '../../app/components/row-order.ts';

interface Row {
  name: string;
  runs: number | null;
}

const byName = { key: 'name', direction: 'asc' } as const;

const columns: Column<Row>[] = [
  { key: 'name', label: 'Name', value: ({ name }) => name, cell: ({ name }) => name },
  { key: 'runs', label: 'Runs', value: ({ runs }) => runs, cell: ({ runs }) => runs },
  { key: 'actions', label: 'Actions', cell: () => null },
];

const rows: Row[] = [
  { name: 'web', runs: 2 },
  { name: 'API', runs: null },
  { name: 'élan', runs: 10 },
  { name: 'docs', runs: 2 },
  { name: 'admin', runs: null },
];

const names = (key: string, direction: 'asc' | 'desc') =>
  orderRows(rows, columns, { key, direction }, 'name').map(({ name }) => name);

describe('the order of rows', () => {
  test('names are in the order of a dictionary, whatever their case and accents', () => {
    expect(names('name', 'asc')).toEqual(['admin', 'API', 'docs', 'élan', 'web']);
    expect(names('name', 'desc')).toEqual(['web', 'élan', 'docs', 'API', 'admin']);
  });

  test('numbers are compared as numbers, unknown ones come last either way, and equal ones are ordered by name', () => {
    expect(names('runs', 'asc')).toEqual(['docs', 'web', 'élan', 'admin', 'API']);
    expect(names('runs', 'desc')).toEqual(['élan', 'docs', 'web', 'admin', 'API']);
  });

  test('an address that names no sortable column is answered in the first order', () => {
    expect(requestedOrder(columns, byName, 'runs-desc')).toEqual({ key: 'runs', direction: 'desc' });
    for (const request of [null, 'actions-desc', 'unknown-asc'])
      expect(requestedOrder(columns, byName, request)).toEqual(byName);
  });

  test('a section keeps its first order until its address asks for another, and its links lead back to it', () => {
    const largest = { key: 'runs', direction: 'desc' } as const;
    const section = (search: string) => orderSection(rows, columns, largest, { search, section: 'table' });
    expect(section('?days=7').rows.map(({ name }) => name)).toEqual(['élan', 'web', 'docs', 'API', 'admin']);
    const byNames = section('?days=7&table=name-asc');
    expect(byNames.rows[0]?.name).toBe('admin');
    expect(byNames.sorting).toMatchObject({ key: 'name', direction: 'asc' });
    expect(byNames.sorting.href('runs', 'asc')).toBe('?days=7&table=runs-asc#table');
  });
});
