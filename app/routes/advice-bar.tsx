import { PeriodBar } from '../components/period-bar.tsx';
import { allRuns } from '../components/period-filters.ts';

/** What recommendations are made from, and how fresh that is. */
export const AdviceBar = ({ search }: { search: string }) => (
  <PeriodBar
    search={search}
    fixed={['Last 90 days', ...allRuns]}
    window={{ range: '90', shown: '90 days', because: 'recommendations are of 90 days' }}
  />
);
