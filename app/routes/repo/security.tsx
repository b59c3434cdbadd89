import { useLocation } from 'react-router';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getSecurityAlerts } from '../../../server/reports/security-alerts/operations.ts';
import { getSecurityScan } from '../../../server/reports/security-scan/operations.ts';
import { Link } from '../../charts/link.tsx';
import { hasOrganizationPages, usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { UnlessSaid } from '../../components/unless-said.tsx';
import { explainHref } from '../links.ts';
import { alertsPart, findingsPart, openNow } from '../security/labels.ts';
import type { Route } from './+types/security';
import type { RepositoryPath } from './panels.ts';
import { RepositoryPage } from './repository-page.tsx';
import { SecurityAlerts } from './security-alerts.tsx';
import { choiceFilters, filterScan, isFiltered, readChoices, type SecurityChoices } from './security-choices.ts';
import { WorkflowFindings } from './security-findings.tsx';
import type { Evidence } from './security-sources.tsx';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const [alerts, scan] = await Promise.all([
    deferPanels(pageRequest, { alerts: getSecurityAlerts }),
    deferPanels(pageRequest, { scan: getSecurityScan }),
  ]);
  assertFound(alerts.panels);
  assertFound(scan.panels);
  return { alerts: alerts.panels, scan: scan.panels, isTracked: await hasTracker(pageRequest) };
};

type Answers = PanelsOf<{ alerts: typeof getSecurityAlerts; scan: typeof getSecurityScan }>;
export type Alerts = Extract<Answers['alerts'], { ok: true }>['data'];
export type Scan = Extract<Answers['scan'], { ok: true }>['data'];

/** Security alerts and risks in workflow files. */
export default function SecurityPage({ loaderData: { alerts, scan, isTracked }, params }: Route.ComponentProps) {
  return (
    <RepositoryPage
      repository={params}
      tab="Security"
      description="Security alerts and risks in workflow files."
      isTracked={isTracked}
      panels={alerts}
    >
      <WhenReady
        data={alerts}
        fallback={
          <>
            <Filters alerts={null} />
            <LoadingPanels titles={[alertsPart.title]} />
          </>
        }
      >
        {({ alerts: result }) => (
          <>
            <Filters alerts={result.ok ? result.data : null} />
            <AlertsPanel result={result} repository={params} />
          </>
        )}
      </WhenReady>
      <WhenReady data={scan} fallback={<LoadingPanels titles={[findingsPart.title]} />}>
        {({ scan: result }) => (
          <UnlessSaid result={result} first={alerts} select={(known) => known.alerts}>
            <FindingsPanel result={result} repository={params} />
          </UnlessSaid>
        )}
      </WhenReady>
    </RepositoryPage>
  );
}

function Filters({ alerts }: { alerts: Alerts | null }) {
  const { search } = useLocation();
  return (
    <PeriodBar
      search={search}
      filters={choiceFilters(readChoices(search), alerts)}
      fixed={['Open now']}
      window={openNow}
    />
  );
}

interface PanelProps<Name extends keyof Answers> {
  result: Answers[Name];
  repository: RepositoryPath;
}

function AlertsPanel({ result, repository }: PanelProps<'alerts'>) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const evidence: Evidence = (metric, query = {}) => explainHref(base, { metric, ...repository, ...query });
  return (
    <Panel
      {...alertsPart}
      result={result.ok && result.data.total_open === null ? { ok: true, data: result.data } : result}
      whenPartial="Not every source could be loaded completely: some counts are minimums."
    >
      {(data) => (
        <SecurityAlerts
          data={data}
          evidence={evidence}
          csvHref={fileHref(base, repository, 'security-alerts', 'csv', toQuery(readChoices(search)))}
        />
      )}
    </Panel>
  );
}

function FindingsPanel({ result, repository }: PanelProps<'scan'>) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const choices = readChoices(search);
  return (
    <Panel
      {...findingsPart}
      result={result}
      whenPartial="Not every file could be scanned: there may be more findings."
      aside={<ActionsLink owner={repository.owner} />}
    >
      {(data) => (
        <WorkflowFindings
          data={filterScan(data, choices)}
          filter={isFiltered(choices) ? (choices.age === null ? 'any' : 'age') : null}
          csvHref={fileHref(base, repository, 'security-scan', 'csv')}
          sarifHref={fileHref(base, repository, 'security-scan', 'sarif')}
        />
      )}
    </Panel>
  );
}

/** Leads to what the organization's workflows use, for whoever may see it. */
function ActionsLink({ owner }: { owner: string }) {
  const pageContext = usePageContext();
  const { base, pages } = pageContext;
  if (!pages.includes('org/:org/actions') || !hasOrganizationPages(owner, pageContext)) return null;
  return <Link href={`${base}/org/${owner}/actions`}>Actions in use</Link>;
}

const fileHref = (base: string, { owner, repo }: RepositoryPath, operation: string, format: string, query = '') =>
  `${base}/api/codehost/${operation}?owner=${owner}&repo=${repo}${query}&format=${format}`;

/** The choices as the rest of a query string. */
const toQuery = (choices: SecurityChoices) =>
  Object.entries(choices)
    .map(([name, value]) => (value === null ? '' : `&${new URLSearchParams({ [name]: value })}`))
    .join('');
