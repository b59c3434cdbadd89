import { useLocation } from 'react-router';
import { figures } from '../../../server/domain/quantity.ts';
import { loadPanels, type PanelRequest, type PanelsOf } from '../../../server/http/adapters.ts';
import { assertFound, deferAnswers, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getOrganizationSecurity } from '../../../server/reports/organization-security/operations.ts';
import { Empty, Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { PeriodBar } from '../../components/period-bar.tsx';
import { addSharedParams } from '../../components/shared-params.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { useOrganizationCrumb } from '../links.ts';
import { useOrganizationTabs } from '../org/tabs.ts';
import { scopeLists } from '../scope-lists.ts';
import { readOrganizationNames, type ScopeLists } from '../scope-names.ts';
import type { Route } from './+types/page';
import { openNow } from './labels.ts';
import { OrganizationSecurity } from './organization.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const requested = pageRequest.context.url.searchParams.get('org') || null;
  // Beside what is looked at, the choice of others may be missing.
  const listing = deferPanels({ ...pageRequest, isOptional: requested !== null }, scopeLists);
  const loading = loadSubject(
    pageRequest,
    requested,
    listing.then(({ panels }) => panels),
  );
  const [lists, subject] = await Promise.all([
    listing,
    deferAnswers<Subject | null>(pageRequest, loading, (security) =>
      requested === null ? null : { org: requested, security },
    ),
  ]);
  if (subject.panels && !(subject.panels instanceof Promise)) assertFound({ security: subject.panels.security }, [404]);
  return { lists: lists.panels, requested, subject: subject.panels };
};

/** The organization that is looked at, with what is open in it. */
interface Subject {
  org: string;
  security: PanelsOf<{ security: typeof getOrganizationSecurity }>['security'];
}

/** The organization of the address, else the first of the reader's; null for none. */
async function loadSubject(
  pageRequest: PanelRequest,
  requested: string | null,
  listing: Promise<ScopeLists>,
): Promise<Subject | null> {
  const org = requested ?? readOrganizationNames(await listing)[0];
  if (org === undefined) return null;
  const { security } = await loadPanels({ ...pageRequest, extra: { org } }, { security: getOrganizationSecurity });
  return { org, security };
}

/** What is open in all repositories of an organization: alerts of the platform and findings in workflow files. */
export default function SecurityPage({ loaderData: { lists, requested, subject } }: Route.ComponentProps) {
  const { search } = useLocation();
  const org = subject instanceof Promise ? requested : (subject?.org ?? null);
  const tabs = useOrganizationTabs(org ?? '', 'Security');
  const organization = useOrganizationCrumb(org ?? '');
  return (
    <Page
      title={getTitle(org)}
      heading={
        requested === null ? (
          <WhenReady data={subject} fallback={getTitle(null)}>
            {(found) => getTitle(found?.org ?? null)}
          </WhenReady>
        ) : undefined
      }
      description="Open security alerts and workflow findings of all repositories of an organization."
      breadcrumbs={org ? organization : []}
      {...(org && { tabs })}
    >
      <WhenReady data={lists} fallback={<PeriodBar search={search} fixed={['Open now']} window={openNow} />}>
        {(listed) => (
          <Owners
            lists={listed}
            org={requested ?? readOrganizationNames(listed)[0] ?? null}
            search={addSharedParams('/security', search).slice('/security'.length)}
          />
        )}
      </WhenReady>
      <WhenReady data={subject} fallback={<LoadingPanels titles={['Open alerts', 'Rules', 'Repositories']} />}>
        {(found) => (found ? <OrganizationSecurity result={found.security} org={found.org} search={search} /> : null)}
      </WhenReady>
    </Page>
  );
}

const getTitle = (org: string | null) => (org ? `Security of ${org}` : 'Security');

const maxOwners = 12;

interface OwnersProps {
  lists: ScopeLists;
  org: string | null;
  /** Choices that another organization keeps. */
  search: string;
}

/** The organizations to choose from; why there are none where none is looked at. */
function Owners({ lists, org, search }: OwnersProps) {
  const { base } = usePageContext();
  const owners = readOrganizationNames(lists);
  const failed = [lists.organizations, lists.repositories].find(({ ok }) => !ok);
  if (failed && !failed.ok && org === null)
    return (
      <Notice tone="problem" title="Organizations could not be listed.">
        {failed.problem.error}
      </Notice>
    );
  if (org === null)
    return (
      <Empty
        cause="You are in no organization that can be seen. The alerts of a single repository are on its own page."
        next={{ label: 'Repositories', href: `${base}/repositories` }}
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
  const more = [
    ...(owners.length > maxOwners ? [`${figures(owners.length - maxOwners)} more by address`] : []),
    ...(failed ? ['Not all organizations could be listed'] : []),
  ];
  return (
    <PeriodBar
      search={search}
      filters={offered.length < 2 ? [] : [choice]}
      fixed={[...more, 'Open now']}
      window={openNow}
    />
  );
}
