import { PeriodBar } from '../components/period-bar.tsx';
import { allRuns } from '../components/period-filters.ts';

/** What recommendations are made from, so many days, and how fresh that is. */
export const AdviceBar = ({ search, days }: { search: string; days: number }) => (
  <PeriodBar
    search={search}
    fixed={[`Last ${days} days`, ...allRuns]}
    window={{ range: String(days), shown: `${days} days`, because: `recommendations are of ${days} days` }}
  />
);
