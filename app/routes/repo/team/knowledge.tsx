import { useLocation } from 'react-router';
import type { z } from 'zod';
import { count, figures } from '../../../../server/domain/quantity.ts';
import type { BusFactorReport } from '../../../../server/reports/bus-factor/report.ts';
import { Badge, type Status } from '../../../components/badge.tsx';
import { withChoices } from '../../../components/choices.ts';
import { FactsAsOf } from '../../../components/data-coverage-link.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Unknown } from '../../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../../components/metric-card.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Empty } from '../../../components/notice.tsx';
import { Panel, type PanelAnswer } from '../../../components/panel.tsx';
import { asGiven, orderSection } from '../../../components/row-order.ts';
import { explainHref, repositoryParams } from '../../links.ts';

type Knowledge = z.output<typeof BusFactorReport>;
type Module = Knowledge['modules'][number];

export interface KnowledgeProps {
  result: PanelAnswer<Knowledge>;
  base: string;
  /** `owner/repo` */
  repository: string;
}

/** Who wrote most of each part of a repository, and how few they are. */
export function Knowledge({ result, base, repository }: KnowledgeProps) {
  return (
    <Panel
      title="Knowledge"
      id="knowledge"
      result={result}
      feature={{ label: 'Knowledge distribution', shows: 'how many people wrote most of each part of a repository' }}
      whenPartial={result.ok ? <WhatIsMissing data={result.data} /> : null}
    >
      {(data) =>
        data.total_commits === 0 ? (
          <Empty cause={emptyReason(data)} />
        ) : (
          <>
            <Overall data={data} base={base} repository={repository} />
            <Modules data={data} base={base} repository={repository} />
            <FactsAsOf at={data.generated_at} {...repositoryParams(repository)} />
          </>
        )
      }
    </Panel>
  );
}

function emptyReason({ empty_repository, fetched_commits, excluded, window_days }: Knowledge): string {
  if (empty_repository) return 'The repository has no commits yet.';
  if (fetched_commits === 0) return `No commits on the default branch in the last ${window_days} days.`;
  return `All ${count(fetched_commits, 'commit')} of the last ${window_days} days are ${describeExcluded(excluded)}.`;
}

const describeExcluded = ({ bots, merges }: Knowledge['excluded']) =>
  [merges > 0 ? count(merges, 'merge') : '', bots ? `${count(bots, 'bot commit', 'bot commits')}` : '']
    .filter(Boolean)
    .join(' and ');

function WhatIsMissing({ data }: { data: Knowledge }) {
  const { reasons } = data.coverage;
  const { author_unread: unread } = data;
  return (
    <>
      {unread > 0
        ? `Of ${count(unread, 'commit')} it could not be read who wrote ${unread === 1 ? 'it' : 'them'}, so the bus factor is unknown, here and in the modules concerned. `
        : null}
      {reasons.includes('page_cap') ? (
        <>
          Only the newest {data.commit_cap} of {count(data.total_commits_listed, 'commit')} are counted, those since{' '}
          <Moment at={data.covers_from} as="date" />. Knowledge may be spread wider.{' '}
        </>
      ) : null}
      {reasons.includes('sub_fetch_failed') ? 'Some commits could not be loaded: counts are minimums. ' : null}
      {reasons.includes('upstream_truncated') ? `${unplaced(data)}, so module counts are minimums.` : null}
    </>
  );
}

function unplaced({ outside_commits }: Knowledge): string {
  const { length: lost } = outside_commits.filter(({ reason }) => reason !== 'many_files');
  return lost > 0
    ? `${count(lost, 'commit')}, of files moved or deleted since or of an unknown number of files, ${lost === 1 ? 'counts' : 'count'} for the repository and for no module`
    : 'Some directories could not be read, and commits in them count for the repository alone';
}

function describeLarge({ outside_commits }: Knowledge): string {
  const { length: large } = outside_commits.filter(({ reason }) => reason === 'many_files');
  if (large === 0) return '';
  return `; ${count(large, 'commit')} of more than 100 files ${large === 1 ? 'counts' : 'count'} for no module`;
}

interface Shown {
  data: Knowledge;
  base: string;
  repository: string;
}

