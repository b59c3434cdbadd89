import { isRouteErrorResponse, Outlet } from 'react-router';
import { ErrorText } from '../../components/error-page.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import type { Route } from './+types/layout';
import { Rail } from './rail.tsx';

/** Every page stands beside the rail. */
export default function Frame() {
  return (
    <Rail pageContext={usePageContext()}>
      <OverdueJobs />
      <Outlet />
    </Rail>
  );
}

/** A page that cannot be shown keeps its way out. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const pageContext = usePageContext();
  return (
    <Rail pageContext={pageContext}>
      <ErrorText status={isRouteErrorResponse(error) ? error.status : 500} requestId={pageContext.requestId} />
    </Rail>
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
