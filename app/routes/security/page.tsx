import { useLocation } from 'react-router';
import { figures } from '../../../server/domain/quantity.ts';
import { type Panel, type PanelRequest, panel } from '../../../server/http/adapters.ts';
import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getOrganizationSecurity } from '../../../server/reports/organization-security/operations.ts';
import { getOrganizations } from '../../../server/reports/repositories/operations.ts';
import { Empty, Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { PeriodBar } from '../../components/period-bar.tsx';
import { addSharedParams } from '../../components/shared-params.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { useOrganizationCrumb } from '../links.ts';
import { useOrganizationTabs } from '../org/tabs.ts';
import type { Route } from './+types/page';
import { OrganizationSecurity } from './organization.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const requested = pageRequest.context.url.searchParams.get('org');
  if (requested) {
    // Beside what is looked at, the choice of others may be missing.
    const organizations = panel(getOrganizations, { ...pageRequest, isOptional: true }).catch(() => null);
    return loadOrganization(pageRequest, requested, organizations);
  }
  const organizations = await panel(getOrganizations, pageRequest);
  const [first] = organizations.ok ? organizations.data : [];
  if (!first) return { organizations, org: null, panels: null };
  return loadOrganization(pageRequest, first.login, Promise.resolve(organizations));
};

type Organizations = Panel<{ login: string }[]> | null;

async function loadOrganization(pageRequest: PanelRequest, org: string, organizations: Promise<Organizations>) {
  const { panels } = await deferPanels({ ...pageRequest, extra: { org } }, { security: getOrganizationSecurity });
  if (panels instanceof Promise) return { organizations, org, panels };
  assertFound(panels, [404]);
  return { organizations: await organizations, org, panels };
}

/** What is open in all repositories of an organization: alerts of the platform and findings in workflow files. */
export default function SecurityPage({ loaderData: { organizations, org, panels } }: Route.ComponentProps) {
  const { search } = useLocation();
  const tabs = useOrganizationTabs(org ?? '', 'Security');
  const organization = useOrganizationCrumb(org ?? '');
  return (
    <Page
      title={org ? `Security of ${org}` : 'Security'}
      description="Open security alerts and workflow findings of all repositories of an organization."
      breadcrumbs={org ? organization : []}
      {...(org && { tabs })}
    >
      <WhenReady data={organizations} fallback={<PeriodBar search={search} fixed={['Open now']} />}>
        {(answer) => (
          <Owners
            organizations={answer}
            org={org}
            search={addSharedParams('/security', search).slice('/security'.length)}
          />
        )}
      </WhenReady>
      {org && panels ? (
        <WhenReady data={panels} fallback={<LoadingPanels titles={['Open alerts', 'Rules', 'Repositories']} />}>
          {({ security }) => <OrganizationSecurity result={security} org={org} search={search} />}
        </WhenReady>
      ) : null}
    </Page>
  );
}

const maxOwners = 12;

interface OwnersProps {
  organizations: Organizations;
  org: string | null;
  /** Choices that another organization keeps. */
  search: string;
}

/** The organizations to choose from; why there are none where none is looked at. */
function Owners({ organizations, org, search }: OwnersProps) {
  const { base } = usePageContext();
  const owners = organizations?.ok ? organizations.data.map(({ login }) => login) : [];
  if (organizations && !organizations.ok && org === null)
    return (
      <Notice tone="problem" title="Organizations could not be listed.">
        {organizations.problem.error}
      </Notice>
    );
  if (org === null)
    return (
      <Empty
        cause="You are in no organization that can be seen. The alerts of a single repository are on its own page."
        next={{ label: 'Repositories', href: base || '/' }}
      />
    );
  const first = owners.slice(0, maxOwners);
  const isOffered = first.some((one) => one.toLowerCase() === org.toLowerCase());
  const offered = isOffered ? first : [...first, org];
  const choice = {
    kind: 'links' as const,
    name: 'org',
    label: 'Organization',
    value: org,
    options: offered.map((value) => ({ value, label: value })),
  };
  const more = owners.length > maxOwners ? [`${figures(owners.length - maxOwners)} more by address`] : [];
  return <PeriodBar search={search} filters={offered.length < 2 ? [] : [choice]} fixed={[...more, 'Open now']} />;
}
