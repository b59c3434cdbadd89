import { useLocation } from 'react-router';
import { loadPanels } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getSecurityAlerts } from '../../../server/reports/security-alerts/operations.ts';
import { getSecurityScan } from '../../../server/reports/security-scan/operations.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { crumbs, explainHref, repositoryCrumb } from '../links.ts';
import { alertsPart, findingsPart } from '../security/labels.ts';
import type { Route } from './+types/security';
import { type AlertsQuery, SecurityAlerts } from './security-alerts.tsx';
import { choiceFilters, filterScan, isFiltered, readChoices, type SecurityChoices } from './security-choices.ts';
import { WorkflowFindings } from './security-findings.tsx';
import { useRepositoryTabs } from './tabs.ts';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const answers = await loadPanels(pageRequest, { alerts: getSecurityAlerts, scan: getSecurityScan });
  for (const answer of Object.values(answers))
    if (!answer.ok && [400, 404].includes(answer.problem.status))
      throw new Response(null, { status: answer.problem.status });
  return { ...answers, isTracked: await hasTracker(pageRequest) };
};

type Answers = Route.ComponentProps['loaderData'];
export type Alerts = Extract<Answers['alerts'], { ok: true }>['data'];
export type Scan = Extract<Answers['scan'], { ok: true }>['data'];

/** Security alerts and risks in workflow files. */
export default function SecurityPage({ loaderData: { alerts, scan, isTracked }, params }: Route.ComponentProps) {
  const { now, zone, base } = usePageContext();
  const { pathname, search } = useLocation();
  const choices = readChoices(search);
  const name = `${params.owner}/${params.repo}`;
  const renamed = alerts.ok ? alerts.notes.canonicalRepo : null;
  const fileHref = (operation: string, format: string, query = '') =>
    base ? undefined : `/api/codehost/${operation}?owner=${params.owner}&repo=${params.repo}${query}&format=${format}`;
  const evidence = (metric: string, query: AlertsQuery = {}) => explainHref(base, { metric, ...params, ...query });
  const shared = { now, zone, retryHref: `${pathname}${search}` };
  return (
    <Page
      title="Security"
      lead="Security alerts and risks in workflow files."
      breadcrumbs={crumbs(base, repositoryCrumb(base, name))}
      tabs={useRepositoryTabs(name, 'Security', isTracked)}
      note={renamed && renamed !== name ? <Notice title="Renamed.">Renamed to {renamed}.</Notice> : null}
    >
      <FilterBar
        label="Filter"
        search={search}
        filters={choiceFilters(choices, alerts.ok ? alerts.data : null)}
        note={isFiltered(choices) ? <a href={pathname}>Clear filter</a> : 'Counts are open alerts.'}
      />
      <Panel
        result={alerts}
        {...shared}
        {...alertsPart}
        whenPartial="Not every source could be loaded completely: counts are minimums."
      >
        {(data) => (
          <SecurityAlerts
            data={data}
            now={now}
            zone={zone}
            evidence={evidence}
            csvHref={fileHref('security-alerts', 'csv', toQuery(choices))}
          />
        )}
      </Panel>
      <Panel
        result={scan}
        {...shared}
        {...findingsPart}
        whenPartial="Not every file could be scanned: there may be more findings."
      >
        {(data) => (
          <WorkflowFindings
            data={filterScan(data, choices)}
            filter={isFiltered(choices) ? (choices.age === null ? 'any' : 'age') : null}
            now={now}
            zone={zone}
            csvHref={fileHref('security-scan', 'csv')}
            sarifHref={fileHref('security-scan', 'sarif')}
          />
        )}
      </Panel>
    </Page>
  );
}

/** The choices as the rest of a query string. */
const toQuery = (choices: SecurityChoices) =>
  Object.entries(choices)
    .map(([name, value]) => (value === null ? '' : `&${new URLSearchParams({ [name]: value })}`))
    .join('');
