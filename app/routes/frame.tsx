import { isRouteErrorResponse, Outlet } from 'react-router';
import { ErrorWords } from '../components/error-page.tsx';
import type { Route } from './+types/frame';
import { useChrome } from './chrome.ts';
import { OverdueJobs } from './overdue-jobs.tsx';
import { Rail } from './rail.tsx';

/** Every page stands beside the rail. */
export default function Frame() {
  return (
    <Rail chrome={useChrome()}>
      <OverdueJobs />
      <Outlet />
    </Rail>
  );
}

/** A page that cannot be shown keeps its way out. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const chrome = useChrome();
  return (
    <Rail chrome={chrome}>
      <ErrorWords status={isRouteErrorResponse(error) ? error.status : 500} requestId={chrome.requestId} />
    </Rail>
  );
}
