import { describe, expect, test } from 'vitest';
import type { Column } from '../../app/components/data-table.tsx';
import { orderRows, requestedOrder } from '../../app/components/row-order.ts';

interface Row {
  name: string;
  runs: number | null;
}

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
    expect(requestedOrder(columns, 'name', 'runs-desc')).toEqual({ key: 'runs', direction: 'desc' });
    for (const request of [null, 'actions-desc', 'unknown-asc'])
      expect(requestedOrder(columns, 'name', request)).toEqual({ key: 'name', direction: 'asc' });
  });
});
