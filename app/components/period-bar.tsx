import { type Filter, FilterBar } from './filter-bar.tsx';
import { SyncState } from './sync-state.tsx';

interface PeriodBarProps {
  /** The query string of the page. */
  search: string;
  /** Range, comparison and scope, as far as they can be chosen here. */
  filters?: readonly Filter[];
  /** What the definitions of the page fix: `Last 90 days`, `Bots excluded`. */
  fixed?: readonly string[];
}

/** The one bar of an analytic page: what its figures are of, and at the right end how fresh they are. */
export function PeriodBar({ search, filters = [], fixed = [] }: PeriodBarProps) {
  return (
    <FilterBar
      label="Range and scope"
      search={search}
      filters={filters}
      note={fixed.length > 0 ? fixed.join(' · ') : null}
      end={<SyncState />}
    />
  );
}
