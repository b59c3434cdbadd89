import { useLocation } from 'react-router';
import type { Context } from '../../../server/access/context.ts';
import { loadPanels, type Panel, type PanelRequest, panel } from '../../../server/http/adapters.ts';
import { deferAnswers } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getContributorProfile } from '../../../server/reports/profile/operations.ts';
import { getOrganizations } from '../../../server/reports/repositories/operations.ts';
import { dateText } from '../../charts/zone-time.ts';
import { minCompared } from '../../components/comparison.ts';
import { capitalized } from '../../components/measurement.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { explainHref, usePersonCrumbs } from '../links.ts';
import type { Route } from './+types/brief';
import './brief.css';
import { describeLargestChange, Halves } from './halves.tsx';
import { OwnerForm } from './owner-form.tsx';
import { personHref } from './person-href.ts';
import { fullName, missingNote, type Profile, twoHalves } from './profile.ts';
import { ProfilePanel } from './profile-panel.tsx';
import { OwnPullRequests } from './pull-request-table.tsx';
import { loadWaiting, type Waiting } from './waiting.ts';
import { WaitingTables } from './waiting-tables.tsx';

export const handle = { isPlain: true };

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  if (!pageRequest.context.url.searchParams.get('owner'))
    return { brief: null, organizations: await panel(getOrganizations, pageRequest) };
  const noteOnce = createOpening(pageRequest.context);
  const load = () => loadBrief(pageRequest, noteOnce);
  const { panels } = await deferAnswers<Brief>(pageRequest, load(), (profile) => ({ profile, waiting: null }), load);
  return { brief: panels, organizations: null };
};

interface Brief {
  profile: Panel<Profile>;
  waiting: Panel<Waiting> | null;
}

async function loadBrief(pageRequest: PanelRequest, note: (profile: Profile) => Promise<void>): Promise<Brief> {
  const extra = { requested_reviews: '1' };
  const { profile } = await loadPanels({ ...pageRequest, extra }, { profile: getContributorProfile });
  if (!profile.ok) return { profile, waiting: null };
  await note(profile.data);
  return { profile, waiting: profile.data.is_bot ? null : await loadWaiting(pageRequest, profile.data) };
}

/** Who opens the brief of somebody else is reported to those who run the service, once, with what comes first of it. */
function createOpening({ actor, services, isDemo }: Context) {
  let isNoted = isDemo;
  return async ({ login, linked_logins: linked }: Profile) => {
    const reader = isNoted ? null : await actor();
    if (reader === null || isNoted) return;
    isNoted = true;
    if (![login, ...linked].includes(reader.login))
      services.log.info({ login: reader.login, about: login }, 'a 1:1 brief was opened');
  };
}

/** One page to print for a talk of two: what is blocked, three numbers before and after, what to ask about. */
export default function BriefPage({ loaderData: { brief, organizations }, params }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const owner = useOwner();
  const known = brief instanceof Promise ? null : brief;
  const breadcrumbs = usePersonCrumbs(
    owner,
    ...(brief ? [{ label: params.login, href: personHref(base, owner, params.login) }] : []),
  );
  return (
    <Page
      title={getTitle(known, params.login)}
      heading={
        <WhenReady data={brief} fallback={getTitle(null, params.login)}>
          {(loaded) => getTitle(loaded, params.login)}
        </WhenReady>
      }
      description="Merged pull requests, reviews and time to merge: last 45 days compared with the previous 45 days."
      breadcrumbs={breadcrumbs}
    >
      {brief ? <PeriodBar search={search} {...twoHalves} /> : null}
      <WhenReady data={brief} fallback={<LoadingPanels titles={['Blocked now', 'Before and after']} />}>
        {(loaded) =>
          loaded ? <BriefSections {...loaded} /> : <OwnerForm login={params.login} organizations={organizations} />
        }
      </WhenReady>
      <WhenReady data={brief} fallback={null} isFreshOnly>
        {(loaded) => (loaded?.profile.ok ? <Notes /> : null)}
      </WhenReady>
    </Page>
  );
}

const useOwner = () => new URLSearchParams(useLocation().search).get('owner') ?? '';

const getTitle = (brief: Brief | null, login: string) =>
  `1:1 brief: ${brief?.profile.ok ? fullName(brief.profile.data) : login}`;

