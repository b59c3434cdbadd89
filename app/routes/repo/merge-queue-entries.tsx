import { count, figures } from '../../../server/domain/quantity.ts';
import { reasonLabels } from '../../../server/domain/queue-reasons.ts';
import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getQueueEntries } from '../../../server/reports/merge-queue/operations.ts';
import { Link, NextAction } from '../../charts/link.tsx';
import { withChoices } from '../../components/choices.ts';
import { Moment } from '../../components/moment.tsx';
import { NewestFirstPager } from '../../components/newest-first-pager.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import type { Route } from './+types/merge-queue-entries';
import { QueueStays } from './merge-queue-entries-table.tsx';
import {
  getQueueRange,
  outcomeLabels,
  type QueueEntriesData,
  queueDays,
  queueFeature,
  rowsOfPage,
} from './merge-queue-labels.ts';
import type { RepositoryPath } from './panels.ts';
import { RepositoryPage } from './repository-page.tsx';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const days = query.has('from') ? undefined : queueDays(query);
  const { panels } = await deferPanels(
    { ...pageRequest, extra: { days, limit: rowsOfPage } },
    { entries: getQueueEntries },
  );
  assertFound(panels);
  return { panels, isTracked: await hasTracker(pageRequest) };
};

/** The entries of a merge queue that its figures count. */
export default function QueueEntriesPage({ loaderData: { panels, isTracked }, params }: Route.ComponentProps) {
  const { base } = usePageContext();
  const queue = `${base}/repos/${params.owner}/${params.repo}/merge-queue`;
  return (
    <RepositoryPage
      repository={params}
      tab="Pull requests"
      title="Merge queue entries"
      description={`Entries of the merge queue of ${params.owner}/${params.repo}: when each entered and left, and why.`}
      isTracked={isTracked}
      panels={panels}
    >
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Entries']} />}>
        {({ entries }) => (
          <>
            <Bar data={entries.ok ? entries.data : null} />
            <Panel
              title="Entries"
              result={entries}
              feature={queueFeature}
              aside={<Aside queueHref={queue} />}
              whenPartial="Not everything could be read: entries may be missing."
            >
              {(data) => <Entries data={data} repository={params} />}
            </Panel>
          </>
        )}
      </WhenReady>
    </RepositoryPage>
  );
}

/** Whether the table has a column for everything that is known of an entry. */
const isWide = (choices: URLSearchParams) => choices.get('columns') === 'all';

function Aside({ queueHref }: { queueHref: string }) {
  const search = useSearch();
  const isAll = isWide(new URLSearchParams(search));
  return (
    <span>
      <Link href={withChoices(search, { columns: isAll ? null : 'all' })}>
        {isAll ? 'Fewer columns' : 'All columns'}
      </Link>
      <NextAction href={queueHref}>Merge queue</NextAction>
    </span>
  );
}

interface Props {
  data: QueueEntriesData;
  repository: RepositoryPath;
}

function Entries({ data, repository }: Props) {
  const { base } = usePageContext();
  const search = useSearch();
  const { total, window, branch, next_cursor: cursor, pull_requests_unread: unread } = data;
  const choices = new URLSearchParams(search);
  const csv = new URLSearchParams({ ...repository, limit: '1000', format: 'csv', csv_pages: 'all' });
  if (!choices.has('from')) csv.set('days', queueDays(choices));
  for (const name of filterNames) {
    const value = choices.get(name);
    if (value) csv.set(name, value);
  }
  return (
    <>
      {unread > 0 ? (
        <Notice tone="partial">
          {count(unread, 'pull request')} of this window {unread === 1 ? 'was' : 'were'} read before merge queues were;
          their entries are missing.
        </Notice>
      ) : null}
      <p className="prose">
        {count(total, 'entry', 'entries')} of {branch ?? 'the branch'}
        {choices.has('to') ? (
          <>
            {choices.get('outcome') ? ', left from ' : ', in the queue or left from '}
            <Moment at={window.from} as="date" /> to <Moment at={window.to} as="date" />
          </>
        ) : null}
        .
      </p>
      <QueueStays data={data} isWide={isWide(choices)} csvHref={`${base}/api/codehost/merge-queue/entries?${csv}`} />
      <NewestFirstPager
        noun="entries"
        param="cursor"
        next={cursor}
        shown={`${figures(data.entries.length)} of ${count(total, 'entry', 'entries')}`}
      />
    </>
  );
}

function Bar({ data }: { data: QueueEntriesData | null }) {
  const search = useSearch();
  const choices = new URLSearchParams(search);
  return (
    <PeriodBar
      search={withChoices(search, { cursor: null })}
      filters={filters(choices, data)}
      window={{ range: queueDays(choices), compared: null }}
    />
  );
}

const filterNames = ['branch', 'from', 'to', 'outcome', 'reason', 'check', 'number'];

function filters(choices: URLSearchParams, data: QueueEntriesData | null) {
  const branches = data?.branches ?? [];
  const chosen = (name: string) => choices.get(name) ?? '';
  const toOptions = (labels: Record<string, string>, all = 'All') => [
    { value: '', label: all },
    ...Object.entries(labels).map(([value, label]) => ({ value, label })),
  ];
  const check = chosen('check');
  return [
    getQueueRange(choices),
    {
      kind: 'menu' as const,
      name: 'outcome',
      label: 'Outcome',
      value: chosen('outcome'),
      options: toOptions(outcomeLabels, 'All outcomes'),
    },
    {
      kind: 'menu' as const,
      name: 'reason',
      label: 'Reason',
      value: chosen('reason'),
      options: toOptions(reasonLabels, 'All reasons'),
    },
    ...(branches.length > 1
      ? [
          {
            kind: 'menu' as const,
            name: 'branch',
            label: 'Branch',
            value: data?.branch ?? null,
            options: branches.map((value) => ({ value, label: value })),
          },
        ]
      : []),
    ...(check
      ? [
          {
            kind: 'menu' as const,
            name: 'check',
            label: 'Failed check',
            value: check,
            options: toOptions({ [check]: check }, 'All checks'),
          },
        ]
      : []),
    { kind: 'search' as const, name: 'number', label: 'Pull request', value: chosen('number') },
  ];
}
