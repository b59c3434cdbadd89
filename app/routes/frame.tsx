import { isRouteErrorResponse, Outlet } from 'react-router';
import { ErrorText } from '../components/error-page.tsx';
import type { Route } from './+types/frame';
import { OverdueJobs } from './overdue-jobs.tsx';
import { usePageContext } from './page-context.ts';
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
