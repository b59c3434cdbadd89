import { useIsShared } from '../../charts/link.tsx';
import { FactsAsOf } from '../../components/data-coverage-link.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { useProfileHref } from '../people/person-href.ts';
import type { DeploymentsAnswer } from './deployments.tsx';
import { DeploymentFigures } from './deployments-figures.tsx';
import { DeploymentSource } from './deployments-source.tsx';
import { EnvironmentTable, RecentDeployments } from './deployments-tables.tsx';
import type { RepositoryPath } from './panels.ts';

/** What the figures of the page are of. */
export const DeploymentsBar = ({ search }: { search: string }) => (
  <PeriodBar
    search={search}
    fixed={['Last 30 days', 'Compared with the previous 30 days']}
    window={{ range: '30', compared: null, because: 'statuses are read live' }}
  />
);

interface DeploymentPanelsProps {
  result: DeploymentsAnswer;
  repository: RepositoryPath;
  /** The query of the page. */
  search: string;
}

/** Figures by environment, and the latest deployments; behind a share link without who made them. */
export function DeploymentPanels({ result, repository, search }: DeploymentPanelsProps) {
  const isShared = useIsShared();
  const { base } = usePageContext();
  const getProfileHref = useProfileHref(repository.owner);
  const found = result.ok && result.data.source === 'deployments' ? result.data : null;
  const csvHref = `${base}/api/codehost/deployments?${new URLSearchParams({ ...repository, format: 'csv' })}`;
  return (
    <>
      <Panel
        title="Environment"
        result={result}
        feature={{ label: 'Deployments', shows: 'deployments and their results' }}
        whenPartial="Not all deployments of 30 days could be loaded: counts are minimums, and rates cover the days loaded."
      >
        {(data) => (
          <>
            <DeploymentSource data={data} />
            {data.source === 'deployments' ? (
              <DeploymentFigures data={data} search={search} repository={repository} />
            ) : null}
            <FactsAsOf at={data.generated_at} {...repository} />
          </>
        )}
      </Panel>
      {found ? (
        <>
          <Section title="Environments" id="environments">
            <EnvironmentTable data={found} search={search} csvHref={csvHref} />
          </Section>
          <Section title="Recent deployments">
            <RecentDeployments data={found} getProfileHref={isShared ? null : getProfileHref} />
          </Section>
        </>
      ) : null}
    </>
  );
}
