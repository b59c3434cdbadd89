import { type Filter, FilterBar } from './filter-bar.tsx';
import { describeUnoffered, type FixedWindow } from './period-filters.ts';
import { SyncState } from './sync-state.tsx';

interface PeriodBarProps {
  /** Names what is chosen, where that is more than a range and a scope. */
  label?: string;
  /** The query string of the page. */
  search: string;
  /** Range, comparison and scope, as far as they can be chosen here. */
  filters?: readonly Filter[];
  /** What the definitions of the page fix: `Last 90 days`, `Bots excluded`. */
  fixed?: readonly string[];
  /** What a page of one window shows in place of another range, and why; `range` is the one that it shows anyway. */
  window?: FixedWindow & { range?: string };
  /** Whether a phone shows what is chosen in place of the form; it has the form while there is no answer. */
  folds?: boolean;
}

/** The one bar of an analytic page: what its figures are of, and at the right end how fresh they are. */
export function PeriodBar(props: PeriodBarProps) {
  const { label = 'Range and scope', search, filters = [], fixed = [], window, folds = true } = props;
  const offered = window?.range ? [window.range] : [];
  const said = [
    ...fixed,
    ...(window ? describeUnoffered(new URLSearchParams(search), offered, { ...window, isBrief: true }) : []),
  ];
  return (
    <FilterBar
      label={label}
      search={search}
      filters={filters}
      note={said.length > 0 ? said.join(' · ') : null}
      end={<SyncState />}
      folds={folds}
    />
  );
}
