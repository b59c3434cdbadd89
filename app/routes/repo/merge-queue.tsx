import { useLocation } from 'react-router';
import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getMergeQueue } from '../../../server/reports/merge-queue/operations.ts';
import { Link } from '../../charts/link.tsx';
import { withChoices } from '../../components/choices.ts';
import { Empty, Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import type { Route } from './+types/merge-queue';
import { QueueCards } from './merge-queue-cards.tsx';
import { QueueCharts } from './merge-queue-charts.tsx';
import {
  batchesHref,
  entriesHref,
  getQueueRange,
  type MergeQueue,
  type QueueAnswer,
  queueDays,
  queueFeature,
} from './merge-queue-labels.ts';
import { DecidingChecks, EjectingChecks, QueueEntries } from './merge-queue-tables.tsx';
import type { RepositoryPath } from './panels.ts';
import { RepositoryPage } from './repository-page.tsx';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const days = queueDays(pageRequest.context.url.searchParams);
  const { panels } = await deferPanels({ ...pageRequest, extra: { days } }, { queue: getMergeQueue });
  assertFound(panels);
  return { panels, isTracked: await hasTracker(pageRequest) };
};

/** What waits in the merge queue of a branch, and how the queue fared. */
export default function MergeQueuePage({ loaderData: { panels, isTracked }, params }: Route.ComponentProps) {
  return (
    <RepositoryPage
      repository={params}
      tab="Pull requests"
      title="Merge queue"
      description={`Merge queue of ${params.owner}/${params.repo}: entries, times, ejections and checks.`}
      isTracked={isTracked}
      panels={panels}
    >
      <WhenReady
        data={panels}
        fallback={
          <>
            <Bar data={null} />
            <LoadingPanels titles={['In queue', 'Figures']} />
          </>
        }
      >
        {({ queue }) => (
          <>
            <Bar data={queue.ok ? queue.data : null} />
            <QueuePanels result={queue} repository={params} />
          </>
        )}
      </WhenReady>
    </RepositoryPage>
  );
}

interface Props {
  result: QueueAnswer;
  repository: RepositoryPath;
}

function QueuePanels({ result, repository }: Props) {
  if (result.ok && !result.data.used)
    return (
      <Section title="In queue">
        <NoQueue data={result.data} />
      </Section>
    );
  return (
    <>
      <Panel
        title="In queue"
        result={result}
        feature={queueFeature}
        whenPartial="Not everything could be read: counts are minimums, and positions may be missing."
      >
        {(data) => <QueueEntries data={data} repository={repository} />}
      </Panel>
      {result.ok ? <Figures data={result.data} repository={repository} /> : null}
    </>
  );
}

const mainFigures = [
  'queue_length',
  'queue_time_p50',
  'ejection_rate',
  'flaky_ejection_share',
  'queue_ci_minutes_per_merge',
] as const;
const otherFigures = [
  'queue_total_p50',
  'checks_time_p50',
  'attempts_per_merge',
  'innocent_rebuilds',
  'throughput_per_hour',
  'bypass_share',
  'queue_to_production_p50',
  'train_wait_p50',
  'batches_per_train',
] as const;

function Figures({ data, repository }: { data: MergeQueue; repository: RepositoryPath }) {
  const { base } = usePageContext();
  return (
    <>
      <Section
        title="Figures"
        id="figures"
        aside={
          <span>
            <Link href={entriesHref(base, repository, data)}>Entries</Link> ·{' '}
            <Link href={batchesHref(base, repository, data)}>Batches</Link>
          </span>
        }
      >
        <Unread data={data} />
        <QueueCards data={data} repository={repository} only={mainFigures} />
        <details>
          <summary>More figures</summary>
          <QueueCards data={data} repository={repository} only={otherFigures} />
        </details>
      </Section>
      <Section title="Trend">
        <QueueCharts data={data} repository={repository} />
      </Section>
      <Section title="Checks">
        <DecidingChecks data={data} />
        <EjectingChecks data={data} repository={repository} />
      </Section>
    </>
  );
}

/** The branch can be chosen once it is known which have a queue. */
function Bar({ data }: { data: MergeQueue | null }) {
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const branches = (data?.branches ?? []).map((value) => ({ value, label: value }));
  const branch = {
    kind: 'menu',
    name: 'branch',
    label: 'Branch',
    value: data?.branch ?? null,
    options: branches,
  } as const;
  return (
    <PeriodBar
      search={search}
      filters={branches.length > 1 ? [getQueueRange(query), branch] : [getQueueRange(query)]}
      window={{ range: queueDays(query), compared: 'Compared with the previous period' }}
    />
  );
}

/** Which facts the figures lack. */
function Unread({ data: { pull_requests_unread: unread, runs_stored: hasRuns } }: { data: MergeQueue }) {
  if (unread === 0 && hasRuns) return null;
  return (
    <Notice tone="partial">
      {unread > 0
        ? `${unread} pull requests of this window were read before merge queues were, and are in no figure. `
        : ''}
      {hasRuns ? '' : 'No runs for merge groups are stored: sync the repository for figures of checks and CI minutes.'}
    </Notice>
  );
}

/** Without a queue: how to have one, and what this page would then answer. */
function NoQueue({ data: { supported, branch, branches, now } }: { data: MergeQueue }) {
  const { search } = useLocation();
  if (!supported)
    return <Empty cause="This GitHub server knows no merge queues: they came with GitHub Enterprise Server 3.12." />;
  if (now === null) return <Empty cause="Whether this repository has a merge queue could not be read just now." />;
  const [other] = branches;
  if (other)
    return (
      <Empty
        cause={`${branch} has no merge queue.`}
        next={{ label: `Merge queue of ${other}`, href: withChoices(search, { branch: other }) }}
      />
    );
  return (
    <Empty
      cause={`This repository has no merge queue. It can be switched on in the branch rules of ${branch ?? 'the default branch'}; then this page shows what waits, how long merges take, what is ejected and why, and which checks decide the pace.`}
    />
  );
}
