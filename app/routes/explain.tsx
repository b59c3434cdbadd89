import { useLocation } from 'react-router';
import { explain } from '../../server/api/explain.ts';
import { listPrivateNames } from '../../server/api/shares/private-names.ts';
import { loadPanels, type PanelRequest } from '../../server/http/adapters.ts';
import { assertFound, deferAnswers } from '../../server/http/deferred-panels.ts';
import { requestContext } from '../../server/http/router-context.ts';
import type { Filter } from '../components/filter-bar.tsx';
import { Page } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { PeriodBar } from '../components/period-bar.tsx';
import { getRangeFilter } from '../components/period-filters.ts';
import { LoadingPanels, WhenReady } from '../components/skeleton.tsx';
import type { Route } from './+types/explain';
import { type Answer, Details } from './explain/details.tsx';
import { crumbs, repositoryCrumb, useOrganizationCrumb } from './links.ts';
import { useProfileHref } from './people/person-href.ts';
import { ShareLink } from './share-link.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const loading = loadPanels(pageRequest, { explained: explain });
  const [{ panels }, named] = await Promise.all([
    deferAnswers(pageRequest, loading, (failed) => ({ explained: failed })),
    deferAnswers(pageRequest, listPrivate(pageRequest, loading), () => null),
  ]);
  // What is wrong with a parameter is said in the place of the number.
  assertFound(panels, [404]);
  return { panels, privateNames: named.panels };
};

/** Of a number of several repositories those that are not public. */
async function listPrivate(
  { context }: PanelRequest,
  loading: Promise<{ explained: Answer }>,
): Promise<string[] | null> {
  const { explained } = await loading;
  const org = context.url.searchParams.get('org');
  const names = explained.ok ? explained.data.repositories.map(({ repo }) => repo) : [];
  return listPrivateNames(
    names.map((name) => (name.includes('/') ? name : `${org}/${name}`)),
    context,
  );
}

/** One number opened: its definition, every counted item with a link, and what was excluded with the reason. */
export default function ExplainPage({ loaderData: { panels, privateNames } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  return (
    <Page
      title={panels instanceof Promise ? unknownTitle : getTitle(panels.explained)}
      heading={
        <WhenReady data={panels} fallback={unknownTitle}>
          {({ explained }) => getTitle(explained)}
        </WhenReady>
      }
      description="Definition of the metric, counted items, and exclusions with reasons."
      breadcrumbs={crumbs(base, ...usePlace(query, base))}
    >
      <PeriodBar search={search} filters={getChoices(query)} />
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Metric', 'Counted']} />}>
        {({ explained }) => <Details result={explained} search={search} />}
      </WhenReady>
      <WhenReady data={privateNames} fallback={null}>
        {(names) => <ShareLink privateNames={names} />}
      </WhenReady>
    </Page>
  );
}

/** What can be chosen of a number is what its link says; what its definition fixes stands under Window. */
function getChoices(query: URLSearchParams): Filter[] {
  const [days, bots] = [query.get('days'), query.get('bots')];
  return [
    ...(query.has('range') ? [getRangeFilter(query)] : []),
    ...(days === null ? [] : [{ ...dayChoice, value: days }]),
    ...(bots === null ? [] : [{ ...botChoice, value: bots }]),
  ];
}

/** The days that every metric with a choice of days has. */
const dayChoice = {
  kind: 'links' as const,
  name: 'days',
  label: 'Range',
  options: ['30', '90'].map((value) => ({ value, label: `${value} days` })),
};

/** The address names both, so that the other one stays in reach. */
const botChoice = {
  kind: 'links' as const,
  name: 'bots',
  label: 'Bots',
  options: [
    { value: 'in', label: 'In' },
    { value: 'out', label: 'Out' },
  ],
};

const unknownTitle = 'Metric details';

const getTitle = (answer: Answer) => (answer.ok ? answer.data.label : unknownTitle);

function usePlace(query: URLSearchParams, base: string) {
  const [owner, repo, org, login] = ['owner', 'repo', 'org', 'login'].map((name) => query.get(name) ?? '');
  const profile = useProfileHref(owner ?? '')(login ?? '');
  const organization = useOrganizationCrumb(org ?? '');
  if (owner && repo) return [repositoryCrumb(base, `${owner}/${repo}`)];
  if (owner && login) return profile ? [{ label: `${login} in ${owner}`, href: profile }] : [];
  return org ? organization : [];
}
