import { useLocation } from 'react-router';
import type { Context } from '../../../server/access/context.ts';
import { panel } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getContributorProfile } from '../../../server/reports/profile/operations.ts';
import { getOrganizations } from '../../../server/reports/repositories/operations.ts';
import { dateText } from '../../charts/zone-time.ts';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { crumbs, explainHref } from '../links.ts';
import type { Route } from './+types/brief';
import './brief.css';
import { Halves } from './halves.tsx';
import { OwnerForm } from './owner-form.tsx';
import { personHref } from './person-href.ts';
import { fullName, type Profile } from './profile.ts';
import { ProfilePanel } from './profile-panel.tsx';
import { OwnPullRequests } from './pull-request-table.tsx';
import { loadWaiting } from './waiting.ts';
import { WaitingTables } from './waiting-tables.tsx';

export const handle = { isPlain: true };

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  if (!pageRequest.context.url.searchParams.get('owner'))
    return { profile: null, waiting: null, organizations: await panel(getOrganizations, pageRequest) };
  const profile = await panel(getContributorProfile, pageRequest);
  if (profile.ok && !pageRequest.context.isDemo) await noteOpening(pageRequest.context, profile.data);
  const waiting = profile.ok && !profile.data.is_bot ? await loadWaiting(pageRequest, profile.data) : null;
  return { profile, waiting, organizations: null };
};

/** Who opens the brief of somebody else is reported to those who run the service. */
async function noteOpening({ actor, services }: Context, { login, linked_logins: linked }: Profile) {
  const reader = await actor();
  if (![login, ...linked].includes(reader.login))
    services.log.info({ login: reader.login, about: login }, 'a 1:1 brief was opened');
}

/** One page to print for a talk of two: what is blocked, three numbers before and after, what to ask about. */
export default function BriefPage({ loaderData: { profile, waiting, organizations }, params }: Route.ComponentProps) {
  const { zone, base } = usePageContext();
  const { search } = useLocation();
  const owner = new URLSearchParams(search).get('owner') ?? '';
  const known = profile?.ok ? profile.data : null;
  return (
    <Page
      title={`1:1 brief: ${known ? fullName(known) : params.login}`}
      description="Merged pull requests, reviews and time to merge: last 45 days compared with the 45 days before."
      breadcrumbs={crumbs(
        base,
        ...(profile ? [{ label: params.login, href: personHref(base, owner, params.login) }] : []),
      )}
    >
      {waiting ? <WaitingTables result={waiting} /> : null}
      {profile ? (
        <ProfilePanel title="Before and after" result={profile}>
          {(data) => (
            <>
              <Halves data={data} />
              <p className="source">{formatSpan(data, owner, zone)}</p>
            </>
          )}
        </ProfilePanel>
      ) : (
        <OwnerForm login={params.login} organizations={organizations} />
      )}
      {known ? (
        <>
          <Section title="Conversation starters">
            <Points data={known} owner={owner} />
          </Section>
          <Section title="Newest pull requests">
            <OwnPullRequests data={known} zone={zone} limit={5} />
          </Section>
          <Section title="Notes">
            <p className="source screen-only">Notes stay in this window and are not saved. Print to keep them.</p>
            <textarea className="private-notes" aria-label="Notes" autoComplete="off" rows={12} />
          </Section>
        </>
      ) : null}
    </Page>
  );
}

const dayMs = 86_400_000;

/** Which days the two halves are, for the paper. */
function formatSpan({ generated_at }: Profile, owner: string, zone: string): string {
  const end = Date.parse(generated_at);
  const day = (back: number) => dateText(end - back * dayMs, zone);
  return `Repositories of ${owner}: ${day(45)} to ${day(0)}, compared with ${day(90)} to ${day(45)}.`;
}

/** Questions, not verdicts; the figures behind each are one click away. */
function Points({ data: { login, is_bot: isBot, talking_points: points }, owner }: { data: Profile; owner: string }) {
  const { base } = usePageContext();
  if (isBot) return <Empty cause="This account is a bot." />;
  if (points.length === 0) return <Empty cause="No notable changes." />;
  return points.map(({ rule, because, question }) => (
    <details key={rule} className="starter">
      <summary>{question}</summary>
      <p>
        {because} <a href={explainHref(base, { metric: evidenceOf[rule], owner, login })}>Evidence</a>
      </p>
    </details>
  ));
}

/** The metric whose evidence is behind a question. */
const evidenceOf: Record<string, string> = {
  merged_fewer: 'person_prs_merged',
  merged_more: 'person_prs_merged',
  reviews_more: 'person_reviews_given',
  merges_slower: 'person_avg_hours_to_merge',
  after_hours: 'after_hours_pct',
  merged_less_than_half: 'pr_merge_rate',
};
