import { useLocation } from 'react-router';
import { loadPanels, type Panel, type PanelRequest } from '../../server/http/adapters.ts';
import { type Deferred, deferAnswers, deferPanels } from '../../server/http/deferred-panels.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { getOrgContributors } from '../../server/reports/organization-contributors/operations.ts';
import { getBotFilter, timesOfPeople } from '../components/bot-choice.ts';
import { Page, Tabs } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { LoadingPanels, WhenReady } from '../components/skeleton.tsx';
import type { Route } from './+types/team';
import { sectionCrumbs } from './links.ts';
import { NoScope } from './no-scope.tsx';
import { useOrganizationTabs } from './org/tabs.ts';
import { operationsOfView, type TeamAnswers } from './repo/team/operations.ts';
import { TeamNote, TeamSections } from './repo/team/sections.tsx';
import {
  fixedBots,
  fixedWindow,
  getTeamViews,
  loadingTitles,
  requestedTeamView,
  type TeamView,
  viewsOfOrganization,
  viewsOfRepository,
} from './repo/team/views.ts';
import { called, chosenWindow, daysOnly, describeOthers, requestedDays, windowFilter } from './repo/team/window.ts';
import { describePullRequests } from './repository-coverage.ts';
import { ScopeBar } from './scope-bar.tsx';
import { scopeLists } from './scope-lists.ts';
import { readScopeNames, type ScopeLists } from './scope-names.ts';
import { NotFound } from './team/not-found.tsx';
import { OrganizationSections, type OrgContributors } from './team/organization.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const listing = deferPanels(pageRequest, scopeLists);
  const loading = loadSubject(
    pageRequest,
    listing.then(({ panels }) => panels),
  );
  const [lists, subject] = await Promise.all([listing, deferAnswers(pageRequest, loading, () => null)]);
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
  const org = query.get('org') || readScopeNames(await listing).owners[0];
  if (!org) return null;
  const extra = { org, days: daysOnly(query) };
  const { answer } = await loadPanels({ ...pageRequest, extra, called }, { answer: getOrgContributors });
  return { kind: 'organization', name: org, answer };
}

/** Whether it is the repository that is not there, or no name of one; a range that is none is said in its place. */
const isAboutName = ({ status, error }: { status: number; error: string }) =>
  status === 404 || (status === 400 && !error.includes(called.days));

/** null where it is not there, or is no name of one. */
async function loadRepository(pageRequest: PanelRequest, name: string): Promise<Subject | null> {
  const { searchParams: query } = pageRequest.context.url;
  const [owner, repo] = name.split('/');
  if (!owner || !repo) return null;
  const extra = { owner, repo, days: requestedDays(query) };
  const operations = operationsOfView[requestedTeamView(query, viewsOfRepository)];
  const answers = await loadPanels({ ...pageRequest, extra, called }, operations);
  const isMissing = Object.values(answers).some((answer) => !answer.ok && isAboutName(answer.problem));
  return isMissing ? null : { kind: 'repository', name: `${owner}/${repo}`, answers };
}

/** The team of a repository as on its own page, or of all tracked repositories of an organization together. */
export default function TeamsPage({ loaderData: { lists, subject } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const requested = query.get('repo') || query.get('org');
  const name = subject instanceof Promise ? requested : (subject?.name ?? null);
  const isOrganization = !query.get('repo');
  const org = isOrganization ? name : null;
  const views = isOrganization ? viewsOfOrganization : viewsOfRepository;
  const view = requestedTeamView<TeamView>(query, views);
  const fixed = fixedWindow(view);
  const bots = fixedBots(view);
  const days = isOrganization ? daysOnly(query) : chosenWindow(query);
  const tabs = useOrganizationTabs(org ?? '', 'Team');
  const habitsQuery = new URLSearchParams(org ? { org } : { repo: name ?? '' });
  const about = [...(fixed ? [fixed] : describeOthers(query, days, view)), bots ?? timesOfPeople];
  const bar = {
    search,
    lists,
    period: fixed ? [] : [windowFilter(days, { hasLastClosed: !isOrganization })],
    others: bots ? [] : [getBotFilter(search)],
    hasAll: false,
  };
  const parts = <Tabs links={getTeamViews(search, views, view)} label="Parts of the team page" />;
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
    >
      <WhenReady data={subject} fallback={<ScopeBar {...bar} fixed={about} />}>
        {(found) => <ScopeBar {...bar} fixed={[...about, ...describeCoverage(found)]} />}
      </WhenReady>
      <WhenReady
        data={subject}
        fallback={
          <>
            {parts}
            <LoadingPanels titles={loadingTitles[view]} />
          </>
        }
      >
        {(found) =>
          found ? (
            <>
              {parts}
              <Found subject={found} lists={lists} view={view} />
            </>
          ) : (
            <Nothing lists={lists} requested={query.get('repo')} />
          )
        }
      </WhenReady>
    </Page>
  );
}

const getTitle = (name: string | null | undefined) => (name ? `Team of ${name}` : 'Team');

/** Of how many repositories an organization's figures are. */
const describeCoverage = (subject: Subject | null) =>
  subject?.kind === 'organization' && subject.answer.ok ? describePullRequests(subject.answer.data.coverage) : [];

function Found({ subject, lists, view }: { subject: Subject; lists: Deferred<ScopeLists>; view: TeamView }) {
  const { pathname, search } = useLocation();
  const here = `${pathname}${search}`;
  return (
    <>
      {subject.kind === 'organization' ? (
        <>
          <OrganizationSections result={subject.answer} lists={lists} view={view} org={subject.name} here={here} />
          {subject.answer.ok && subject.answer.data.coverage.read > 0 ? (
            <TeamNote where="these repositories">Pull requests are weighted equally.</TeamNote>
          ) : null}
        </>
      ) : (
        <>
          <TeamSections results={subject.answers} view={view} repository={subject.name} />
          <TeamNote />
        </>
      )}
    </>
  );
}

const Nothing = ({ lists, requested }: { lists: Deferred<ScopeLists>; requested: string | null }) =>
  requested ? (
    <WhenReady data={lists} fallback={null}>
      {(listed) => <NotFound {...readScopeNames(listed)} requested={requested} />}
    </WhenReady>
  ) : (
    <NoScope lists={lists} />
  );
