import { data } from 'react-router';
import { figures } from '../../../../server/domain/quantity.ts';
import { type PanelsOf, submit } from '../../../../server/http/adapters.ts';
import { assertFound, deferPanels } from '../../../../server/http/deferred-panels.ts';
import { readFlash } from '../../../../server/http/done.ts';
import { requestContext } from '../../../../server/http/router-context.ts';
import {
  dismissRecommendation,
  getRecommendation,
  restoreRecommendation,
} from '../../../../server/reports/advisor/operations.ts';
import { getVerdict } from '../../../../server/reports/advisor-results/operations.ts';
import { Facts } from '../../../components/facts.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Notice } from '../../../components/notice.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { Panel, Section } from '../../../components/panel.tsx';
import { LoadingPanels, WhenReady } from '../../../components/skeleton.tsx';
import { RepositoryPage } from '../repository-page.tsx';
import { hasTracker } from '../tracker.ts';
import type { Route } from './+types/recommendation';
import { Diff } from './diff.tsx';
import { DismissForm } from './dismiss-form.tsx';
import { Dismissed } from './dismissed.tsx';
import { Evidence } from './evidence.tsx';
import { Prediction } from './prediction.tsx';
import { Result } from './result.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const { panels } = await deferPanels(pageRequest, { detail: getRecommendation, verdict: getVerdict });
  // The workflow files have a finding no longer once its change was merged.
  if (!(panels instanceof Promise) && !panels.verdict.ok) assertFound({ detail: panels.detail });
  const isRestored = (await readFlash(pageRequest.context, 'done')) === 'restored';
  return { panels, isRestored, isTracked: await hasTracker(pageRequest) };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const list = `/repos/${params.owner}/${params.repo}/advisor`;
  const done = await submit(pageRequest, {
    dismiss: { operation: dismissRecommendation, next: `${list}?done=dismissed` },
    restore: { operation: restoreRecommendation, next: `${list}/${params.id}?done=restored` },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

type Answer = PanelsOf<{ detail: typeof getRecommendation }>['detail'];
type Detail = Extract<Answer, { ok: true }>['data'];

/** One recommendation: what was found, the runs that show it, and what speaks against it. */
export default function RecommendationPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { panels, isRestored, isTracked } = loaderData;
  const { base, hasDatabase } = usePageContext();
  const submitted = actionData?.rejected ?? null;
  return (
    <RepositoryPage
      repository={params}
      tab="Advisor"
      title="Recommendation"
      description="A change of a workflow file, with the runs that speak for it."
      isTracked={isTracked}
      panels={panels}
    >
      {isRestored && !submitted ? <Notice tone="done">Recommendation restored.</Notice> : null}
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Finding']} />}>
        {({ detail, verdict }) =>
          verdict.ok && isGone(detail) ? (
            <Section title={verdict.data.verdict.title}>
              <p>The workflow files no longer have this finding.</p>
              <p className="source">
                {verdict.data.verdict.workflow_path} · {verdict.data.verdict.kind}
              </p>
            </Section>
          ) : (
            <Panel title={detail.ok ? detail.data.recommendation.title : 'Finding'} result={detail}>
              {(data) => (
                <>
                  {data.recommendation.dismissal ? (
                    <Dismissed dismissal={data.recommendation.dismissal} submitted={submitted} />
                  ) : null}
                  <Found data={data} params={params} />
                </>
              )}
            </Panel>
          )
        }
      </WhenReady>
      <WhenReady data={panels} fallback={null}>
        {({ verdict }) => (verdict.ok ? <Result data={verdict.data} /> : null)}
      </WhenReady>
      <WhenReady data={panels} fallback={null}>
        {({ detail }) =>
          detail.ok && hasPrediction(detail.data) ? (
            <Prediction {...detail.data} effect={detail.data.recommendation.effect} params={params} />
          ) : null
        }
      </WhenReady>
      <WhenReady data={panels} fallback={null}>
        {({ detail }) =>
          detail.ok && detail.data.recommendation.reasons.length === 0 ? (
            <Change data={detail.data} params={params} />
          ) : null
        }
      </WhenReady>
      <WhenReady data={panels} fallback={null}>
        {({ detail }) =>
          detail.ok && detail.data.evidence.runs.length > 0 ? <Evidence data={detail.data} params={params} /> : null
        }
      </WhenReady>
      <WhenReady data={panels} fallback={null}>
        {({ detail }) =>
          detail.ok && detail.data.recommendation.state === 'open' && base === '' && hasDatabase ? (
            <DismissForm submitted={submitted} />
          ) : null
        }
      </WhenReady>
    </RepositoryPage>
  );
}

const isGone = (detail: Answer): boolean => !detail.ok && detail.problem.code === 'not_found';

/** Security saves nothing, and what is not recommended is not predicted, except that it would save too little. */
const hasPrediction = ({ recommendation: { certainty, reasons } }: Detail) =>
  certainty !== 'risk' && reasons.every(({ code }) => code === 'below_materiality');

interface PartProps {
  data: Detail;
  params: Route.ComponentProps['params'];
}

function Found({ data: { recommendation, definition } }: PartProps) {
  const { workflow_path: path, line, html_url: url, kind, finding, risks } = recommendation;
  const where = `${path}, line ${line}`;
  return (
    <>
      {recommendation.pull_request ? (
        <PullRequest pullRequest={recommendation.pull_request} isFound={recommendation.state === 'open'} />
      ) : null}
      {recommendation.reasons.length > 0 ? (
        <Notice title="Not recommended.">{recommendation.reasons.map(({ text }) => text).join(' ')}</Notice>
      ) : null}
      <p>{finding.text}</p>
      {finding.facts.length > 0 ? (
        <Facts
          facts={finding.facts.map(({ label, value, unit }) => ({ label, value: unit ? `${value} ${unit}` : value }))}
        />
      ) : null}
      {risks.map(({ text, count, of }) => (
        <p key={text}>
          <strong>
            {figures(count)} of {figures(of)}
          </strong>{' '}
          {text}
        </p>
      ))}
      <p className="source">
        {url === null ? where : <a href={url}>{where}</a>} · {kind} · {definition}
      </p>
    </>
  );
}

interface PullRequestProps {
  pullRequest: NonNullable<Detail['recommendation']['pull_request']>;
  /** Whether the finding is one that can be acted on again. */
  isFound: boolean;
}

/** What became of the pull request with the change. */
function PullRequest({ pullRequest, isFound }: PullRequestProps) {
  const { html_url: url, number, state, opened_at: openedAt, merged_at: mergedAt } = pullRequest;
  return (
    <p>
      <a href={url}>Pull request #{number}</a> opened on <Moment at={openedAt} as="date" />
      {mergedAt ? (
        <>
          , merged on <Moment at={mergedAt} as="date" />
          {isFound ? '; found again since' : ''}
        </>
      ) : null}
      {state === 'closed' ? ', closed without a merge' : ''}.
    </p>
  );
}

/** What to change, as a diff; `git apply` takes the file. */
function Change({ data: { diff, refused, recommendation }, params: { owner, repo, id } }: PartProps) {
  const { base } = usePageContext();
  const query = new URLSearchParams({ owner, repo, ids: id, format: 'patch' });
  return (
    <Section title="Change">
      {diff === null ? (
        <Notice title="No patch.">{refused ?? `Change ${recommendation.workflow_path} by hand.`}</Notice>
      ) : (
        <>
          <Diff text={diff} />
          <p>
            <a href={`${base}/repos/${owner}/${repo}/advisor/pull-request?ids=${id}`}>Preview pull request</a> ·{' '}
            <a href={`${base}/api/advisor/patch?${query}`}>Download patch</a>
          </p>
        </>
      )}
    </Section>
  );
}
