import { count, figures } from '../../../server/domain/quantity.ts';
import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getQueueBatches } from '../../../server/reports/merge-queue/operations.ts';
import { Link } from '../../charts/link.tsx';
import { withChoices } from '../../components/choices.ts';
import { Moment } from '../../components/moment.tsx';
import { NewestFirstPager } from '../../components/newest-first-pager.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import type { Route } from './+types/merge-queue-batches';
import { QueueBatchesTable } from './merge-queue-batches-table.tsx';
import { getQueueRange, type QueueBatchesData, queueDays, queueFeature, rowsOfPage } from './merge-queue-labels.ts';
import type { RepositoryPath } from './panels.ts';
import { RepositoryPage } from './repository-page.tsx';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const days = query.has('from') ? undefined : queueDays(query);
  const { panels } = await deferPanels(
    { ...pageRequest, extra: { days, limit: rowsOfPage } },
    { batches: getQueueBatches },
  );
  assertFound(panels);
  return { panels, isTracked: await hasTracker(pageRequest) };
};

/** What a merge queue merged in one push each, and by which deployment that reached production. */
export default function QueueBatchesPage({ loaderData: { panels, isTracked }, params }: Route.ComponentProps) {
  const { base } = usePageContext();
  const queue = `${base}/repos/${params.owner}/${params.repo}/merge-queue`;
  return (
    <RepositoryPage
      repository={params}
      tab="Pull requests"
      title="Merge queue batches"
      description={`What the merge queue of ${params.owner}/${params.repo} merged at once, and when it was deployed.`}
      isTracked={isTracked}
      panels={panels}
    >
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Batches']} />}>
        {({ batches }) => (
          <>
            <Bar data={batches.ok ? batches.data : null} />
            <Panel
              title="Batches"
              result={batches}
              feature={queueFeature}
              aside={<Link href={queue}>Merge queue</Link>}
              whenPartial="Not everything could be read: batches may be missing."
            >
              {(data) => <Batches data={data} repository={params} />}
            </Panel>
          </>
        )}
      </WhenReady>
    </RepositoryPage>
  );
}

function Batches({ data, repository }: { data: QueueBatchesData; repository: RepositoryPath }) {
  const { base } = usePageContext();
  const search = useSearch();
  const { total, window, branch, next_cursor: cursor } = data;
  const choices = new URLSearchParams(search);
  const csv = new URLSearchParams({ ...repository, limit: '1000', format: 'csv', csv_pages: 'all' });
  if (!choices.has('from')) csv.set('days', queueDays(choices));
  for (const name of ['branch', 'from', 'to', 'size']) {
    const value = choices.get(name);
    if (value) csv.set(name, value);
  }
  return (
    <>
      <p className="prose">
        {count(total, 'batch', 'batches')} of {branch ?? 'the branch'}
        {choices.has('from') ? (
          <>
            , <Moment at={window.from} as="date" /> to <Moment at={window.to} as="date" />
          </>
        ) : null}
        .
      </p>
      <QueueBatchesTable
        data={data}
        repository={repository}
        csvHref={`${base}/api/codehost/merge-queue/batches?${csv}`}
      />
      <NewestFirstPager
        noun="batches"
        param="cursor"
        next={cursor}
        shown={`${figures(data.batches.length)} of ${count(total, 'batch', 'batches')}`}
      />
    </>
  );
}

function Bar({ data }: { data: QueueBatchesData | null }) {
  const search = useSearch();
  const choices = new URLSearchParams(search);
  const branches = (data?.branches ?? []).map((value) => ({ value, label: value }));
  const branch = {
    kind: 'menu',
    name: 'branch',
    label: 'Branch',
    value: data?.branch ?? null,
    options: branches,
  } as const;
  const size = { kind: 'search', name: 'size', label: 'Pull requests', value: choices.get('size') ?? '' } as const;
  return (
    <PeriodBar
      search={withChoices(search, { cursor: null })}
      filters={branches.length > 1 ? [getQueueRange(choices), branch, size] : [getQueueRange(choices), size]}
      window={{ range: queueDays(choices), compared: null }}
    />
  );
}
