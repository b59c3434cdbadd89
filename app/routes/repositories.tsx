import { useLocation } from 'react-router';
import type { PanelsOf } from '../../server/http/adapters.ts';
import { deferPanels, deferStoredPanels } from '../../server/http/deferred-panels.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { getRepositoryAttention } from '../../server/reports/attention/operations.ts';
import { getOrganizations } from '../../server/reports/repositories/operations.ts';
import { withChoices } from '../components/choices.ts';
import { FilterBar } from '../components/filter-bar.tsx';
import { Page } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { Pager } from '../components/pager.tsx';
import { Panel } from '../components/panel.tsx';
import { PeriodBar } from '../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../components/skeleton.tsx';
import type { Route } from './+types/repositories';
import { type AttentionData, RepositoryTable } from './tables/repository-table.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const [repositories, organizations] = await Promise.all([
    deferStoredPanels(pageRequest, { repositories: getRepositoryAttention }),
    deferPanels(pageRequest, { organizations: getOrganizations }),
  ]);
  return { repositories: repositories.panels, organizations: organizations.panels };
};

type Answers = PanelsOf<{ repositories: typeof getRepositoryAttention; organizations: typeof getOrganizations }>;

export default function RepositoriesPage({ loaderData: { repositories, organizations } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const org = new URLSearchParams(search).get('org');
  return (
    <Page
      title={org ? `Repositories of ${org}` : 'Repositories'}
      description="Repositories by what needs attention: failing branches, then slower workflows, then the latest pushes."
    >
      <WhenReady data={organizations} fallback={<Scope organizations={null} org={org} search={search} />}>
        {({ organizations: listed }) => <Scope organizations={base ? null : listed} org={org} search={search} />}
      </WhenReady>
      <WhenReady data={repositories} fallback={<LoadingPanels titles={['Needs attention']} />}>
        {({ repositories: found }) => <Listed result={found} search={search} />}
      </WhenReady>
    </Page>
  );
}

function Listed({ result, search }: { result: Answers['repositories']; search: string }) {
  const { base } = usePageContext();
  const csvHref = `${base}/api/codehost/repo-attention${withChoices(search, { page: new URLSearchParams(search).get('page'), format: 'csv' })}`;
  return (
    <Panel
      title="Needs attention"
      result={result}
      whenPartial="Some repositories could not be read in full. Rows say which."
      retryHref={`${base}/repositories${search}`}
    >
      {(data) => (
        <>
          {data.all === 0 ? null : <FilterBar search={search} filters={filters(data, new URLSearchParams(search))} />}
          <RepositoryTable data={data} base={base} csvHref={csvHref} filtered={data.total < data.all} />
          {data.total === 0 ? null : (
            <Pager
              from={(data.page - 1) * data.per_page + 1}
              to={Math.min(data.page * data.per_page, data.total)}
              total={data.total}
              noun="repositories"
              previousHref={data.page > 1 ? withChoices(search, { page: data.page - 1 }) : null}
              nextHref={data.page < data.pages ? withChoices(search, { page: data.page + 1 }) : null}
            />
          )}
        </>
      )}
    </Panel>
  );
}

const filters = (data: AttentionData, query: URLSearchParams) => [
  { kind: 'search' as const, name: 'q', label: 'Search', value: query.get('q'), placeholder: 'name or description' },
  {
    kind: 'select' as const,
    name: 'visibility',
    label: 'Visibility',
    value: query.get('visibility'),
    options: [
      { value: '', label: 'All' },
      { value: 'public', label: 'Public' },
      { value: 'private', label: 'Private' },
    ],
  },
  {
    kind: 'select' as const,
    name: 'language',
    label: 'Language',
    value: query.get('language'),
    options: [{ value: '', label: 'All' }, ...data.languages.map((value) => ({ value, label: value }))],
  },
];

const latest = { shown: 'latest runs' };

/** Whose repositories are listed: everything the token sees, or one organization. */
function Scope(props: { organizations: Answers['organizations'] | null; org: string | null; search: string }) {
  const { organizations, org, search } = props;
  const fixed = ['Latest runs of the default branch'];
  if (!organizations) return <PeriodBar search={search} fixed={fixed} window={latest} />;
  const names = organizations.ok ? organizations.data.map(({ login }) => login) : [];
  const unlisted = organizations.ok ? [] : [`Organizations could not be listed: ${organizations.problem.error}`];
  return (
    <PeriodBar
      search={search}
      filters={[
        {
          kind: 'links',
          name: 'org',
          label: 'Owner',
          value: org ?? '',
          options: [{ value: '', label: 'All I can see' }, ...names.map((value) => ({ value, label: value }))],
        },
        { kind: 'text', name: 'org', label: 'Organization by name', value: org && !names.includes(org) ? org : null },
      ]}
      fixed={[...fixed, ...unlisted]}
      window={latest}
    />
  );
}
