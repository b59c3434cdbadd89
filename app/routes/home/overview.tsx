import { useId } from 'react';
import { count, figures, refineRate } from '../../../server/domain/quantity.ts';
import { Hatches } from '../../charts/hatch.tsx';
import { HeatStrip, HeatStripLegend } from '../../charts/heat-strip.tsx';
import { DataCoverageLink } from '../../components/data-coverage-link.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { hasOrganizationPages, usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { repositoryParams } from '../links.ts';
import type { HomePanels } from './page.tsx';

interface Props {
  result: HomePanels['overview'];
}

export type Overview = Extract<HomePanels['overview'], { ok: true }>['data'];
type Repository = Overview['repositories'][number];

/** Repositories shown at once, so that the figures below stay visible, and on demand; the CSV has all. */
const maxShown = 8;
const maxRows = 20;

/** Every repository as one row of 90 days. */
export function HistoryPanel({ result }: Props) {
  const pageContext = usePageContext();
  const { base } = pageContext;
  if (!result.ok || result.data.repos_included === 0) return null;
  const { org, repos_included: included, repos_visible: visible, partial_reasons: reasons } = result.data;
  const partial = reasons.some((reason) => reason.startsWith('runs'));
  const owner = findOnlyOwner(result.data.repositories);
  const csvHref = `${base}/api/db/overview?${new URLSearchParams({ ...(org && { org }), format: 'csv' })}`;
  return (
    <Panel
      title="CI by repository, 90 days"
      result={result}
      aside={
        owner && org === null && hasOrganizationPages(owner, pageContext) ? (
          <a href={`${base}/org/${owner}`}>Organization report</a>
        ) : null
      }
    >
      {(data) => (
        <>
          <Strips data={data} csvHref={csvHref} />
          {base ? null : (
            <p className="source">
              {visible === null
                ? count(included, 'repository', 'repositories')
                : `${figures(included)} of ${count(visible, 'repository', 'repositories')}`}{' '}
              synced{partial ? ', partial data' : ''}.{' '}
              <DataCoverageLink scope={org === null ? null : { owner: org, repo: null }} />
            </p>
          )}
        </>
      )}
    </Panel>
  );
}

/** Whom all of these repositories belong to; null for more than one. */
function findOnlyOwner(repositories: readonly Repository[]): string | null {
  const owners = new Set(repositories.map(({ repo }) => repositoryParams(repo).owner));
  return owners.size === 1 ? ([...owners][0] ?? null) : null;
}

function Strips({ data, csvHref }: { data: Overview; csvHref: string }) {
  const { base } = usePageContext();
  const id = useId();
  const rows = data.repositories.slice(0, maxRows);
  const hasOneOwner = findOnlyOwner(data.repositories) !== null;
  const more = rows.slice(maxShown);
  const table = {
    captionHidden: true,
    columns: columns({ base, id, hasOneOwner }),
    rowKey: ({ repo }: Repository) => repo,
    noun: 'repositories',
  };
  const hasGaps = rows.some(({ days }) => days.includes(null));
  return (
    <>
      <svg width="0" height="0" aria-hidden="true" className="defs">
        <Hatches id={id} />
      </svg>
      <HeatStripLegend id={id} hasGaps={hasGaps} />
      <DataTable
        caption="CI by repository, 90 days"
        {...table}
        rows={rows.slice(0, maxShown)}
        total={data.repositories.length}
        csvHref={csvHref}
      />
      {more.length > 0 ? (
        <details>
          <summary>{`${figures(more.length)} more`}</summary>
          <DataTable caption="More repositories, 90 days" {...table} rows={more} />
        </details>
      ) : null}
    </>
  );
}

interface Shown {
  base: string;
  id: string;
  /** Then names go without it, so that each fits into one line. */
  hasOneOwner: boolean;
}

const columns = ({ base, id, hasOneOwner }: Shown): Column<Repository>[] => [
  {
    key: 'repo',
    label: 'Repository',
    heading: true,
    cell: ({ repo }) => <a href={`${base}/repos/${repo}`}>{hasOneOwner ? repositoryParams(repo).repo : repo}</a>,
  },
  {
    key: 'days',
    label: 'Failed runs per day',
    cell: ({ repo, days }) => <HeatStrip days={days} label={repo} id={id} />,
  },
  {
    key: 'rate',
    label: 'Failure rate',
    numeric: true,
    cell: ({ failure_rate: answered, passed, failed }) => (
      <Measurement
        value={{
          value: refineRate(answered, failed, passed + failed),
          unit: 'percent',
          reason: 'No run passed or failed.',
        }}
      />
    ),
  },
  { key: 'runs', label: 'Runs', numeric: true, value: ({ runs }) => runs, unit: 'count' },
];
