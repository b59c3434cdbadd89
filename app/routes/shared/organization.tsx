import { useSearch } from '../../components/page-context.ts';
import { PeriodBar } from '../../components/period-bar.tsx';
import { allRuns, getPeriodFilters } from '../../components/period-filters.ts';
import { requestedScope } from '../../components/scope-filters.ts';
import { HealthBar, NotScoredPanel, Scores } from '../org/health-panels.tsx';
import { Listed, OverviewBar, OverviewPanels } from '../org/overview-panels.tsx';
import { toComparedDays } from '../reports/choices.ts';
import { TrendPanels } from '../reports/panels.tsx';
import type { SharedPage } from './shared-parts.tsx';

export const SharedOrganization = ({ answers: { overview, listed } }: SharedPage<'overview' | 'listed'>) => (
  <>
    <OverviewBar search={useSearch()} />
    <OverviewPanels result={overview} />
    <Listed result={listed} />
  </>
);

export const SharedHealth = ({ answers: { health } }: SharedPage<'health'>) => (
  <>
    <HealthBar search={useSearch()} />
    <Scores result={health} nonce="" />
    <NotScoredPanel result={health} />
  </>
);

/** Trends, without single runs and alerts. */
export function SharedReports({ answers }: SharedPage<'daily' | 'comparison' | 'quarterly'>) {
  const search = useSearch();
  const query = new URLSearchParams(search);
  const { owner, repo } = requestedScope(query);
  const { daily, comparison, quarterly } = answers;
  // Of other periods a snapshot has no figures.
  const compared = toComparedDays(query) && comparison;
  return (
    <>
      <PeriodBar search={search} filters={getPeriodFilters(query)} fixed={allRuns} />
      <TrendPanels
        report={{
          owner: owner ?? '',
          repo,
          daily,
          comparison: compared ?? null,
          quarterly: quarterly ?? null,
          marks: null,
        }}
      />
    </>
  );
}
