import type { ReactNode } from 'react';
import {
  type ComparisonName,
  comparisonLabels,
  comparisonNames,
  type RangeName,
  rangeLabels,
} from '../../server/domain/range.ts';
import { withChoices } from './choices.ts';
import type { Option } from './options.tsx';

export interface RangeBarProps {
  /** The query string of the page. */
  search: string;
  /** The ranges that this page can show and the one it shows; a sentence where its window is fixed. */
  range: { current: RangeName; offered: readonly RangeName[] } | { fixed: string };
  /** Left out where the page compares with nothing. */
  compare?: ComparisonName;
  /** Whether bots are counted, where that can be chosen. */
  bots?: 'include' | 'exclude';
  branch?: { current: string; options: readonly Option[] };
  /** Further choices of the page. */
  children?: ReactNode;
  /** How fresh the data is; at the right end. */
  sync?: ReactNode;
}

/** One bar under the title of every analytic page: what it covers, what it is compared with, how fresh it is. */
export function RangeBar({ search, range, compare, bots, branch, children, sync }: RangeBarProps) {
  return (
    <section className="range-bar" aria-label="Range and comparison">
      {'fixed' in range ? (
        <span>{range.fixed}</span>
      ) : (
        <Segments
          label="Date range"
          name="range"
          search={search}
          current={range.current}
          options={range.offered.map((value) => ({ value, label: rangeLabels[value] }))}
        />
      )}
      {compare ? (
        <Segments label="Compare" name="compare" search={search} current={compare} options={comparisons} />
      ) : null}
      {bots ? <Segments label="Bots" name="bots" search={search} current={bots} options={botChoices} /> : null}
      {branch ? <Segments label="Branch" name="branch" search={search} {...branch} /> : null}
      {children}
      {sync ? <span className="sync muted">{sync}</span> : null}
    </section>
  );
}

const comparisons: readonly Option[] = comparisonNames.map((value) => ({ value, label: comparisonLabels[value] }));

const botChoices: readonly Option[] = [
  { value: 'exclude', label: 'Without bots' },
  { value: 'include', label: 'With bots' },
];

interface SegmentsProps {
  label: string;
  name: string;
  search: string;
  current: string;
  options: readonly Option[];
}

/** Links beside each other, one for each value of a parameter. */
export function Segments({ label, name, search, current, options }: SegmentsProps) {
  return (
    <nav className="segments" aria-label={label}>
      {options.map(({ value, label: text }) => (
        <a
          key={value}
          href={withChoices(search, { [name]: value })}
          aria-current={value === current ? 'true' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}
