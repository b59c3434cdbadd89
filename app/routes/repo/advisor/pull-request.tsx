import { data, redirect } from 'react-router';
import { count } from '../../../../server/domain/quantity.ts';
import { loadPanels, submit } from '../../../../server/http/adapters.ts';
import { deferAnswers } from '../../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../../server/http/router-context.ts';
import { getRecommendations, openRecommendedPullRequest } from '../../../../server/reports/advisor/operations.ts';
import { Notice } from '../../../components/notice.tsx';
import { Panel, Section } from '../../../components/panel.tsx';
import { LoadingPanels, WhenReady } from '../../../components/skeleton.tsx';
import { RepositoryPage } from '../repository-page.tsx';
import { hasTracker } from '../tracker.ts';
import type { Route } from './+types/pull-request';
import { findChosen, maxChosen, type Proposal } from './chosen-changes.ts';
import { chosenIds } from './chosen-ids.ts';
import { Diff } from './diff.tsx';
import { loadProposal } from './load-proposal.ts';
import { Opening, type OpeningPage, type Patch } from './opening.tsx';
import { formatAmounts, formatOther, formatShare } from './predicted.tsx';
import { PreviewForm } from './preview-form.tsx';
import { RecommendationTable } from './recommendation-table.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const { url, services } = pageRequest.context;
  const { ids, isTicked } = chosenIds(url.searchParams);
  // Boxes that were ticked, as one address.
  if (isTicked) throw redirect(`${url.pathname}?ids=${ids.join()}`);
  const loading = loadPanels({ ...pageRequest, extra: { state: 'all' } }, { advice: getRecommendations });
  const beside = { ...pageRequest, isOptional: true };
  const [{ panels }, proposal] = await Promise.all([
    deferAnswers(pageRequest, loading, (failed) => ({ advice: failed })),
    deferAnswers(beside, loadProposal(pageRequest, loading, ids), (failed) => ({ patch: failed, mayOpen: null })),
  ]);
  const { MODE: mode, OAUTH_SCOPES: scopes } = services.env;
  return {
    panels,
    proposal: proposal.panels,
    ids,
    // The tokens that people sign in with do not have the scope.
    isOff: mode === 'organization' && scopes !== 'none' && !scopes.split(' ').includes('workflow'),
    isTracked: await hasTracker(pageRequest),
    // Goes with the form, so that pressing the button twice opens one pull request.
    key: crypto.randomUUID(),
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const values = (form: FormData) => ({
    ids: String(form.get('ids') ?? '').split(','),
    draft: form.get('draft') === 'true',
    base_blobs: parseBlobs(String(form.get('base_blobs') ?? '')),
    // A form always says what was shown, though the interface does not require it.
    resulting_blobs: parseBlobs(String(form.get('resulting_blobs') ?? '')),
  });
  const done = await submit(pageRequest, { open: { operation: openRecommendedPullRequest, values } });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

function parseBlobs(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What a pull request with the chosen changes would be, before anything is written. */
export default function PullRequestPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { panels, proposal, ids, isTracked } = loaderData;
  const opened = actionData?.done?.result as Opened | undefined;
  return (
    <RepositoryPage
      repository={params}
      tab="Advisor"
      title="Pull request"
      description="The change of workflow files as a pull request, before anything is written."
      isTracked={isTracked}
      panels={panels}
    >
      {opened ? <Outcome opened={opened} /> : null}
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Chosen changes']} />}>
        {({ advice }) => (
          <Panel title="Chosen changes" result={advice}>
            {({ recommendations }) => (
              <>
                <Unavailable found={findChosen(advice, ids)} />
                <RecommendationTable
                  caption="Recommendations"
                  rows={recommendations.filter(({ state }) => state !== 'dismissed')}
                  ticked={findChosen(advice, ids).chosen}
                />
                <PreviewForm params={params} submit="Update preview" />
              </>
            )}
          </Panel>
        )}
      </WhenReady>
      <WhenReady data={panels} fallback={null}>
        {({ advice }) => (
          <WhenReady data={proposal} fallback={<LoadingPanels titles={['Preview']} />}>
            {(known) => (
              <Proposed
                proposal={known}
                found={findChosen(advice, ids)}
                loaderData={loaderData}
                actionData={actionData}
                params={params}
              />
            )}
          </WhenReady>
        )}
      </WhenReady>
    </RepositoryPage>
  );
}

type Found = ReturnType<typeof findChosen>;
type ProposedProps = { proposal: Proposal; found: Found } & OpeningPage;

function Proposed({ proposal: { patch, mayOpen }, found, ...page }: ProposedProps) {
  if (patch === null)
    return (
      <Notice>
        {found.chosen.length === 0 ? 'Choose at least one change.' : `Choose at most ${maxChosen} changes.`}
      </Notice>
    );
  return (
    <>
      <Panel title="Preview" result={patch}>
        {(shown) => <Preview patch={shown} isSecurity={found.isSecurity} />}
      </Panel>
      {patch.ok && !page.actionData?.done ? (
        <Section title="Open">
          <Opening patch={patch.data} mayOpen={mayOpen} {...page} />
        </Section>
      ) : null}
    </>
  );
}

/** Which of the chosen changes no pull request is made of, and why. */
function Unavailable({ found: { dismissed, notOffered, unknown } }: { found: Found }) {
  const sentences = [
    dismissed > 0 ? `${count(dismissed, 'chosen change')} dismissed.` : null,
    notOffered.length > 0
      ? `${count(notOffered.length, 'chosen change')} not recommended: ${[...new Set(notOffered)].join(' ')}`
      : null,
    unknown > 0 ? `${count(unknown, 'chosen change')} not in the workflow files any more.` : null,
  ].filter((sentence) => sentence !== null);
  return sentences.length > 0 ? <Notice tone="partial">{sentences.join(' ')}</Notice> : null;
}

interface Opened {
  number: number;
  title: string;
  html_url: string;
  deduplicated: boolean;
}

function Outcome({ opened: { number, title, html_url: href, deduplicated } }: { opened: Opened }) {
  const next = { label: `Open pull request ${number}`, href };
  return (
    <Notice tone="done" title={deduplicated ? 'Already open.' : 'Pull request opened.'} next={next}>
      {`#${number} ${title}`}
    </Notice>
  );
}

function Preview({ patch, isSecurity }: { patch: Patch; isSecurity: boolean }) {
  const { effect, refused, files, pull_request: pullRequest, base_commit: commit } = patch;
  const next = effect.next_28_days;
  return (
    <>
      {refused.length > 0 ? (
        <Notice tone="partial" title={`${count(refused.length, 'change')} excluded.`}>
          {refused.map(({ refusal }) => refusal.text).join(' ')}
        </Notice>
      ) : null}
      {isSecurity ? null : (
        <p>
          {next === null ? (
            `Not predicted. ${effect.reason?.text ?? ''}`
          ) : (
            <>
              <strong>{formatOther(next) ?? formatShare(next)}</strong> of the workflows that change (80 % range)
              {next.saves === 'minutes' ? `: ${formatAmounts(next)}` : ''}.
            </>
          )}
        </p>
      )}
      <p className="source">
        {pullRequest.base} at {commit?.slice(0, 7)} · branch {pullRequest.branch}
      </p>
      {files.map(({ path, diff }) => (
        <Diff key={path} text={diff} />
      ))}
    </>
  );
}
