import { data, useLocation } from 'react-router';
import { windowDaysOf } from '../../../server/api/settings/advisor.ts';
import { count, figures } from '../../../server/domain/quantity.ts';
import { type PanelsOf, submit } from '../../../server/http/adapters.ts';
import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getRecommendations, restoreRecommendation } from '../../../server/reports/advisor/operations.ts';
import { getResults } from '../../../server/reports/advisor-results/operations.ts';
import { Moment } from '../../components/moment.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { AdviceBar } from '../advice-bar.tsx';
import type { Route } from './+types/advisor';
import { DismissedTable } from './advisor/dismissed-table.tsx';
import { formatAmounts, formatShare } from './advisor/predicted.tsx';
import { PreviewForm } from './advisor/preview-form.tsx';
import { RecommendationTable } from './advisor/recommendation-table.tsx';
import { ResultsTable } from './advisor/results.tsx';
import { RepositoryPage } from './repository-page.tsx';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const listed = { ...pageRequest, extra: { state: 'all' } };
  const { panels } = await deferPanels(listed, { advice: getRecommendations, results: getResults });
  assertFound(panels);
  const done = await readFlash(pageRequest.context, 'done');
  const days = await windowDaysOf(pageRequest.context);
  return { panels, done, days, isTracked: await hasTracker(pageRequest) };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const next = `/repos/${params.owner}/${params.repo}/advisor?done=restored`;
  const done = await submit(pageRequest, { restore: { operation: restoreRecommendation, next } });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

const doneTexts: Record<string, string> = {
  dismissed: 'Recommendation dismissed.',
  restored: 'Recommendation restored.',
};

type Answers = PanelsOf<{ advice: typeof getRecommendations; results: typeof getResults }>;
type Advice = Extract<Answers['advice'], { ok: true }>['data'];

const feature = { label: 'CI recommendations', shows: 'what could be changed in workflow files' };

/** What could be changed in the workflow files of a repository, with the runs that show it. */
export default function AdvisorPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { panels, done, days, isTracked } = loaderData;
  const { base } = usePageContext();
  const { search } = useLocation();
  const csvQuery = new URLSearchParams({ ...params, state: 'all', format: 'csv' });
  const rejected = actionData?.rejected ?? null;
  return (
    <RepositoryPage
      repository={params}
      tab="Advisor"
      title="Recommendations"
      description="Changes of workflow files that recorded runs speak for."
      isTracked={isTracked}
      panels={panels}
    >
      <AdviceBar search={search} days={days} />
      {rejected ? <Notice tone="problem">{rejected.problem.error}</Notice> : null}
      {done && !rejected ? <Notice tone="done">{doneTexts[done] ?? null}</Notice> : null}
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Changes', 'Security']} />}>
        {({ advice }) => (
          <Panel
            title="Changes"
            result={advice}
            feature={feature}
            whenPartial="Not every workflow file could be read: there may be more recommendations."
          >
            {(data) => (
              <Recommendations
                data={data}
                params={params}
                csvHref={`${base}/api/advisor/recommendations?${csvQuery}`}
              />
            )}
          </Panel>
        )}
      </WhenReady>
      <WhenReady data={panels} fallback={null}>
        {({ results }) =>
          results.ok && results.data.rows.length > 0 ? (
            <Panel title="Results" id="results" result={results}>
              {(data) => <ResultsTable data={data} scope={params} />}
            </Panel>
          ) : null
        }
      </WhenReady>
    </RepositoryPage>
  );
}

interface RecommendationsProps {
  data: Advice;
  params: Route.ComponentProps['params'];
  csvHref: string;
}

