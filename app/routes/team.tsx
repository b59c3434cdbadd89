import { useLocation } from 'react-router';
import { type PanelsOf, panel } from '../../server/http/adapters.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { getOrgContributors } from '../../server/reports/organization-contributors/operations.ts';
import { getOrganizations, getRepositories } from '../../server/reports/repositories/operations.ts';
import { Notice } from '../components/notice.tsx';
import { Page, Tabs } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { PeriodBar } from '../components/period-bar.tsx';
import type { Route } from './+types/team';
import { sectionCrumbs } from './links.ts';
import { useOrganizationTabs } from './org/tabs.ts';
import { loadTeamView, refusedStatus } from './repo/team/load.ts';
import { TeamNote, TeamSections } from './repo/team/sections.tsx';
import {
  fixedWindow,
  getTeamViews,
  requestedTeamView,
  viewsOfOrganization,
  viewsOfRepository,
} from './repo/team/views.ts';
import { chosenWindow, daysOnly, requestedDays, windowFilter } from './repo/team/window.ts';
import { Choice, TeamChooser } from './team/choice.tsx';
import { OrganizationSections } from './team/organization.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const { searchParams: query } = pageRequest.context.url;
  const [owner, repo] = (query.get('repo') ?? '').split('/');
  const [repositories, organizations] = await Promise.all([
    panel(getRepositories, pageRequest),
    panel(getOrganizations, pageRequest),
  ]);
  const owners = getOwners({ repositories, organizations }, query.get('org'));
  const org = query.get('repo') ? null : query.get('org') || (owners[0] ?? null);
  const view = requestedTeamView(query, org ? viewsOfOrganization : viewsOfRepository);
  const [team, together] = await Promise.all([
    owner && repo ? loadTeamView(pageRequest, view, { owner, repo, days: requestedDays(query) }) : null,
    org ? panel(getOrgContributors, { ...pageRequest, extra: { org, days: daysOnly(query) } }) : null,
  ]);
  return {
    view,
    names: repositories.ok ? repositories.data.map(({ full_name }) => full_name) : [],
    owners,
    unlisted: repositories.ok ? null : repositories.problem.error,
    team: team && refusedStatus(team) === null ? { name: `${owner}/${repo}`, answers: team } : null,
    organization: org && together ? { org, answer: together } : null,
  };
};

type Listed = PanelsOf<{ repositories: typeof getRepositories; organizations: typeof getOrganizations }>;

/** Organizations of the person, other owners of what they see, and the one that is looked at. */
function getOwners({ repositories, organizations }: Listed, org: string | null): string[] {
  const own = organizations.ok ? organizations.data.map(({ login }) => login) : [];
  const others = repositories.ok ? repositories.data.map(({ owner }) => owner) : [];
  return [...new Map([...own, ...others, ...(org ? [org] : [])].map((one) => [one.toLowerCase(), one])).values()];
}

/** The team of a repository as on its own page, or of all tracked repositories of an organization together. */
export default function TeamsPage({ loaderData }: Route.ComponentProps) {
  const { view, names, owners, unlisted, team, organization } = loaderData;
  const { base } = usePageContext();
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const here = `${pathname}${search}`;
  const tabs = useOrganizationTabs(organization?.org ?? '', 'Team');
  const whose = team?.name ?? organization?.org;
  const fixed = fixedWindow(view);
  const habitsQuery = new URLSearchParams(team ? { repo: team.name } : { org: organization?.org ?? '' });
  return (
    <Page
      title={whose ? `Team of ${whose}` : 'Team'}
      description="Merges, reviews, concentration risk and workload of a team."
      breadcrumbs={sectionCrumbs('Team', `${base}/team`, team?.name ?? query.get('org'))}
      {...(organization && { tabs })}
      actions={
        <>
          {team ? <a href={`${base}/repos/${team.name}`}>Repository</a> : null}
          {whose ? <a href={`${base}/working-habits?${habitsQuery}`}>Working habits</a> : null}
        </>
      }
      note={unlisted ? <Notice>Repositories could not be loaded: {unlisted}</Notice> : null}
    >
      <TeamChooser query={query} names={names} owners={owners} org={organization?.org ?? null} />
      {whose ? (
        <PeriodBar
          search={search}
          fixed={[fixed ?? 'Bots listed separately']}
          filters={
            fixed
              ? []
              : [windowFilter(organization ? daysOnly(query) : chosenWindow(query), { hasLastClosed: !organization })]
          }
        />
      ) : null}
      {whose ? (
        <Tabs
          links={getTeamViews(search, team ? viewsOfRepository : viewsOfOrganization, view)}
          label="Parts of the team page"
        />
      ) : null}
      {team ? (
        <>
          <TeamSections results={team.answers} view={view} repository={team.name} here={here} />
          <TeamNote />
        </>
      ) : organization ? (
        <>
          <OrganizationSections result={organization.answer} view={view} org={organization.org} here={here} />
          <TeamNote where="these repositories">Pull requests are weighted equally.</TeamNote>
        </>
      ) : (
        <Choice names={names} owners={owners} requested={query.get('repo') ?? ''} />
      )}
    </Page>
  );
}
