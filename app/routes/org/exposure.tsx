import { data } from 'react-router';
import { type PanelsOf, submit } from '../../../server/http/adapters.ts';
import { deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { draftExposure, getExposure, readExposureLogs } from '../../../server/reports/exposure/operations.ts';
import { withChoices } from '../../components/choices.ts';
import { rejectedBy, type Submitted } from '../../components/form.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { allRuns } from '../../components/period-filters.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { crumbs, useOrganizationCrumb } from '../links.ts';
import type { Route } from './+types/exposure';
import { ExposureAnswer } from './exposure-answer.tsx';
import { type Draft, ExposureDraft } from './exposure-draft.tsx';
import { ExposureLogs } from './exposure-logs.tsx';
import { ExposureRuns, runsOnPage } from './exposure-runs.tsx';
import { ExposedSecrets } from './exposure-secrets.tsx';
import { ExposedRepositories, NotChecked } from './exposure-tables.tsx';
import { useOrganizationTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  if (!pageRequest.context.url.searchParams.get('name')) return { panels: null };
  return deferPanels(
    { ...pageRequest, isOptional: true, extra: { limit: String(runsOnPage) } },
    { search: getExposure },
  );
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const next = `/org/${params.org}/exposure${new URL(request.url).search}`;
  const done = await submit(pageRequest, {
    logs: { operation: readExposureLogs, next },
    draft: { operation: draftExposure },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** Whether runs of an organization used an action, workflow or image that was compromised. */
export default function ExposurePage({ loaderData: { panels }, actionData, params: { org } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const search = useSearch();
  return (
    <Page
      title="Exposure"
      description={`Whether runs in ${org} may have used an action, workflow or image that was compromised.`}
      breadcrumbs={crumbs(base, ...useOrganizationCrumb(org), { label: 'Actions', href: `${base}/org/${org}/actions` })}
      tabs={useOrganizationTabs(org, 'Actions')}
    >
      <PeriodBar
        label="What was compromised"
        search={withChoices(search, { repo: null, verdict: null, secret: null, page: null })}
        filters={toFilters(new URLSearchParams(search))}
        fixed={allRuns}
        folds={panels !== null && (panels instanceof Promise || panels.search.ok)}
      />
      <ExposureDraft
        href={`/org/${org}/exposure`}
        draft={actionData?.done?.intent === 'draft' ? (actionData.done.result as Draft) : null}
        submitted={actionData?.rejected ?? null}
      />
      {panels === null ? (
        <Empty cause="Type the name of an action to see which repositories used it. Without a tag or commit every ref counts, without dates all runs that are stored." />
      ) : (
        <WhenReady data={panels} fallback={<LoadingPanels titles={['Answer']} />}>
          {(answers) => <Found result={answers.search} submitted={rejectedBy(actionData?.rejected, 'logs') ?? null} />}
        </WhenReady>
      )}
    </Page>
  );
}

interface FoundProps {
  result: PanelsOf<{ search: typeof getExposure }>['search'];
  submitted: Submitted | null;
}

function Found({ result, submitted }: FoundProps) {
  const search = useSearch();
  return (
    <>
      <Panel
        title="Answer"
        result={result}
        feature={{ label: 'Exposure', shows: 'which runs used what was compromised' }}
        whenPartial="Not every repository is listed: more may be affected."
      >
        {(data) => <ExposureAnswer data={data} />}
      </Panel>
      {result.ok ? (
        <>
          <ExposureLogs data={result.data} question={toQuestion(new URLSearchParams(search))} submitted={submitted} />
          <ExposedRepositories data={result.data} />
          <ExposedSecrets data={result.data} />
          <ExposureRuns data={result.data} />
          <NotChecked data={result.data} />
        </>
      ) : null}
    </>
  );
}

/** Of the address what the operation takes: which runs are listed counts too. */
const toQuestion = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].filter(([name, value]) => questionFields.has(name) && value !== ''));

const questionFields = new Set([
  'name',
  'kind',
  'ref',
  'sha',
  'digest',
  'range',
  'from',
  'to',
  'repo',
  'verdict',
  'secret',
]);

function toFilters(query: URLSearchParams) {
  const field = (name: string, label: string, placeholder: string) => ({
    kind: 'text' as const,
    name,
    label,
    value: query.get(name) ?? '',
    placeholder,
  });
  return [
    field('name', 'Actions, workflows or images', 'owner/repo, owner/repo@v4*'),
    {
      kind: 'select' as const,
      name: 'kind',
      label: 'Kind',
      value: query.get('kind') ?? '',
      options: [
        { value: '', label: 'Action or workflow' },
        { value: 'action', label: 'Action' },
        { value: 'reusable_workflow', label: 'Reusable workflow' },
        { value: 'image', label: 'Container image' },
      ],
    },
    field('ref', 'Tags or branches', 'v4*'),
    field('sha', 'Commits', '40 characters each'),
    field('range', 'Versions', '>= 4.0.0, < 4.3.5'),
    field('from', 'From (UTC)', '2026-03-14T17:02Z'),
    field('to', 'To (UTC)', '2026-03-15'),
  ];
}
