import type { z } from 'zod';
import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getScopeMergeQueues } from '../../../server/reports/scope-merge-queues/operations.ts';
import { Page } from '../../components/page.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { crumbs, useOrganizationCrumb } from '../links.ts';
import { getQueueRange, queueDays, queueFeature } from '../repo/merge-queue-labels.ts';
import { ScopeCoverage } from '../scope-coverage.tsx';
import { ScopeFigures } from '../scope-figures.tsx';
import { scopeLists } from '../scope-lists.ts';
import type { Route } from './+types/merge-queues';
import { QueuesAnswer } from './merge-queues-answer.tsx';
import { QueueTable } from './merge-queues-table.tsx';
import { useOrganizationTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const days = queueDays(pageRequest.context.url.searchParams);
  const [answer, lists] = await Promise.all([
    deferPanels({ ...pageRequest, extra: { days } }, operations),
    deferPanels({ ...pageRequest, isOptional: true }, scopeLists),
  ]);
  assertFound(answer.panels, [404]);
  return { panels: answer.panels, lists: lists.panels };
};

const operations = { queues: getScopeMergeQueues };

export type MergeQueues = z.output<(typeof getScopeMergeQueues)['output']>;

/** The merge queues of an organization side by side: what waits, and which is the slowest. */
export default function MergeQueuesPage({ loaderData: { panels, lists }, params: { org } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const search = useSearch();
  const query = new URLSearchParams(search);
  return (
    <Page
      title="Merge queues"
      description={`Merge queues of ${org}: what waits, how long merges take, what is ejected.`}
      lead={
        <WhenReady data={panels} fallback={<span className="muted">Loading</span>}>
          {({ queues }) => (queues.ok ? <QueuesAnswer data={queues.data} /> : null)}
        </WhenReady>
      }
      breadcrumbs={crumbs(base, ...useOrganizationCrumb(org))}
      tabs={useOrganizationTabs(org, 'Merge queues')}
    >
      <PeriodBar
        search={search}
        filters={[getQueueRange(query)]}
        window={{ range: queueDays(query), compared: 'Compared with the previous period' }}
      />
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Queues']} />}>
        {({ queues }) => (
          <ScopeFigures result={queues} feature={queueFeature} lists={lists}>
            {(data) => <Queues data={data} search={search} />}
          </ScopeFigures>
        )}
      </WhenReady>
    </Page>
  );
}

function Queues({ data, search }: { data: MergeQueues; search: string }) {
  return (
    <>
      <ScopeCoverage data={data} covered={{ 'Pull requests': data.covered }} labels={reasons} />
      <Section title="Queues" id="queues">
        <QueueTable data={data} search={search} />
      </Section>
    </>
  );
}

const reasons = { sub_fetch_failed: 'open ones, or what queues did with some, was not read' };
