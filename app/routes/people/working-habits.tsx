import { useLocation } from 'react-router';
import { startSync } from '../../../server/api/sync/sync.ts';
import {
  type Panel as Answer,
  loadPanels,
  type PanelRequest,
  type PanelsOf,
  panel,
} from '../../../server/http/adapters.ts';
import { deferAnswers } from '../../../server/http/deferred-panels.ts';
import { isOffered, offeredFeatures } from '../../../server/http/page-access.ts';
import { hiddenFeatures } from '../../../server/http/preferences.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getWorkingHabits } from '../../../server/reports/habits/operations.ts';
import { getOrganizations, getRepositories } from '../../../server/reports/repositories/operations.ts';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { PanelFailure, type PanelProblem } from '../../components/panel-failure.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { chosenDays } from '../../components/period-filters.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { sectionCrumbs } from '../links.ts';
import { Choice } from '../team/choice.tsx';
import type { Route } from './+types/working-habits';
import { type Habits, HabitsView, isUnread } from './habits.tsx';
import { habitsRanges, placeFilters } from './habits-choice.ts';
import { LargestTable } from './habits-largest.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const actor = await pageRequest.context.actor();
  const isOwnView =
    !offeredFeatures(pageRequest.context, actor).includes('workingHabits') || hides(pageRequest.context);
  const login = isOwnView ? actor.login : query.get('login') || undefined;
  const reading = await deferAnswers<Reading>(pageRequest, readHabits(pageRequest, login), (habits) => ({
    owner: '',
    habits,
    unlisted: null,
    names: [],
    owners: [],
  }));
  return {
    reading: reading.panels,
    isOwnView,
    login: login ?? null,
    canSync: await isOffered(startSync, pageRequest.context),
  };
};

/** The habits of the place of the address, else of the first organization, and the places there are to choose from. */
interface Reading {
  owner: string;
  habits: Answer<Habits> | null;
  /** Why it is not known which organizations there are. */
  unlisted: PanelProblem | null;
  names: string[];
  owners: string[];
}

async function readHabits(pageRequest: PanelRequest, login: string | undefined): Promise<Reading> {
  const query = pageRequest.context.url.searchParams;
  const lists = loadPanels(pageRequest, { repositories: getRepositories, organizations: getOrganizations });
  const place = query.get('repo') || query.get('org') || (await findFirst(lists));
  const [owner = '', repo] = place.split('/');
  const extra = { owner, repo: query.get('repo') ? repo : undefined, login, days: getDays(query) };
  const [{ repositories, organizations }, habits] = await Promise.all([
    lists,
    owner ? panel(getWorkingHabits, { ...pageRequest, extra }) : null,
  ]);
  return {
    owner,
    habits,
    unlisted: organizations.ok ? null : organizations.problem,
    names: repositories.ok ? repositories.data.map(({ full_name }) => full_name) : [],
    owners: organizations.ok ? organizations.data.map(({ login }) => login) : [],
  };
}

/** Without a choice the first organization; '' where there is none. */
async function findFirst(lists: Promise<PanelsOf<{ organizations: typeof getOrganizations }>>): Promise<string> {
  const { organizations } = await lists;
  return organizations.ok ? (organizations.data[0]?.login ?? '') : '';
}

const hides = (context: Parameters<typeof hiddenFeatures>[0]) => hiddenFeatures(context).includes('workingHabits');

const getDays = (query: URLSearchParams) => chosenDays(query, habitsRanges);

/** How large commits and pull requests are: of everybody where that is granted, else of whoever looks. */
export default function WorkingHabitsPage({ loaderData }: Route.ComponentProps) {
  const { reading, isOwnView, login, canSync } = loaderData;
  const { base } = usePageContext();
  const query = new URLSearchParams(useLocation().search);
  const place = query.get('repo') || query.get('org');
  return (
    <Page
      title={isOwnView ? 'My working habits' : 'Working habits'}
      lead="Size of commits and pull requests. A conversation starter, not a verdict."
      breadcrumbs={sectionCrumbs('Working habits', `${base}/working-habits`, place)}
      note={isOwnView ? <OwnView login={login ?? ''} /> : null}
    >
      <WhenReady
        data={reading}
        fallback={
          <>
            <PlaceBar names={[]} owners={[]} owner="" isOwnView={isOwnView} />
            <LoadingPanels titles={[place || 'Change sizes']} />
          </>
        }
      >
        {(found) => (
          <>
            <PlaceBar names={found.names} owners={found.owners} owner={found.owner} isOwnView={isOwnView} />
            <HabitsOfPlace reading={found} canSync={canSync} isOwnView={isOwnView} />
          </>
        )}
      </WhenReady>
    </Page>
  );
}

interface PlaceBarProps {
  names: readonly string[];
  owners: readonly string[];
  /** Whose repositories are shown; '' where that is not known. */
  owner: string;
  isOwnView: boolean;
}

function PlaceBar({ names, owners, owner, isOwnView }: PlaceBarProps) {
  const { search } = useLocation();
  const listed = { names, owners: [...owners, ...(owner ? [owner] : [])], isOwnView, owner };
  return <PeriodBar search={search} filters={placeFilters(new URLSearchParams(search), listed)} />;
}

interface HabitsOfPlaceProps {
  reading: Reading;
  canSync: boolean;
  isOwnView: boolean;
}

function HabitsOfPlace({ reading, canSync, isOwnView }: HabitsOfPlaceProps) {
  const { habits, unlisted, owner, names, owners } = reading;
  const { now, zone } = usePageContext();
  const { pathname, search } = useLocation();
  if (!habits && unlisted)
    return (
      <Section title="Change sizes">
        <PanelFailure problem={unlisted} now={now} zone={zone} retryHref={`${pathname}${search}`} />
      </Section>
    );
  if (!habits) return <Choice names={names} owners={owners} requested="" />;
  return (
    <>
      <Panel
        title={new URLSearchParams(search).get('repo') || `All synced repositories of ${owner}`}
        result={habits}
        now={now}
        zone={zone}
        retryHref={`${pathname}${search}`}
      >
        {(data) => <HabitsView data={data} canSync={canSync} isOwnView={isOwnView} />}
      </Panel>
      {habits.ok && habits.data.people.length > 0 && !isUnread(habits.data) ? (
        <Section title="Oversized changes">
          <LargestTable data={habits.data} />
        </Section>
      ) : null}
    </>
  );
}

const OwnView = ({ login }: { login: string }) => (
  <Notice title="Only your own.">Only your account {login} is shown, without linked accounts.</Notice>
);
