import { useLocation } from 'react-router';
import { assertFound, deferStoredPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getBotFilter, timesOfPeople } from '../../components/bot-choice.ts';
import { Tabs } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import type { Route } from './+types/team';
import { RepositoryPage } from './repository-page.tsx';
import { operationsOfView } from './team/operations.ts';
import { TeamNote, TeamSections } from './team/sections.tsx';
import {
  fixedBots,
  fixedWindow,
  getTeamViews,
  loadingTitles,
  requestedTeamView,
  viewsOfRepository,
} from './team/views.ts';
import { called, chosenWindow, describeOthers, requestedDays, windowFilter } from './team/window.ts';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const view = requestedTeamView(query, viewsOfRepository);
  const { panels } = await deferStoredPanels(
    { ...pageRequest, extra: { days: requestedDays(query) }, called },
    operationsOfView[view],
  );
  assertFound(panels, [404]);
  return { view, panels, isTracked: await hasTracker(pageRequest) };
};

/** The people of one repository: what they merged and reviewed, in a window that the address says. */
export default function TeamPage({ loaderData, params }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const name = `${params.owner}/${params.repo}`;
  const { view, panels, isTracked } = loaderData;
  const fixed = fixedWindow(view);
  const bots = fixedBots(view);
  return (
    <RepositoryPage
      repository={params}
      tab="Team"
      description="Merges, reviews, concentration risk and workload of a team."
      actions={<a href={`${base}/team?${new URLSearchParams({ repo: name })}`}>Another repository</a>}
      isTracked={isTracked}
      panels={panels}
    >
      <PeriodBar
        search={search}
        filters={[
          ...(fixed ? [] : [windowFilter(chosenWindow(query), { hasLastClosed: true })]),
          ...(bots ? [] : [getBotFilter(search)]),
        ]}
        fixed={[...(fixed ? [fixed] : describeOthers(query, chosenWindow(query), view)), bots ?? timesOfPeople]}
      />
      <Tabs links={getTeamViews(search, viewsOfRepository, view)} label="Parts of the team page" />
      <WhenReady data={panels} fallback={<LoadingPanels titles={loadingTitles[view]} />}>
        {(answers) => (
          <>
            <TeamSections results={answers} view={view} repository={name} />
            {Object.values(answers).some(({ ok }) => ok) ? <TeamNote /> : null}
          </>
        )}
      </WhenReady>
    </RepositoryPage>
  );
}
