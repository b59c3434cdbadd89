import { data, redirect } from 'react-router';
import { getMe } from '../../../../server/api/session/session.ts';
import { count } from '../../../../server/domain/quantity.ts';
import { type PanelsOf, panel, submit } from '../../../../server/http/adapters.ts';
import { requestContext } from '../../../../server/http/router-context.ts';
import {
  getRecommendations,
  getRecommendedPatch,
  openRecommendedPullRequest,
} from '../../../../server/reports/advisor/operations.ts';
import { Notice } from '../../../components/notice.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { Panel, Section } from '../../../components/panel.tsx';
import { RepositoryPage } from '../repository-page.tsx';
import { hasTracker } from '../tracker.ts';
import type { Route } from './+types/pull-request';
import { chosenIds } from './chosen-ids.ts';
import { Diff } from './diff.tsx';
import { MissingPermission } from './missing-permission.tsx';
import { OpenForm } from './open-form.tsx';
import { formatAmounts, formatOther, formatShare } from './predicted.tsx';
import { PreviewForm } from './preview-form.tsx';
import { RecommendationTable } from './recommendation-table.tsx';

/** As many changes the interface takes. */
const maxChosen = 20;

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const { url, services, isDemo } = pageRequest.context;
  const { ids, isTicked } = chosenIds(url.searchParams);
  // Boxes that were ticked, as one address.
  if (isTicked) throw redirect(`${url.pathname}?ids=${ids.join()}`);
  const advice = await panel(getRecommendations, { ...pageRequest, extra: { state: 'all' } });
  const listed = advice.ok ? advice.data.recommendations : [];
  const chosen = listed.filter(({ id, state }) => ids.includes(id) && state !== 'dismissed').map(({ id }) => id);
  const unavailable = {
    dismissed: listed.filter(({ id, state }) => ids.includes(id) && state === 'dismissed').length,
    notOffered: advice.ok ? advice.data.not_offered.filter(({ id }) => ids.includes(id)) : [],
  };
  const patch =
    chosen.length > 0 && chosen.length <= maxChosen
      ? await panel(getRecommendedPatch, { ...pageRequest, extra: { ids: chosen.join() } })
      : null;
  const me = isDemo ? null : await panel(getMe, pageRequest);
  const { MODE: mode, OAUTH_SCOPES: scopes } = services.env;
  return {
    advice,
    chosen,
    dismissed: unavailable.dismissed,
    notOffered: unavailable.notOffered.map(({ reasons }) => reasons.map(({ text }) => text).join(' ')),
    unknown: ids.length - chosen.length - unavailable.dismissed - unavailable.notOffered.length,
    // Security saves nothing, so that no number is missing.
    isSecurity: listed.every(({ id, certainty }) => !chosen.includes(id) || certainty === 'risk'),
    patch,
    // null where nobody could say.
    mayOpen: me?.ok ? me.data.features.includes('ciAdvisorPullRequest') : null,
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

type Patch = Extract<PanelsOf<{ patch: typeof getRecommendedPatch }>['patch'], { ok: true }>['data'];

/** What a pull request with the chosen changes would be, before anything is written. */
export default function PullRequestPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { advice, chosen, patch, isTracked } = loaderData;
  const opened = actionData?.done?.result as Opened | undefined;
  return (
    <RepositoryPage
      repository={params}
      tab="Advisor"
      title="Pull request"
      description="The change of workflow files as a pull request, before anything is written."
      isTracked={isTracked}
      panels={{ advice }}
    >
      {opened ? <Outcome opened={opened} /> : null}
      <Panel title="Chosen changes" result={advice}>
        {({ recommendations }) => (
          <>
            <Unavailable {...loaderData} />
            <RecommendationTable
              caption="Recommendations"
              rows={recommendations.filter(({ state }) => state !== 'dismissed')}
              ticked={chosen}
            />
            <PreviewForm params={params} submit="Update preview" />
          </>
        )}
      </Panel>
      {patch === null ? (
        <Notice>{chosen.length === 0 ? 'Choose at least one change.' : `Choose at most ${maxChosen} changes.`}</Notice>
      ) : (
        <Panel title="Preview" result={patch}>
          {(shown) => <Preview patch={shown} isSecurity={loaderData.isSecurity} />}
        </Panel>
      )}
      {patch?.ok && !opened ? (
        <Section title="Open">
          <Opening patch={patch.data} loaderData={loaderData} actionData={actionData} params={params} />
        </Section>
      ) : null}
    </RepositoryPage>
  );
}

type UnavailableProps = Pick<Route.ComponentProps['loaderData'], 'dismissed' | 'notOffered' | 'unknown'>;

/** Which of the chosen changes no pull request is made of, and why. */
function Unavailable({ dismissed, notOffered, unknown }: UnavailableProps) {
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

type OpeningProps = { patch: Patch } & Pick<Route.ComponentProps, 'loaderData' | 'actionData' | 'params'>;

function Opening({ patch, loaderData: { mayOpen, isOff, key }, actionData, params: { owner, repo } }: OpeningProps) {
  const { base } = usePageContext();
  const query = new URLSearchParams({ owner, repo, ids: patch.ids.join(), format: 'patch' });
  const download = <a href={`${base}/api/advisor/patch?${query}`}>Download patch</a>;
  if (base !== '')
    return (
      <p>
        <button type="button" disabled>
          Open pull request
        </button>{' '}
        Not in the sample. {download}
      </p>
    );
  if (!mayOpen)
    return (
      <>
        <Notice>
          {mayOpen === null
            ? 'Whether you may open pull requests could not be read. Reload the page.'
            : 'Your groups are not allowed to open pull requests.'}
        </Notice>
        <p>{download}</p>
      </>
    );
  if (patch.pull_request.is_off)
    return (
      <>
        <Notice title="Off.">Pull requests are not opened from here: an administrator turned them off.</Notice>
        <p>{download}</p>
      </>
    );
  if (isOff)
    return (
      <>
        <Notice title="Off.">
          People sign in without the scope workflow, which a change of workflow files needs. Whoever operates this
          service can add it to OAUTH_SCOPES.
        </Notice>
        <p>{download}</p>
      </>
    );
  const rejected = actionData?.rejected ?? null;
  return (
    <>
      {rejected?.problem.code === 'missing_permission' ? (
        <MissingPermission
          {...rejected.problem.details}
          here={`/repos/${owner}/${repo}/advisor/pull-request?ids=${patch.ids.join()}`}
        />
      ) : null}
      <OpenForm patch={patch} submitted={rejected} newKey={key} download={download} />
    </>
  );
}
