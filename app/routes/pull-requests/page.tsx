import { useLocation } from 'react-router';
import type { z } from 'zod';
import { deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getScopePullRequests } from '../../../server/reports/scope-pull-requests/operations.ts';
import { getBotFilter, timesOfPeople } from '../../components/bot-choice.ts';
import { Moment } from '../../components/moment.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Columns, Section } from '../../components/panel.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { sectionCrumbs } from '../links.ts';
import { redirectToRepository } from '../moved-scope.ts';
import { ScopeBar } from '../scope-bar.tsx';
import { ScopeCoverage } from '../scope-coverage.tsx';
import { ScopeFigures } from '../scope-figures.tsx';
import { scopeLists } from '../scope-lists.ts';
import type { Route } from './+types/page';
import { Answer } from './answer.tsx';
import { OpenBars } from './bars.tsx';
import { Cards } from './cards.tsx';
import { RepositoryTable } from './table.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  redirectToRepository(pageRequest.context, 'pull-requests');
  const [answer, lists] = await Promise.all([
    deferPanels(pageRequest, operations),
    deferPanels({ ...pageRequest, isOptional: true }, scopeLists),
  ]);
  return { panels: answer.panels, lists: lists.panels };
};

const operations = { pullRequests: getScopePullRequests };

export type PullRequests = z.output<(typeof getScopePullRequests)['output']>;

/** Pull requests of every repository of the scope: what is open, who waits longest, how fast they are merged. */
export default function PullRequestsPage({ loaderData: { panels, lists } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const org = new URLSearchParams(search).get('org');
  return (
    <Page
      title={org ? `Pull requests of ${org}` : 'Pull requests'}
      description="Open pull requests, the longest wait for a review and time to merge, by repository."
      lead={
        <WhenReady data={panels} fallback={<span className="muted">Loading</span>}>
          {({ pullRequests }) => (pullRequests.ok ? <Answer data={pullRequests.data} /> : null)}
        </WhenReady>
      }
      breadcrumbs={sectionCrumbs('Pull requests', `${base}/pull-requests`, org)}
    >
      <ScopeBar search={search} lists={lists} others={[getBotFilter(search)]} fixed={[timesOfPeople]} />
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Totals', 'Repositories']} />}>
        {({ pullRequests }) => (
          <ScopeFigures result={pullRequests} feature={feature} lists={lists}>
            {(data) => <Figures data={data} search={search} />}
          </ScopeFigures>
        )}
      </WhenReady>
    </Page>
  );
}

const feature = { label: 'Pull request life cycle', shows: 'open pull requests and how they were merged' };

function Figures({ data, search }: { data: PullRequests; search: string }) {
  return (
    <>
      <ScopeCoverage data={data} covered={{ Open: data.open_pull_requests, Merged: data.merged_pull_requests }}>
        {data.open_as_of === null ? null : (
          <p>
            Open pull requests are read every night, and shown as of <Moment at={data.open_as_of} />.
          </p>
        )}
      </ScopeCoverage>
      <Columns>
        <Section title="Totals">
          <Cards data={data} />
        </Section>
        <OpenBars data={data} />
      </Columns>
      <Section title="Repositories" id="repositories">
        <RepositoryTable data={data} search={search} />
      </Section>
    </>
  );
}
