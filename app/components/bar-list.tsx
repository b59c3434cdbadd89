import { BarList as TremorBarList } from '@tremor/react';
import { quantity, type Unit } from '../../server/domain/quantity.ts';

export interface BarListRow {
  name: string;
  value: number;
  href?: string;
}

interface BarListProps {
  /** Says what the bars are; read aloud. */
  label: string;
  rows: readonly BarListRow[];
  unit: Unit;
}

/** Names with bars as long as their values, in the order in which they come. */
export function BarList({ label, rows, unit }: BarListProps) {
  return (
    <section aria-label={label}>
      <TremorBarList
        data={rows.map((row) => ({ ...row, target: '_self' }))}
        valueFormatter={(value: number) => quantity(value, unit)}
        sortOrder="none"
      />
    </section>
  );
}
