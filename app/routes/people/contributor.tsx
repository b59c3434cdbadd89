import { useLocation } from 'react-router';
import { type PanelsOf, panel } from '../../../server/http/adapters.ts';
import { deferStoredPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getContributorProfile } from '../../../server/reports/profile/operations.ts';
import { getOrganizations } from '../../../server/reports/repositories/operations.ts';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { usePersonCrumbs } from '../links.ts';
import type { Route } from './+types/contributor';
import { Activity } from './activity.tsx';
import { Headlines } from './headlines.tsx';
import { Identity } from './identity.tsx';
import { OwnerForm } from './owner-form.tsx';
import { briefHref } from './person-href.ts';
import { fullName, twoHalves } from './profile.ts';
import { ProfilePanel } from './profile-panel.tsx';
import { Work } from './work.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  if (!pageRequest.context.url.searchParams.get('owner'))
    return { panels: null, organizations: await panel(getOrganizations, pageRequest) };
  const { panels } = await deferStoredPanels(pageRequest, { profile: getContributorProfile });
  return { panels, organizations: null };
};

type ProfileAnswer = PanelsOf<{ profile: typeof getContributorProfile }>['profile'];

/** One person over 90 days: compared with their own earlier weeks, never with colleagues. */
export default function ContributorPage({ loaderData, params }: Route.ComponentProps) {
  const { search } = useLocation();
  const { panels, organizations } = loaderData;
  const owner = new URLSearchParams(search).get('owner') ?? '';
  const breadcrumbs = usePersonCrumbs(owner);
  if (!panels)
    return (
      <Page
        title={params.login}
        description="Pull requests, reviews and commits of a contributor."
        breadcrumbs={breadcrumbs}
      >
        <OwnerForm login={params.login} organizations={organizations} />
      </Page>
    );
  return (
    <Page
      title={panels instanceof Promise ? params.login : nameOf(panels.profile, params.login)}
      heading={
        <WhenReady data={panels} fallback={params.login}>
          {({ profile }) => nameOf(profile, params.login)}
        </WhenReady>
      }
      lead={`Activity in repositories of ${owner} that you can see.`}
      breadcrumbs={breadcrumbs}
      actions={
        <WhenReady data={panels} fallback={null}>
          {({ profile }) => <ProfileLinks profile={profile} owner={owner} login={params.login} />}
        </WhenReady>
      }
    >
      <PeriodBar search={search} {...twoHalves} />
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Last 90 days', 'Activity']} />}>
        {({ profile }) => <Profile profile={profile} owner={owner} login={params.login} />}
      </WhenReady>
    </Page>
  );
}

const nameOf = (profile: ProfileAnswer, login: string) => (profile.ok ? fullName(profile.data) : login);

interface ProfileProps {
  profile: ProfileAnswer;
  owner: string;
  login: string;
}

function ProfileLinks({ profile, owner, login }: ProfileProps) {
  const { base, hostName } = usePageContext();
  if (!profile.ok) return null;
  const { is_bot, html_url } = profile.data;
  return (
    <>
      {is_bot ? null : <a href={briefHref(base, owner, login)}>1:1 brief</a>}
      {html_url === '#' ? null : <a href={html_url}>Open in {hostName}</a>}
    </>
  );
}

function Profile({ profile, owner, login }: ProfileProps) {
  const { base } = usePageContext();
  // Another owner helps where this one does not have the person, and not where the platform failed.
  const isElsewhere = !profile.ok && [400, 404].includes(profile.problem.status);
  const pageRequest = new URLSearchParams({ owner, login, format: 'csv' });
  return (
    <>
      <ProfilePanel title="Last 90 days" result={profile}>
        {(data) => (
          <>
            <Headlines data={data} owner={owner} base={base} />
            <Identity data={data} base={base} />
          </>
        )}
      </ProfilePanel>
      {profile.ok ? (
        <>
          <Activity data={profile.data} owner={owner} />
          <Work data={profile.data} csvHref={`${base}/api/codehost/contributor-profile?${pageRequest}`} />
        </>
      ) : isElsewhere ? (
        <OwnerForm login={login} organizations={null} owner={owner} />
      ) : null}
    </>
  );
}
