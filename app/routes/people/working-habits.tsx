import { useLocation } from 'react-router';
import { startSync } from '../../../server/api/sync/sync.ts';
import { type Panel as Answer, type PanelRequest, panel } from '../../../server/http/adapters.ts';
import { deferAnswers, deferPanels } from '../../../server/http/deferred-panels.ts';
import { isOffered, offeredFeatures } from '../../../server/http/page-access.ts';
import { hiddenFeatures } from '../../../server/http/preferences.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getWorkingHabits } from '../../../server/reports/habits/operations.ts';
import type { Filter } from '../../components/filter-bar.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { chosenDays, describeUnoffered, getDayFilter } from '../../components/period-filters.ts';
import { requestedScope } from '../../components/scope-filters.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { repositoryParams, sectionCrumbs } from '../links.ts';
import { NoScope } from '../no-scope.tsx';
import { ScopeBar } from '../scope-bar.tsx';
import { scopeLists } from '../scope-lists.ts';
import { readScopeNames, type ScopeLists } from '../scope-names.ts';
import type { Route } from './+types/working-habits';
import { type Habits, HabitsView, isUnread } from './habits.tsx';
import { LargestTable } from './habits-largest.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const actor = await pageRequest.context.actor();
  const isOwnView =
    !offeredFeatures(pageRequest.context, actor).includes('workingHabits') || hides(pageRequest.context);
  const login = isOwnView ? actor.login : query.get('login') || undefined;
  const listing = deferPanels(pageRequest, scopeLists);
  const loading = loadHabits(
    pageRequest,
    login,
    listing.then(({ panels }) => panels),
  );
  const [lists, found] = await Promise.all([
    listing,
    deferAnswers<Found | null>(pageRequest, loading, (habits) => ({ habits, name: 'Change sizes' })),
  ]);
  return {
    lists: lists.panels,
    found: found.panels,
    isOwnView,
    login: login ?? null,
    canSync: await isOffered(startSync, pageRequest.context),
  };
};

/** The habits of the scope of the address, else of the first organization. */
interface Found {
  habits: Answer<Habits>;
  name: string;
}

async function loadHabits(
  pageRequest: PanelRequest,
  login: string | undefined,
  listing: Promise<ScopeLists>,
): Promise<Found | null> {
  const query = pageRequest.context.url.searchParams;
  const requested = requestedScope(query);
  const owner = requested.owner ?? readScopeNames(await listing).owners[0];
  if (!owner) return null;
  const repo = requested.repo === null ? undefined : repositoryParams(requested.repo).repo;
  const habits = await panel(getWorkingHabits, {
    ...pageRequest,
    extra: { owner, repo, login, days: getDays(query) },
    called: { days: 'range' },
  });
  return { habits, name: requested.repo ?? `All synced repositories of ${owner}` };
}

const hides = (context: Parameters<typeof hiddenFeatures>[0]) => hiddenFeatures(context).includes('workingHabits');

/** The windows that the report has. */
const ranges = ['30', '90'];

const getDays = (query: URLSearchParams) => chosenDays(query, ranges);

/** How large commits and pull requests are: of everybody where that is granted, else of whoever looks. */
export default function WorkingHabitsPage({ loaderData }: Route.ComponentProps) {
  const { lists, found, isOwnView, login, canSync } = loaderData;
  const { base } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const place = query.get('repo') || query.get('org');
  return (
    <Page
      title={isOwnView ? 'My working habits' : 'Working habits'}
      lead="Size of commits and pull requests. A conversation starter, not a verdict."
      breadcrumbs={sectionCrumbs('Working habits', `${base}/working-habits`, place)}
      note={isOwnView ? <OwnView login={login ?? ''} /> : null}
    >
      <ScopeBar
        search={search}
        lists={lists}
        period={[getDayFilter(query, ranges)]}
        fixed={[
          ...describeUnoffered(query, ranges, { because: 'sizes are counted over 30 or 90 days' }),
          'Bots excluded',
        ]}
        others={isOwnView ? [] : [getPersonFilter(query)]}
        hasAll={false}
      />
      <WhenReady data={found} fallback={<LoadingPanels titles={[place || 'Change sizes']} />}>
        {(loaded) =>
          loaded ? (
            <HabitsOfPlace {...loaded} canSync={canSync} isOwnView={isOwnView} login={login} />
          ) : (
            <NoScope lists={lists} />
          )
        }
      </WhenReady>
    </Page>
  );
}

const getPersonFilter = (query: URLSearchParams): Filter => ({
  kind: 'text',
  name: 'login',
  label: 'Person',
  value: query.get('login'),
  placeholder: 'login',
});

interface HabitsOfPlaceProps extends Found {
  canSync: boolean;
  isOwnView: boolean;
  login: string | null;
}

function HabitsOfPlace({ habits, name, canSync, isOwnView, login }: HabitsOfPlaceProps) {
  return (
    <>
      <Panel title={name} result={habits}>
        {(data) => <HabitsView data={data} canSync={canSync} isOwnView={isOwnView} login={login} />}
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
