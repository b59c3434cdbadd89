import { isRouteErrorResponse, Outlet, useLocation, useMatches } from 'react-router';
import { ErrorText } from '../../components/error-page.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { SharedSearch } from '../../components/shared-params.tsx';
import script from '../../scripts/page.ts?worker&url';
import type { Route } from './+types/layout';
import { Rail } from './rail.tsx';

/** Every page stands beside the rail. Pages to read, to print and to sign in carry no script. */
export default function Frame() {
  const isPlain = useMatches().some(({ handle }) => (handle as { isPlain?: boolean } | undefined)?.isPlain);
  return (
    <Rail pageContext={usePageContext()}>
      <OverdueJobs />
      <RefusedDestinations />
      <StoppedWebhooks />
      <ExpiringTokens />
      <SharedSearch value={useLocation().search}>
        <Outlet />
      </SharedSearch>
      {isPlain ? null : <script type="module" src={script} />}
    </Rail>
  );
}

/** A page that cannot be shown keeps its way out. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const pageContext = usePageContext();
  return (
    <Rail pageContext={pageContext} isError>
      <ErrorText
        status={isRouteErrorResponse(error) ? error.status : 500}
        requestId={pageContext.requestId}
        hostName={pageContext.hostName}
      />
    </Rail>
  );
}

/** Above the pages of settings: access tokens of the reader that end within a week. */
function ExpiringTokens() {
  const { expiringTokens: names } = usePageContext();
  if (names.length === 0) return null;
  return (
    <Notice title="Access tokens expire within 7 days." next={{ label: 'Access tokens', href: '/settings/tokens' }}>
      {names.join(', ')}.
    </Notice>
  );
}

/** Above the pages of administrators: background work that did not come to its end when it should have. */
function OverdueJobs() {
  const { overdueJobs: titles } = usePageContext();
  if (titles.length === 0) return null;
  return (
    <Notice tone="partial" title="Background work is missing." next={{ label: 'Jobs', href: '/settings/jobs' }}>
      Not done for 36 hours or more: {titles.join(', ')}.
    </Notice>
  );
}

/** Above the same pages: destinations of traces that are sent nothing until an administrator saves them or tries again. */
function RefusedDestinations() {
  const { refusedDestinations: names } = usePageContext();
  if (names.length === 0) return null;
  return (
    <Notice tone="partial" title="Traces are not sent." next={{ label: 'Traces', href: '/settings/telemetry' }}>
      Rejected by the receiver: {names.join(', ')}.
    </Notice>
  );
}

/** Above the same pages: webhook endpoints that the service switched off, until an administrator switches them on. */
function StoppedWebhooks() {
  const { stoppedWebhooks: names } = usePageContext();
  if (names.length === 0) return null;
  return (
    <Notice tone="partial" title="Alerts are not delivered." next={{ label: 'Webhooks', href: '/settings/webhooks' }}>
      Webhook switched off after failures: {names.join(', ')}.
    </Notice>
  );
}
