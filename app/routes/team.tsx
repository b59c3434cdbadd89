import { useLocation } from 'react-router';
import { loadPanels, type Panel, type PanelRequest } from '../../server/http/adapters.ts';
import { type Deferred, deferAnswers } from '../../server/http/deferred-panels.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { getOrgContributors } from '../../server/reports/organization-contributors/operations.ts';
import { Notice } from '../components/notice.tsx';
import { Page, Tabs } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { PeriodBar } from '../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../components/skeleton.tsx';
import type { Route } from './+types/team';
import { sectionCrumbs } from './links.ts';
import { useOrganizationTabs } from './org/tabs.ts';
import { operationsOfView, type TeamAnswers } from './repo/team/operations.ts';
import { TeamNote, TeamSections } from './repo/team/sections.tsx';
import {
  fixedWindow,
  getTeamViews,
  loadingTitles,
  requestedTeamView,
  type TeamView,
  viewsOfOrganization,
  viewsOfRepository,
} from './repo/team/views.ts';
import { chosenWindow, daysOnly, requestedDays, windowFilter } from './repo/team/window.ts';
import { scopeLists } from './scope-lists.ts';
import { readScopeNames, type ScopeLists } from './scope-names.ts';
import { Choice, TeamChooser } from './team/choice.tsx';
import { OrganizationSections, type OrgContributors } from './team/organization.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const listing = loadPanels(pageRequest, scopeLists);
  const [lists, subject] = await Promise.all([
    deferAnswers(pageRequest, listing, (failed) => ({ organizations: failed, repositories: failed })),
    deferAnswers(pageRequest, loadSubject(pageRequest, listing), () => null),
  ]);
  return { lists: lists.panels, subject: subject.panels };
};

/** Whose team is looked at, with what is known of it. */
type Subject =
  | { kind: 'repository'; name: string; answers: Partial<TeamAnswers> }
  | { kind: 'organization'; name: string; answer: Panel<OrgContributors> };

/** The repository or organization of the address, else the first organization there is; null for none. */
async function loadSubject(pageRequest: PanelRequest, listing: Promise<ScopeLists>): Promise<Subject | null> {
  const { searchParams: query } = pageRequest.context.url;
  const requested = query.get('repo');
  if (requested) return loadRepository(pageRequest, requested);
  const org = query.get('org') || getOwners(await listing, null)[0];
  if (!org) return null;
  const extra = { org, days: daysOnly(query) };
  const { answer } = await loadPanels({ ...pageRequest, extra }, { answer: getOrgContributors });
  return { kind: 'organization', name: org, answer };
}

/** null where it is not there, or is no name of one. */
async function loadRepository(pageRequest: PanelRequest, name: string): Promise<Subject | null> {
  const { searchParams: query } = pageRequest.context.url;
  const [owner, repo] = name.split('/');
  if (!owner || !repo) return null;
  const extra = { owner, repo, days: requestedDays(query) };
  const operations = operationsOfView[requestedTeamView(query, viewsOfRepository)];
  const answers = await loadPanels({ ...pageRequest, extra }, operations);
  const isMissing = Object.values(answers).some((answer) => !answer.ok && [400, 404].includes(answer.problem.status));
  return isMissing ? null : { kind: 'repository', name: `${owner}/${repo}`, answers };
}

/** Organizations of the person, other owners of what they see, and the one that is looked at. */
function getOwners({ repositories, organizations }: ScopeLists, org: string | null): string[] {
  const own = organizations.ok ? organizations.data.map(({ login }) => login) : [];
  const others = repositories.ok ? repositories.data.map(({ owner }) => owner) : [];
  return [...new Map([...own, ...others, ...(org ? [org] : [])].map((one) => [one.toLowerCase(), one])).values()];
}

