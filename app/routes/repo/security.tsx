import { useLocation } from 'react-router';
import { loadPanels } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getSecurityAlerts } from '../../../server/reports/security-alerts/operations.ts';
import { getSecurityScan } from '../../../server/reports/security-scan/operations.ts';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { crumbs, explainHref, repositoryCrumb } from '../links.ts';
import { alertsPart, findingsPart } from '../security/labels.ts';
import type { Route } from './+types/security';
import { type AlertsQuery, SecurityAlerts } from './security-alerts.tsx';
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

/** What the platform alerts of, and what is risky in the workflow files themselves. */
export default function SecurityPage({ loaderData: { alerts, scan, isTracked }, params }: Route.ComponentProps) {
  const { now, zone, base } = usePageContext();
  const { pathname } = useLocation();
  const name = `${params.owner}/${params.repo}`;
  const renamed = alerts.ok ? alerts.notes.canonicalRepo : null;
  const fileHref = (operation: string, format: string) =>
    base ? undefined : `/api/codehost/${operation}?owner=${params.owner}&repo=${params.repo}&format=${format}`;
  const evidence = (metric: string, query: AlertsQuery = {}) => explainHref(base, { metric, ...params, ...query });
  const shared = { now, zone, retryHref: pathname };
  return (
    <Page
      title="Security"
      lead="What the platform alerts of, and what is risky in the workflow files themselves."
      breadcrumbs={crumbs(base, repositoryCrumb(base, name))}
      tabs={useRepositoryTabs(name, 'Security', isTracked)}
      note={renamed && renamed !== name ? <Notice title="Renamed.">It is {renamed} now.</Notice> : null}
    >
      <Panel
        result={alerts}
        {...shared}
        {...alertsPart}
        whenPartial="Not every source could be read in full: there may be more than is counted here."
      >
        {(data) => (
          <SecurityAlerts
            data={data}
            now={now}
            zone={zone}
            evidence={evidence}
            csvHref={fileHref('security-alerts', 'csv')}
          />
        )}
      </Panel>
      <Panel
        result={scan}
        {...shared}
        {...findingsPart}
        whenPartial="Not every file or finding could be read: there may be more than is shown."
      >
        {(data) => (
          <WorkflowFindings
            data={data}
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
