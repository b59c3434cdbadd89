import { useLocation } from 'react-router';
import { loadPanels } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { PeriodBar } from '../../components/period-bar.tsx';
import type { Route } from './+types/team';
import { useRepositoryTabs } from './tabs.ts';
import { teamOperations } from './team/operations.ts';
import { TeamNote, TeamSections } from './team/sections.tsx';
import { chosenWindow, requestedDays, windowFilter } from './team/window.ts';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const extra = { days: requestedDays(pageRequest.context.url.searchParams) };
  const answers = await loadPanels({ ...pageRequest, extra }, teamOperations);
  const { contributors } = answers;
  if (!contributors.ok && [400, 404].includes(contributors.problem.status))
    throw new Response(null, { status: contributors.problem.status });
  return { ...answers, isTracked: await hasTracker(pageRequest) };
};

/** The people of one repository: what they merged and reviewed, in a window that the address says. */
export default function TeamPage({ loaderData, params }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { pathname, search } = useLocation();
  const name = `${params.owner}/${params.repo}`;
  const { contributors } = loaderData;
  const renamed = contributors.ok ? contributors.notes.canonicalRepo : null;
  return (
    <Page
      title="Team"
      lead="Merges, reviews and concentration risk."
      breadcrumbs={[
        { label: 'Repositories', href: base || '/' },
        { label: name, href: `${base}/repos/${name}` },
      ]}
      actions={<a href={`${base}/team?${new URLSearchParams({ repo: name })}`}>Another repository</a>}
      tabs={useRepositoryTabs(name, 'Team', loaderData.isTracked)}
      note={renamed && renamed !== name ? <Notice title="Renamed.">Renamed to {renamed}.</Notice> : null}
    >
      <PeriodBar
        search={search}
        filters={[windowFilter(chosenWindow(new URLSearchParams(search)), { hasLastClosed: true })]}
      />
      <TeamNote />
      <TeamSections results={loaderData} repository={name} here={`${pathname}${search}`} />
    </Page>
  );
}