function Overall({ data, base, repository }: Shown & {}) {
  const { owner, repo } = repositoryParams(repository);
  const besides = describeExcluded(data.excluded);
  return (
    <>
      <MetricCards>
        <MetricCard
          label="Repository bus factor"
          value={{
            value: data.overall_bus_factor,
            unit: 'count',
            sample: data.total_commits,
            source:
              data.total_contributors === null
                ? 'commits, not all of known authors'
                : `commits by ${count(data.total_contributors, 'person', 'people')}`,
          }}
          evidenceHref={explainHref(base, { metric: 'bus_factor', owner, repo })}
          note={
            <>
              since <Moment at={data.covers_from} as="date" />
              {besides ? `, without ${besides}` : ''}
              {describeLarge(data)}
            </>
          }
          computed="Fewest people who wrote at least 80 % of the commits on the default branch. Co-authors and reviews are not counted."
        />
      </MetricCards>
      <p className="prose">{describeModules(data)} Commits show recent authors, not everyone who knows the code.</p>
    </>
  );
}

function describeModules({ modules, critical_modules: critical }: Knowledge): string {
  if (modules.every(({ risk }) => risk === 'low_sample')) return 'No module has five commits yet.';
  if (critical === null) return 'Of some modules it could not be read who wrote them.';
  const few = critical === 0 ? 'In no module' : `In ${count(critical, 'module')}`;
  return `${few} with five or more commits, one person wrote 80 %.`;
}

const shownFirst = 10;

function Modules({ data, base, repository }: Shown) {
  const { search } = useLocation();
  const isAll = new URLSearchParams(search).get('modules') === 'all';
  const ordered = orderSection(data.modules, columns, asGiven, { search, section: 'knowledge' });
  const rows = isAll ? ordered.rows : ordered.rows.slice(0, shownFirst);
  const { owner, repo } = repositoryParams(repository);
  return (
    <DataTable
      caption={ordered.sortLabel ? `Modules by ${ordered.sortLabel}` : 'Modules, single-owner first'}
      columns={columns}
      rows={rows}
      sorting={ordered.sorting}
      rowKey={({ module }) => module}
      total={data.modules_total}
      noun="modules"
      allHref={rows.length < data.modules.length ? `${withChoices(search, { modules: 'all' })}#knowledge` : undefined}
      csvHref={`${base}/api/codehost/bus-factor?${new URLSearchParams({ owner, repo, format: 'csv' })}`}
      empty={{ cause: 'These commits touched no existing directory.' }}
    />
  );
}

const risks: Record<Module['risk'], [Status, string]> = {
  critical: ['fail', 'critical'],
  warning: ['warning', 'warning'],
  healthy: ['pass', 'spread'],
  low_sample: ['void', 'too few commits'],
  unknown: ['void', 'unknown'],
};

const columns: readonly Column<Module>[] = [
  {
    key: 'module',
    label: 'Module',
    heading: true,
    sort: 'asc',
    sortLabel: 'name',
    value: ({ module }) => module,
    cell: ({ module }) => <code>{module}</code>,
  },
  {
    key: 'factor',
    label: 'Authors of 80 %',
    sort: 'asc',
    sortLabel: 'bus factor',
    value: ({ bus_factor: factor }) => factor,
    explain: 'Fewest people who wrote at least 80 % of the commits, of all authors.',
    cell: ({ bus_factor, unique_contributors }) =>
      bus_factor === null || unique_contributors === null ? (
        <Unknown reason="Not every commit could be read." />
      ) : (
        `${figures(bus_factor)} of ${figures(unique_contributors)}`
      ),
  },
  {
    key: 'risk',
    label: 'Risk',
    explain: 'Critical: one author of 80 %. Warning: two. Of fewer than five commits nothing is said.',
    cell: ({ risk }) => {
      const [status, words] = risks[risk];
      return <Badge status={status}>{words}</Badge>;
    },
  },
  {
    key: 'authors',
    label: 'Most commits by',
    cell: ({ contributors }) => (
      <span className="beside">
        {contributors
          .slice(0, 2)
          .map(({ login, pct }) => `${login} ${pct} %`)
          .join(', ')}
      </span>
    ),
  },
  {
    key: 'commits',
    label: 'Commits',
    numeric: true,
    sort: 'desc',
    sortLabel: 'commits',
    value: ({ total_commits }) => total_commits,
    cell: ({ total_commits }) => total_commits ?? <Unknown reason="Not every commit could be read." />,
  },
];
