import { useLocation } from 'react-router';
import { requestContext } from '../../../server/http/router-context.ts';
import { Notice } from '../../components/notice.tsx';
import { Page, Tabs } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { PeriodBar } from '../../components/period-bar.tsx';
import type { Route } from './+types/team';
import { useRepositoryTabs } from './tabs.ts';
import { loadTeamView, refusedStatus } from './team/load.ts';
import { TeamNote, TeamSections } from './team/sections.tsx';
import { fixedWindow, getTeamViews, requestedTeamView, viewsOfRepository } from './team/views.ts';
import { chosenWindow, requestedDays, windowFilter } from './team/window.ts';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const view = requestedTeamView(query, viewsOfRepository);
  const answers = await loadTeamView(pageRequest, view, { days: requestedDays(query) });
  const status = refusedStatus(answers);
  if (status !== null) throw new Response(null, { status });
  return { view, answers, isTracked: await hasTracker(pageRequest) };
};

/** The people of one repository: what they merged and reviewed, in a window that the address says. */
export default function TeamPage({ loaderData, params }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { pathname, search } = useLocation();
  const name = `${params.owner}/${params.repo}`;
  const { view, answers, isTracked } = loaderData;
  const fixed = fixedWindow(view);
  const renamed = Object.values(answers).flatMap((one) => (one.ok ? [one.notes.canonicalRepo] : []))[0];
  return (
    <Page
      title="Team"
      description="Merges, reviews, concentration risk and workload of a team."
      breadcrumbs={[
        { label: 'Repositories', href: base || '/' },
        { label: name, href: `${base}/repos/${name}` },
      ]}
      actions={<a href={`${base}/team?${new URLSearchParams({ repo: name })}`}>Another repository</a>}
      tabs={useRepositoryTabs(name, 'Team', isTracked)}
      note={renamed && renamed !== name ? <Notice title="Renamed.">Renamed to {renamed}.</Notice> : null}
    >
      <PeriodBar
        search={search}
        filters={fixed ? [] : [windowFilter(chosenWindow(new URLSearchParams(search)), { hasLastClosed: true })]}
        fixed={fixed ? [fixed] : []}
      />
      <Tabs links={getTeamViews(search, viewsOfRepository, view)} label="Parts of the team page" />
      <TeamSections results={answers} view={view} repository={name} here={`${pathname}${search}`} />
      <TeamNote />
    </Page>
  );
}
