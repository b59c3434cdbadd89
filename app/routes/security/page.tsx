import { useLocation } from 'react-router';
import { figures } from '../../../server/domain/quantity.ts';
import { panel } from '../../../server/http/adapters.ts';
import { deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getOrganizationSecurity } from '../../../server/reports/organization-security/operations.ts';
import { getOrganizations } from '../../../server/reports/repositories/operations.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { crumbs, useOrganizationCrumb } from '../links.ts';
import { useOrganizationTabs } from '../org/tabs.ts';
import type { Route } from './+types/page';
import { OrganizationSecurity } from './organization.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const organizations = await panel(getOrganizations, { ...pageRequest, isOptional: true });
  const owners = organizations.ok ? organizations.data.map(({ login }) => login) : [];
  const org = pageRequest.context.url.searchParams.get('org') || (owners[0] ?? null);
  if (org === null) return { owners, org, panels: null };
  const { panels } = await deferPanels({ ...pageRequest, extra: { org } }, { security: getOrganizationSecurity });
  const security = panels instanceof Promise ? null : panels.security;
  if (security && !security.ok && security.problem.code === 'not_found') throw new Response(null, { status: 404 });
  return { owners, org, panels };
};

/** What is open in all repositories of an organization: alerts of the platform and findings in workflow files. */
export default function SecurityPage({ loaderData: { owners, org, panels } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const tabs = useOrganizationTabs(org ?? '', 'Security');
  const organization = useOrganizationCrumb(org ?? '');
  return (
    <Page
      title={org ? `Security of ${org}` : 'Security'}
      description="Open security alerts and workflow findings of all repositories of an organization."
      breadcrumbs={crumbs(base, ...(org ? organization : []))}
      {...(org && { tabs })}
    >
      <Owners owners={owners} org={org} />
      {org && panels ? (
        <WhenReady data={panels} fallback={<LoadingPanels titles={['Open alerts', 'Rules', 'Repositories']} />}>
          {({ security }) => <OrganizationSecurity result={security} org={org} search={search} />}
        </WhenReady>
      ) : (
        <Empty
          cause="You are in no organization that can be seen. The alerts of a single repository are on its own page."
          next={{ label: 'Repositories', href: base || '/' }}
        />
      )}
    </Page>
  );
}

const maxOwners = 12;

function Owners({ owners, org }: { owners: readonly string[]; org: string | null }) {
  const first = owners.slice(0, maxOwners);
  const isOffered = org === null || first.some((one) => one.toLowerCase() === org.toLowerCase());
  const offered = isOffered ? first : [...first, org];
  if (offered.length < 2) return null;
  return (
    <FilterBar
      label="Organization"
      search=""
      filters={[
        {
          kind: 'links',
          name: 'org',
          label: 'Organization',
          value: org,
          options: offered.map((value) => ({ value, label: value })),
        },
      ]}
      note={owners.length > maxOwners ? `${figures(owners.length - maxOwners)} more by address` : null}
    />
  );
}