function BriefSections({ profile, waiting }: Brief) {
  const { zone } = usePageContext();
  const owner = useOwner();
  return (
    <>
      {waiting ? <WaitingTables result={waiting} /> : null}
      <ProfilePanel title="Before and after" result={profile}>
        {(data) => (
          <>
            <Halves data={data} owner={owner} />
            <p className="source paper-only">{formatSpan(data, owner, zone)}</p>
          </>
        )}
      </ProfilePanel>
      {profile.ok ? (
        <>
          <Section title="Conversation starters">
            <Points data={profile.data} missing={describeMissing(profile, waiting)} owner={owner} />
            <p className="source">{`Changes are compared from ${minCompared} merges or reviews.`}</p>
          </Section>
          <Section title="Newest pull requests">
            <OwnPullRequests data={profile.data} limit={5} asDates />
          </Section>
        </>
      ) : null}
    </>
  );
}

const Notes = () => (
  <Section title="Notes">
    <p className="source screen-only">Notes stay in this window and are not saved. Print to keep them.</p>
    <textarea className="private-notes" aria-label="Notes" autoComplete="off" rows={12} />
  </Section>
);

const dayMs = 86_400_000;

/** Which days the two halves are, for the paper. */
function formatSpan({ generated_at }: Profile, owner: string, zone: string): string {
  const end = Date.parse(generated_at);
  const day = (back: number) => dateText(end - back * dayMs, zone);
  return `Repositories of ${owner}: ${day(45)} to ${day(0)}, compared with ${day(90)} to ${day(45)}.`;
}

/** What was not loaded of all that questions come from; empty where everything was. */
function describeMissing(profile: Extract<Brief['profile'], { ok: true }>, waiting: Brief['waiting']): string {
  const { data, notes } = profile;
  const ofProfile = notes.partialReason ? `${capitalized(notes.partialReason)}.` : missingNote(data);
  return [data.partial ? ofProfile : '', describeMissingOpen(waiting)].filter((text) => text !== '').join(' ');
}

function describeMissingOpen(waiting: Brief['waiting']): string {
  if (waiting === null) return '';
  if (!waiting.ok) return 'Open pull requests are not available.';
  return waiting.notes.partial ? 'Not all open pull requests could be loaded.' : '';
}

interface PointsProps {
  data: Profile;
  missing: string;
  owner: string;
}

/** Questions, not verdicts; the figures behind each are one click away. */
function Points({ data, missing, owner }: PointsProps) {
  const { login, is_bot: isBot, talking_points: points } = data;
  const { base } = usePageContext();
  if (isBot) return <Empty cause="This account is a bot." />;
  if (points.length === 0) return <Empty cause={describeNoQuestion(data, missing)} />;
  return (
    <>
      {points.map(({ rule, because, question }) => (
        <details key={rule} className="starter">
          <summary>{question}</summary>
          <p>
            {because}{' '}
            <SharedParamsLink
              href={
                rule === 'reviews_waiting' ? '#blocked' : explainHref(base, { metric: evidenceOf[rule], owner, login })
              }
            >
              Evidence
            </SharedParamsLink>
          </p>
        </details>
      ))}
      {missing === '' ? null : <p className="muted">{incomplete}</p>}
    </>
  );
}

const incomplete = 'Data is incomplete, so questions may be missing or wrong.';

/** That no change raises a question, beside the largest one that is shown above; of a part that cannot be said. */
function describeNoQuestion(data: Profile, missing: string): string {
  const largest = describeLargestChange(data);
  const change = largest === null ? '' : ` Largest change: ${largest}.`;
  if (missing !== '') return `${incomplete} ${missing}${change}`;
  return largest === null ? 'No notable changes.' : `No questions.${change}`;
}

/** The metric whose evidence is behind a question. */
const evidenceOf: Record<string, string> = {
  open_long: 'person_prs_opened',
  merged_fewer: 'person_prs_merged',
  merged_more: 'person_prs_merged',
  reviews_more: 'person_reviews_given',
  merges_slower: 'person_median_hours_to_merge',
  after_hours: 'after_hours_pct',
  merged_less_than_half: 'pr_merge_rate',
};
