import { useLocation } from 'react-router';
import { assertFound, deferStoredPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getIssues } from '../../../server/reports/issues/operations.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { ShareLink } from '../share-link.tsx';
import type { Route } from './+types/issues';
import { IssuePanels, Period, requestedDays } from './issues-panels.tsx';
import { RepositoryPage } from './repository-page.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const request = context.get(requestContext);
  const extra = { days: requestedDays(request.url.searchParams) };
  const answers = await deferStoredPanels({ context: request, params, extra }, { issues: getIssues });
  assertFound(answers.panels, [404]);
  return answers;
};

/** How the tracker of a repository stands: what comes and goes, how long it takes, what waits. */
export default function IssuesPage({ loaderData: { panels }, params }: Route.ComponentProps) {
  const { search } = useLocation();
  return (
    <RepositoryPage repository={params} tab="Issues" lead="Backlog, time to close and unanswered issues.">
      <WhenReady
        data={panels}
        fallback={
          <>
            <Period search={search} days={null} />
            <LoadingPanels titles={['Backlog']} />
          </>
        }
      >
        {({ issues }) => (
          <>
            <IssuePanels result={issues} repository={params} />
            {issues.ok ? <ShareLink /> : null}
          </>
        )}
      </WhenReady>
    </RepositoryPage>
  );
}
