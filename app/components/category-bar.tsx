import { type Color, Legend, CategoryBar as TremorCategoryBar } from '@tremor/react';
import { figures } from '../../server/domain/quantity.ts';

export interface Category {
  label: string;
  value: number;
  tone: 'pass' | 'fail' | 'warning' | 'running' | 'void' | 'one' | 'two' | 'three' | 'four' | 'five';
}

/** Parts of a whole side by side, each with its name and number. */
export function CategoryBar({ label, categories }: { label: string; categories: readonly Category[] }) {
  const shown = categories.filter(({ value }) => value > 0);
  if (shown.length === 0) return null;
  return (
    <section aria-label={label}>
      <TremorCategoryBar
        values={shown.map(({ value }) => value)}
        // Typed for Tremor's own colours alone; our tokens are colours of the theme all the same.
        colors={shown.map(({ tone }) => tone as string as Color)}
        showLabels={false}
      />
      <Legend
        categories={shown.map(({ label: name, value }) => `${name} ${figures(value)}`)}
        colors={shown.map(({ tone }) => tone)}
      />
    </section>
  );
}
