import { useLocation } from 'react-router';
import { panel } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getContributorProfile } from '../../../server/reports/profile/operations.ts';
import { getOrganizations } from '../../../server/reports/repositories/operations.ts';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { PeriodBar } from '../../components/period-bar.tsx';
import { crumbs } from '../links.ts';
import type { Route } from './+types/contributor';
import { Activity } from './activity.tsx';
import { Headlines } from './headlines.tsx';
import { Identity } from './identity.tsx';
import { OwnerForm } from './owner-form.tsx';
import { briefHref } from './person-href.ts';
import { fullName } from './profile.ts';
import { ProfilePanel } from './profile-panel.tsx';
import { Work } from './work.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  return pageRequest.context.url.searchParams.get('owner')
    ? { profile: await panel(getContributorProfile, pageRequest), organizations: null }
    : { profile: null, organizations: await panel(getOrganizations, pageRequest) };
};

/** One person over 90 days: compared with their own earlier weeks, never with colleagues. */
export default function ContributorPage({ loaderData, params }: Route.ComponentProps) {
  const { now, zone, base, hostName } = usePageContext();
  const { search } = useLocation();
  const { profile, organizations } = loaderData;
  const owner = new URLSearchParams(search).get('owner') ?? '';
  const known = profile?.ok ? profile.data : null;
  // Another owner helps where this one does not have the person, and not where the platform failed.
  const isElsewhere = profile?.ok === false && [400, 404].includes(profile.problem.status);
  const pageRequest = new URLSearchParams({ owner, login: params.login, format: 'csv' });
  if (!profile)
    return (
      <Page
        title={params.login}
        description="Pull requests, reviews and commits of a contributor."
        breadcrumbs={crumbs(base)}
      >
        <OwnerForm login={params.login} organizations={organizations} />
      </Page>
    );
  return (
    <Page
      title={known ? fullName(known) : params.login}
      lead={`Last 90 days in repositories of ${owner} that you can see.`}
      breadcrumbs={crumbs(base, { label: owner, href: `${base || '/'}?org=${encodeURIComponent(owner)}` })}
      actions={
        known ? (
          <>
            {known.is_bot ? null : <a href={briefHref(base, owner, params.login)}>1:1 brief</a>}
            {known.html_url === '#' ? null : <a href={known.html_url}>Open in {hostName}</a>}
          </>
        ) : null
      }
    >
      <PeriodBar search={search} fixed={['Last 90 days', 'Last 45 compared with the 45 before']} />
      <ProfilePanel title="Who" result={profile}>
        {(data) => <Identity data={data} base={base} />}
      </ProfilePanel>
      {known ? (
        <>
          <Headlines data={known} owner={owner} base={base} />
          <Activity data={known} owner={owner} />
          <Work
            data={known}
            now={now}
            zone={zone}
            csvHref={base ? undefined : `/api/codehost/contributor-profile?${pageRequest}`}
          />
        </>
      ) : isElsewhere ? (
        <OwnerForm login={params.login} organizations={null} owner={owner} />
      ) : null}
    </Page>
  );
}
