import { count, figures } from '../../../server/domain/quantity.ts';
import { loadPanels } from '../../../server/http/adapters.ts';
import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getActions, getRefHistory } from '../../../server/reports/exposure/operations.ts';
import { withChoices } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { Moment } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { crumbs, useOrganizationCrumb } from '../links.ts';
import type { Route } from './+types/actions';
import { type Answers, type Inventory, pinLabels } from './action-labels.tsx';
import { ActionsTable } from './actions-table.tsx';
import { RefHistoryPanel } from './ref-history.tsx';
import { useOrganizationTabs } from './tabs.ts';
import { UnknownUses } from './unknown-uses.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const isChosen = query.has('name') && query.has('ref');
  const [answers, chosen] = await Promise.all([
    deferPanels({ ...pageRequest, extra: { limit: '1000' } }, { actions: getActions }),
    isChosen ? loadPanels({ ...pageRequest, isOptional: true }, { history: getRefHistory }) : null,
  ]);
  assertFound(answers.panels);
  return { panels: answers.panels, history: chosen?.history ?? null };
};

/** What the workflows of an organization run that others write, and what of it has moved. */
export default function ActionsPage({ loaderData: { panels, history }, params: { org } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const search = useSearch();
  return (
    <Page
      title="Actions in use"
      description={`Actions and reusable workflows that workflow files of ${org} use.`}
      breadcrumbs={crumbs(base, ...useOrganizationCrumb(org))}
      tabs={useOrganizationTabs(org, 'Actions')}
    >
      <PeriodBar search={search} fixed={['Moves of the last 90 days', 'Default branch']} window={movesWindow} />
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Pinning and moves', 'Actions']} />}>
        {({ actions }) => (
          <>
            <AnswerPanel result={actions} />
            {history ? <RefHistoryPanel result={history} org={org} /> : null}
            <ActionsPanel result={actions} />
            {actions.ok && actions.data.unknown.length > 0 ? <UnknownUses data={actions.data} /> : null}
          </>
        )}
      </WhenReady>
    </Page>
  );
}

const movesWindow = { range: '90', shown: '90 days', because: 'moves are of 90 days' };

function AnswerPanel({ result }: { result: Answers['actions'] }) {
  return (
    <Panel
      title="Pinning and moves"
      result={result}
      feature={{ label: 'Actions in use', shows: 'which actions workflows use, and where their tags have moved' }}
    >
      {(data) => (data.totals.refs === 0 ? <NothingYet data={data} /> : <Answer data={data} />)}
    </Panel>
  );
}

function Answer({ data }: { data: Inventory }) {
  const search = useSearch();
  const { totals, ledger, repositories } = data;
  return (
    <>
      <MetricCards>
        <MetricCard
          label="Pinned"
          value={{ value: totals.share_pinned_pct, unit: 'percent', sample: totals.uses, source: 'uses' }}
          evidenceHref={`${withChoices(search, { pin: null })}#actions`}
        />
        <MetricCard
          label="Third-party refs not pinned"
          value={{ value: totals.third_party_unpinned, unit: 'count' }}
          evidenceHref={`${withChoices(search, { pin: null })}#actions`}
        />
        <MetricCard label="Tags moved" value={{ value: totals.moves_90d, unit: 'count', reason: whyNoMoves(ledger) }} />
        <MetricCard
          label="Alarming moves"
          value={{ value: totals.alarming_90d, unit: 'count', reason: whyNoMoves(ledger) }}
          beside={totals.not_compared_90d > 0 ? `${figures(totals.not_compared_90d)} not compared yet` : undefined}
        />
        <MetricCard
          label="Open advisories"
          value={{
            value: totals.advisories,
            unit: 'count',
            reason: 'Advisories, or the versions in use, were not read in the last 26 hours.',
          }}
        />
      </MetricCards>
      <p className="prose">
        <Since ledger={ledger} /> {describeRead(repositories)}
        {ledger.unreadable > 0 ? ` ${count(ledger.unreadable, 'ref')} could not be read.` : ''}
      </p>
      <details className="source">
        <summary>How to read this</summary>
        <p>
          Pinned: to a commit SHA, an image digest or an immutable release. Alarming: a tag or branch was force-moved, a
          full version tag moved, the name passed to another repository, or the commit is on no branch. Tags and
          branches are checked once a night at 05:17 UTC; a move and its return between two checks are not seen. What
          composite actions and called workflows use in turn is included. Open advisories affect the version that is
          used: the one that the ref names, else the highest tag on its commit.
        </p>
      </details>
    </>
  );
}

/** Which repositories and files are not in the figures; nothing where all are. */
function describeRead({ read, visible, unread_files: unread }: Inventory['repositories']): string {
  if (read === visible && unread === 0) return '';
  const files = unread > 0 ? `, ${count(unread, 'workflow file')} could not be` : '';
  return `${count(read, 'repository', 'repositories')} of ${figures(visible)} read${files}.`;
}

/** Why there is no figure of moves: what was not checked may have moved. */
function whyNoMoves({ started_at: startedAt, unreadable }: Inventory['ledger']): string {
  if (startedAt !== null) return 'Not every ref was checked in the last 26 hours.';
  return unreadable > 0 ? 'No ref could be read.' : 'Tags were not checked yet.';
}

/** From when on moves are known: nobody else remembers them. */
function Since({ ledger }: Pick<Inventory, 'ledger'>) {
  if (ledger.started_at === null) return <>Tags and branches are checked every night, first tonight.</>;
  return (
    <>
      Moves are known since <Moment at={ledger.started_at} as="date" />
      {ledger.complete_at ? (
        <>
          , last checked <Moment at={ledger.complete_at} />
        </>
      ) : null}
      .
    </>
  );
}

function NothingYet({ data: { repositories } }: { data: Inventory }) {
  const { hostName } = usePageContext();
  if (repositories.unread_files > 0)
    return (
      <Empty
        cause={`${count(repositories.unread_files, 'workflow file')} could not be read; the others use no actions of others.`}
      />
    );
  if (repositories.read > 0)
    return <Empty cause="Workflow files of the repositories that were read use no actions of others." />;
  return (
    <Empty
      cause={`Workflow files are read every night at 05:17 UTC, of repositories that were synced. From then on this page shows what they use, and where each tag pointed on which day: ${hostName} itself does not keep that.`}
    />
  );
}

function ActionsPanel({ result }: { result: Answers['actions'] }) {
  const { base } = usePageContext();
  const search = useSearch();
  if (!result.ok || result.data.totals.refs === 0) return null;
  const query = new URLSearchParams(search);
  const choices = ['kind', 'pin', 'q'].flatMap((name): [string, string][] => {
    const value = query.get(name);
    return value ? [[name, value]] : [];
  });
  const csv = new URLSearchParams([
    ['org', result.data.org],
    ['limit', '1000'],
    ...choices,
    ['format', 'csv'],
    ['csv_pages', 'all'],
  ]);
  return (
    <Panel title="Actions" id="actions" result={{ ok: true, data: result.data }}>
      {(data) => (
        <>
          <FilterBar search={search} filters={filters(query)} />
          <ActionsTable data={data} search={search} csvHref={`${base}/api/exposure/actions?${csv}`} />
        </>
      )}
    </Panel>
  );
}

function filters(query: URLSearchParams) {
  const pins = Object.entries(pinLabels).map(([value, { word }]) => ({ value, label: word }));
  return [
    {
      kind: 'menu' as const,
      name: 'pin',
      label: 'Pin',
      value: query.get('pin') ?? '',
      options: [{ value: '', label: 'All pins' }, ...pins],
    },
    { kind: 'search' as const, name: 'q', label: 'Name', value: query.get('q') ?? '' },
  ];
}
