import { useLocation } from 'react-router';
import { assertFound, deferPanels, deferStoredPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getDelivery } from '../../../server/reports/delivery/operations.ts';
import { getMergeQueue } from '../../../server/reports/merge-queue/operations.ts';
import { getOpenPullRequests } from '../../../server/reports/pull-requests/operations.ts';
import { ActionLink } from '../../charts/link.tsx';
import { getBotFilter, requestedBots, timesOfPeople } from '../../components/bot-choice.ts';
import { FactsAsOf } from '../../components/data-coverage-link.tsx';
import { Empty } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { UnlessSaid } from '../../components/unless-said.tsx';
import type { Route } from './+types/pull-requests';
import { DeliveryCharts } from './delivery-charts.tsx';
import { QueuePanel } from './merge-queue-panel.tsx';
import { OpenPullRequestTable, StateDefinitions } from './open-pull-request-table.tsx';
import {
  describeNoneOpen,
  incomplete,
  pullRequestFeature,
  type RepositoryPanels,
  type RepositoryPath,
} from './panels.ts';
import { RepositoryPage } from './repository-page.tsx';
import { Ages, ReviewCards, Rounds } from './reviews.tsx';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const [open, delivery, queue] = await Promise.all([
    deferStoredPanels(pageRequest, { openPullRequests: getOpenPullRequests }),
    deferStoredPanels(pageRequest, { delivery: getDelivery }),
    deferPanels({ ...pageRequest, isOptional: true }, { queue: getMergeQueue }),
  ]);
  assertFound(open.panels);
  const isTracked = await hasTracker(pageRequest);
  return { open: open.panels, delivery: delivery.panels, queue: queue.panels, isTracked };
};

/** The open pull requests of a repository, how reviews go, and where the time of merged ones went. */
export default function PullRequestsPage({ loaderData, params }: Route.ComponentProps) {
  const { search } = useLocation();
  const { open, delivery, queue, isTracked } = loaderData;
  const bots = requestedBots(search);
  const { base, pages } = usePageContext();
  const hasQueuePage = pages.includes('repos/:owner/:repo/merge-queue');
  return (
    <RepositoryPage
      repository={params}
      tab="Pull requests"
      description={`Open pull requests, reviews and cycle time of ${params.owner}/${params.repo}.`}
      isTracked={isTracked}
      actions={
        hasQueuePage ? (
          <ActionLink href={`${base}/repos/${params.owner}/${params.repo}/merge-queue`}>Merge queue</ActionLink>
        ) : null
      }
    >
      <PeriodBar
        search={search}
        filters={[getBotFilter(search)]}
        fixed={['Merged: 90 days', timesOfPeople, ...(bots ? ['Weekly merges include bots'] : [])]}
        window={{ range: '90', shown: '90 days', because: 'weeks need 90 days' }}
      />
      <WhenReady data={open} fallback={<LoadingPanels titles={['Open']} />}>
        {({ openPullRequests }) => <OpenPanel result={openPullRequests} repository={params} />}
      </WhenReady>
      <WhenReady data={queue} fallback={null}>
        {({ queue: result }) => <QueuePanel result={result} repository={params} />}
      </WhenReady>
      <WhenReady data={delivery} fallback={<LoadingPanels titles={['Merged pull requests']} />}>
        {({ delivery: merged }) => (
          <UnlessSaid result={merged} first={open} select={(known) => known.openPullRequests}>
            <MergedPanel result={merged} repository={params} />
          </UnlessSaid>
        )}
      </WhenReady>
    </RepositoryPage>
  );
}

interface PanelProps<Name extends keyof RepositoryPanels> {
  result: RepositoryPanels[Name];
  repository: RepositoryPath;
}

function OpenPanel({ result, repository }: PanelProps<'openPullRequests'>) {
  const { search } = useLocation();
  const bots = requestedBots(search);
  return (
    <>
      <Panel
        title="Open"
        result={result}
        feature={pullRequestFeature}
        whenPartial={result.ok ? incomplete(result.data) : undefined}
      >
        {(data) => (
          <>
            <ReviewCards data={data} repository={repository} />
            {data.open_prs.length === 0 ? (
              <Empty cause={describeNoneOpen(data, bots ? ' by people' : '')} />
            ) : (
              <>
                <OpenPullRequestTable data={data} repository={repository} search={search} />
                <StateDefinitions />
                <Ages data={data} bots={bots} />
              </>
            )}
            <FactsAsOf at={data.generated_at} {...repository} />
          </>
        )}
      </Panel>
      {result.ok && result.data.closed_prs_analysed > 0 ? (
        <Section title="Reviews of merged pull requests">
          <Rounds data={result.data} bots={bots} />
        </Section>
      ) : null}
    </>
  );
}

function MergedPanel({ result, repository }: PanelProps<'delivery'>) {
  const { search } = useLocation();
  return (
    <Panel
      title="Merged pull requests"
      result={result}
      feature={{ label: 'Delivery metrics', shows: 'cycle time, throughput and sizes of pull requests' }}
      whenPartial="Not all pull requests of 90 days could be loaded: times cover those loaded. Weekly counts are exact."
    >
      {(data) => (
        <>
          <DeliveryCharts data={data} bots={requestedBots(search)} />
          <FactsAsOf at={data.generated_at} {...repository} />
        </>
      )}
    </Panel>
  );
}
