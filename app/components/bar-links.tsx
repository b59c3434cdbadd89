import { BarList } from '@tremor/react';
import type { Status } from './badge.tsx';

interface BarLinksProps {
  /** What the bars are, read aloud. */
  label: string;
  bars: readonly { key: string; name: string; value: number; href: string | undefined; status: Status }[];
  format(value: number): string;
}

/** Tremor marks its list as sorted, which only the head of a table may be. */
const unsorted = { 'aria-sort': undefined };

/** Links with a bar each, as long as its value, in the order given; names alone where they lead nowhere. */
export function BarLinks({ label, bars, format }: BarLinksProps) {
  return (
    <BarList
      className="bar-links"
      role="group"
      aria-label={label}
      {...unsorted}
      sortOrder="none"
      valueFormatter={format}
      data={bars.map(({ status, href, ...bar }) => ({ ...bar, ...(href && { href }), color: status, target: '_self' }))}
    />
  );
}