function Recommendations({ data, params, csvHref }: RecommendationsProps) {
  if (data.files === 0) return <Empty cause="No workflow files on the default branch." />;
  if (data.archived) return <Empty cause="The repository is archived: its workflow files cannot be changed." />;
  const isSecurity = ({ certainty }: { certainty: string }) => certainty === 'risk';
  const listed = data.recommendations.filter(({ state }) => state !== 'dismissed');
  const changes = listed.filter((one) => !isSecurity(one));
  const security = listed.filter(isSecurity);
  const open = listed.filter(({ state }) => state === 'open');
  return (
    <>
      <p>
        <Summary open={open.length} files={data.files} /> <History data={data} />
      </p>
      {data.total === null ? null : <Total total={data.total} changes={changes.length} />}
      <Calibration calibration={data.calibration} />
      <SkippedFiles files={data.skipped_files} />
      {data.history.state === 'ready' ? null : <WithoutHistory history={data.history} />}
      {changes.length > 0 ? <RecommendationTable caption="Time and minutes" rows={changes} ticked={[]} /> : null}
      {security.length > 0 ? <RecommendationTable caption="Security" rows={security} ticked={[]} /> : null}
      {listed.length > 0 ? <PreviewForm params={params} submit="Preview pull request" /> : null}
      {data.not_offered.length > 0 ? (
        <details>
          <summary>Not recommended ({figures(data.not_offered.length)})</summary>
          <RecommendationTable caption="Not recommended" rows={data.not_offered} />
        </details>
      ) : null}
      {data.dismissed > 0 ? <DismissedTable rows={data.recommendations} /> : null}
      <p className="source">
        {data.hidden_kinds.length > 0 ? 'Security changes are not shown: they need workflow security findings. ' : null}
        <a href={csvHref}>CSV</a>
      </p>
    </>
  );
}

function Summary({ open, files }: { open: number; files: number }) {
  const inFiles = `in ${count(files, 'workflow file')}`;
  if (open === 0) return <>No open recommendation {inFiles}.</>;
  return (
    <>
      {count(open, 'recommendation')} {inFiles}.
    </>
  );
}

/** What those save together that are counted: less than their sum where they concern the same runs. */
function Total({ total, changes }: { total: NonNullable<Advice['total']>; changes: number }) {
  const counted = total.recommendations;
  return (
    <>
      <p>
        {counted === changes ? 'All together' : `${figures(counted)} of ${figures(changes)} changes together`}:{' '}
        <strong>{formatShare(total)}</strong> in the repository (80 % range), {formatAmounts(total)}.
      </p>
      {total.cost_saved && total.cost_saved.high > 0 ? <p className="source">{listPrices}</p> : null}
    </>
  );
}

const listPrices = 'Costs are list prices; included minutes are not subtracted.';

/** The days whose runs were counted. */
function History({ data: { window, period_days: days, period_shortened: isShortened } }: { data: Advice }) {
  if (window === null) return null;
  return (
    <span className="muted">
      {count(window.attempts, 'run attempt')} since <Moment at={window.from} as="date" /> counted
      {window.left_out_days.length > 0 ? `, ${count(window.left_out_days.length, 'day')} excluded` : ''}.
      {isShortened ? ` The newest ${count(days, 'day')} alone: those before bring it to more than 100,000 jobs.` : ''}
    </span>
  );
}

const skipReasons = {
  binary: 'binary',
  'too large': 'too large',
  'a link': 'a link',
  invalid: 'not a valid workflow file',
};

function SkippedFiles({ files }: { files: Advice['skipped_files'] }) {
  const { hostName } = usePageContext();
  if (files.length === 0) return null;
  const reasons = { ...skipReasons, 'no answer': `not returned by ${hostName}` };
  const named = files.map(({ path, reason }) => `${path} (${reasons[reason]})`);
  return (
    <Notice tone="partial" title="Excluded:">
      {named.join(', ')}.
    </Notice>
  );
}

const neededDays = 28;

/** Whether the numbers below can be trusted: the replay of what was recorded has to give what was recorded. */
function Calibration({ calibration }: { calibration: Advice['calibration'] }) {
  const { state, minutes_recorded: recorded, minutes_replayed: replayed, failures } = calibration;
  if (state === 'none') return null;
  if (state === 'ok')
    return (
      <p className="source">
        Replay checked: {figures(recorded ?? 0)} minutes reproduced exactly, queue waits as recorded.
      </p>
    );
  return (
    <Notice tone="partial" title="Nothing is predicted.">
      The stored jobs give {figures(replayed ?? 0)} minutes, but {figures(recorded ?? 0)} were stored with them. Run{' '}
      {failures[0]?.run_id} is the first of those that differ.
    </Notice>
  );
}

function WithoutHistory({ history }: { history: Advice['history'] }) {
  return (
    <Notice tone="partial" title="No numbers yet.">
      Jobs of {figures(history.covered_days)} of {neededDays} days are stored. Until then findings are from the files
      alone.
    </Notice>
  );
}