/** The team of a repository as on its own page, or of all tracked repositories of an organization together. */
export default function TeamsPage({ loaderData: { lists, subject } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const requested = query.get('repo') || query.get('org');
  const name = subject instanceof Promise ? requested : (subject?.name ?? null);
  const org = query.get('repo') ? null : name;
  const tabs = useOrganizationTabs(org ?? '', 'Team');
  const habitsQuery = new URLSearchParams(org ? { org } : { repo: name ?? '' });
  return (
    <Page
      title={getTitle(name)}
      heading={
        <WhenReady data={subject} fallback={getTitle(name)}>
          {(found) => getTitle(found?.name)}
        </WhenReady>
      }
      description="Merges, reviews, concentration risk and workload of a team."
      breadcrumbs={sectionCrumbs('Team', `${base}/team`, name && requested)}
      {...(org && { tabs })}
      actions={
        <>
          {name && !org ? <a href={`${base}/repos/${name}`}>Repository</a> : null}
          {name ? <a href={`${base}/working-habits?${habitsQuery}`}>Working habits</a> : null}
        </>
      }
      note={
        <WhenReady data={lists} fallback={null}>
          {({ repositories }) =>
            repositories.ok ? null : <Notice>Repositories could not be loaded: {repositories.problem.error}</Notice>
          }
        </WhenReady>
      }
    >
      <WhenReady data={lists} fallback={<TeamChooser query={query} names={[]} owners={[]} org={org} />}>
        {(listed) => <TeamChooser query={query} {...toOffered(listed, query)} org={org} />}
      </WhenReady>
      <WhenReady data={subject} fallback={<Loading search={search} isOrganization={org !== null} />}>
        {(found) => (found ? <Found subject={found} search={search} /> : <Nothing lists={lists} query={query} />)}
      </WhenReady>
    </Page>
  );
}

const getTitle = (name: string | null | undefined) => (name ? `Team of ${name}` : 'Team');

const toOffered = (lists: ScopeLists, query: URLSearchParams) => ({
  names: readScopeNames(lists).repositories,
  owners: getOwners(lists, query.get('org')),
});

interface BarProps {
  search: string;
  isOrganization: boolean;
}

const getViews = (isOrganization: boolean) => (isOrganization ? viewsOfOrganization : viewsOfRepository);

/** The window, and the parts of the page. */
function Bars({ search, isOrganization }: BarProps) {
  const query = new URLSearchParams(search);
  const views = getViews(isOrganization);
  const view = requestedTeamView<TeamView>(query, views);
  const fixed = fixedWindow(view);
  const days = isOrganization ? daysOnly(query) : chosenWindow(query);
  return (
    <>
      <PeriodBar
        search={search}
        fixed={[fixed ?? 'Bots listed separately']}
        filters={fixed ? [] : [windowFilter(days, { hasLastClosed: !isOrganization })]}
      />
      <Tabs links={getTeamViews(search, views, view)} label="Parts of the team page" />
    </>
  );
}

const Loading = ({ search, isOrganization }: BarProps) => (
  <>
    <Bars search={search} isOrganization={isOrganization} />
    <LoadingPanels
      titles={loadingTitles[requestedTeamView<TeamView>(new URLSearchParams(search), getViews(isOrganization))]}
    />
  </>
);

function Found({ subject, search }: { subject: Subject; search: string }) {
  const { pathname } = useLocation();
  const here = `${pathname}${search}`;
  const isOrganization = subject.kind === 'organization';
  const view = requestedTeamView<TeamView>(new URLSearchParams(search), getViews(isOrganization));
  return (
    <>
      <Bars search={search} isOrganization={isOrganization} />
      {isOrganization ? (
        <>
          <OrganizationSections result={subject.answer} view={view} org={subject.name} here={here} />
          {subject.answer.ok && subject.answer.data.coverage.read > 0 ? (
            <TeamNote where="these repositories">Pull requests are weighted equally.</TeamNote>
          ) : null}
        </>
      ) : (
        <>
          <TeamSections results={subject.answers} view={view} repository={subject.name} here={here} />
          <TeamNote />
        </>
      )}
    </>
  );
}

const Nothing = ({ lists, query }: { lists: Deferred<ScopeLists>; query: URLSearchParams }) => (
  <WhenReady data={lists} fallback={null}>
    {(listed) =>
      // Without a list it is not known that there is none.
      listed.organizations.ok || query.has('repo') ? (
        <Choice {...toOffered(listed, query)} requested={query.get('repo') ?? ''} />
      ) : null
    }
  </WhenReady>
);
