import { useLocation } from 'react-router';
import { loadPanels } from '../../server/http/adapters.ts';
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
import type { Route } from './+types/repositories';
import { type AttentionData, RepositoryTable } from './tables/repository-table.tsx';

export const loader = ({ context, params }: Route.LoaderArgs) =>
  loadPanels(
    { context: context.get(requestContext), params },
    { repositories: getRepositoryAttention, organizations: getOrganizations },
  );

export default function RepositoriesPage({ loaderData: { repositories, organizations } }: Route.ComponentProps) {
  const { now, zone, base } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const org = query.get('org');
  return (
    <Page
      title={org ? `Repositories of ${org}` : 'Repositories'}
      lead="Failing branches first, then slower workflows, then the latest pushes."
    >
      <Scope organizations={base ? null : organizations} org={org} search={search} />
      <Panel
        title="Needs attention"
        result={repositories}
        now={now}
        zone={zone}
        whenPartial="Some repositories could not be read in full. Rows say which."
        retryHref={`${base}/repositories${search}`}
      >
        {(data) => (
          <>
            <FilterBar search={search} filters={filters(data, query)} />
            <RepositoryTable data={data} base={base} now={now} zone={zone} filtered={data.total < data.all} />
            <Pager
              from={data.total === 0 ? 1 : (data.page - 1) * data.per_page + 1}
              to={Math.min(data.page * data.per_page, data.total)}
              total={data.total}
              noun="repositories"
              previousHref={data.page > 1 ? withChoices(search, { page: data.page - 1 }) : null}
              nextHref={data.page < data.pages ? withChoices(search, { page: data.page + 1 }) : null}
            />
          </>
        )}
      </Panel>
    </Page>
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

type Organizations = Route.ComponentProps['loaderData']['organizations'];

/** Whose repositories are listed: everything the token sees, or one organization. */
function Scope(props: { organizations: Organizations | null; org: string | null; search: string }) {
  const { organizations, org, search } = props;
  const fixed = ['Latest runs of the default branch'];
  if (!organizations) return <PeriodBar search={search} fixed={fixed} />;
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
    />
  );
}
