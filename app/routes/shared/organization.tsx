import { useSearch } from '../../components/page-context.ts';
import { requestedScope } from '../../components/scope-filters.ts';
import { NotScoredPanel, Scores } from '../org/health-panels.tsx';
import { Listed, OverviewPanels } from '../org/overview-panels.tsx';
import { TrendPanels } from '../reports/panels.tsx';
import type { SharedPage } from './shared-parts.tsx';

export const SharedOrganization = ({ answers: { overview, listed } }: SharedPage<'overview' | 'listed'>) => (
  <>
    <OverviewPanels result={overview} />
    <Listed result={listed} />
  </>
);

export const SharedHealth = ({ answers: { health } }: SharedPage<'health'>) => (
  <>
    <Scores result={health} nonce="" />
    <NotScoredPanel result={health} />
  </>
);

/** Trends, without single runs and alerts. */
export function SharedReports({ answers }: SharedPage<'daily' | 'comparison' | 'quarterly'>) {
  const { owner, repo } = requestedScope(new URLSearchParams(useSearch()));
  const { daily, comparison, quarterly } = answers;
  return (
    <TrendPanels report={{ owner: owner ?? '', repo, daily, comparison, quarterly: quarterly ?? null, marks: null }} />
  );
}
