import type { Column } from '../../../components/data-table.tsx';
import { Measurement } from '../../../components/measurement.tsx';

/** A column of durations in milliseconds, the longest first where a table is sorted; an unknown one is a dash with its reason. */
export const timeColumn = <Row,>(
  key: string,
  label: string,
  getTime: (row: Row) => number | null,
  reason?: string,
): Column<Row> => ({
  key,
  label,
  numeric: true,
  sort: 'desc',
  sortLabel: label.toLowerCase(),
  value: getTime,
  cell: (row) => <Measurement value={{ value: getTime(row), unit: 'milliseconds', reason }} />,
});
