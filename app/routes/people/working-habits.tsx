import { useLocation } from 'react-router';
import { startSync } from '../../../server/api/sync/sync.ts';
import { loadPanels, type PanelsOf, panel } from '../../../server/http/adapters.ts';
import { isOffered, offeredFeatures } from '../../../server/http/page-access.ts';
import { hiddenFeatures } from '../../../server/http/preferences.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getWorkingHabits } from '../../../server/reports/habits/operations.ts';
import { getOrganizations, getRepositories } from '../../../server/reports/repositories/operations.ts';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { chosenDays } from '../../components/period-filters.ts';
import { sectionCrumbs } from '../links.ts';
import { Choice } from '../team/choice.tsx';
import type { Route } from './+types/working-habits';
import { HabitsView, isUnread } from './habits.tsx';
import { habitsRanges, placeFilters } from './habits-choice.ts';
import { LargestTable } from './habits-largest.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const actor = await pageRequest.context.actor();
  const isOwnView =
    !offeredFeatures(pageRequest.context, actor).includes('workingHabits') || hides(pageRequest.context);
  const lists = loadPanels(pageRequest, { repositories: getRepositories, organizations: getOrganizations });
  const place = query.get('repo') || query.get('org') || (await findFirst(lists));
  const [owner = '', repo] = place.split('/');
  const login = isOwnView ? actor.login : query.get('login') || undefined;
  const extra = { owner, repo: query.get('repo') ? repo : undefined, login, days: getDays(query) };
  const [{ repositories, organizations }, habits] = await Promise.all([
    lists,
    owner ? panel(getWorkingHabits, { ...pageRequest, extra }) : null,
  ]);
  return {
    owner,
    habits,
    isOwnView,
    login: login ?? null,
    names: repositories.ok ? repositories.data.map(({ full_name }) => full_name) : [],
    owners: organizations.ok ? organizations.data.map(({ login }) => login) : [],
    canSync: await isOffered(startSync, pageRequest.context),
  };
};

/** Without a choice the first organization; '' where there is none. */
async function findFirst(lists: Promise<PanelsOf<{ organizations: typeof getOrganizations }>>): Promise<string> {
  const { organizations } = await lists;
  return organizations.ok ? (organizations.data[0]?.login ?? '') : '';
}

const hides = (context: Parameters<typeof hiddenFeatures>[0]) => hiddenFeatures(context).includes('workingHabits');

const getDays = (query: URLSearchParams) => chosenDays(query, habitsRanges);

/** How large commits and pull requests are: of everybody where that is granted, else of whoever looks. */
export default function WorkingHabitsPage({ loaderData }: Route.ComponentProps) {
  const { habits, isOwnView, login, names, owners, canSync, owner } = loaderData;
  const { now, zone, base } = usePageContext();
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  return (
    <Page
      title={isOwnView ? 'My working habits' : 'Working habits'}
      lead="Size of commits and pull requests. A conversation starter, not a verdict."
      breadcrumbs={sectionCrumbs('Working habits', `${base}/working-habits`, query.get('repo') || query.get('org'))}
      note={isOwnView ? <OwnView login={login ?? ''} /> : null}
    >
      <PeriodBar
        search={search}
        filters={placeFilters(query, { names, owners: [...owners, ...(owner ? [owner] : [])], isOwnView, owner })}
      />
      {habits ? (
        <>
          <Panel
            title={query.get('repo') || `All synced repositories of ${owner}`}
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
      ) : (
        <Choice names={names} owners={owners} requested="" />
      )}
    </Page>
  );
}

const OwnView = ({ login }: { login: string }) => (
  <Notice title="Only your own.">Only your account {login} is shown, without linked accounts.</Notice>
);
