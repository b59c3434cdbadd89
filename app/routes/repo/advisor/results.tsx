import { count, figures } from '../../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../../server/http/adapters.ts';
import type { getResults } from '../../../../server/reports/advisor-results/operations.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { AppliedBy } from './result.tsx';

type Data = Extract<PanelsOf<{ results: typeof getResults }>['results'], { ok: true }>['data'];
type Row = Data['rows'][number];

/** What came of merged changes, of a repository or an organization, each with its runs as CSV. */
export function ResultsTable({ data, scope }: { data: Data; scope: Record<string, string> }) {
  const { base } = usePageContext();
  const { summary, rows } = data;
  const repository: Column<Row> = {
    key: 'repository',
    label: 'Repository',
    cell: ({ owner, repo }) => <a href={`${base}/repos/${owner}/${repo}/advisor#results`}>{repo}</a>,
  };
  const columns: Column<Row>[] = [
    {
      key: 'change',
      label: 'Change',
      heading: true,
      cell: ({ title, href, workflow_path: path, ...applied }) => (
        <>
          <a href={`${base}${href}`}>{title}</a>
          <span className="sub muted">{path}</span>
          <span className="sub">
            <AppliedBy {...applied} />
          </span>
        </>
      ),
    },
    ...('org' in scope ? [repository] : []),
    { key: 'merged', label: 'Merged', cell: ({ merged_at: at }) => <Moment at={at} as="date" /> },
    { key: 'result', label: 'Result', wide: true, cell: ({ sentence }) => sentence },
    {
      key: 'runs',
      label: 'Runs counted',
      cell: ({ owner, repo, id, title }) => (
        <a
          href={`${base}/api/advisor/verdict?${new URLSearchParams({ owner, repo, id, format: 'csv' })}`}
          aria-label={`Runs counted for ${title}, CSV`}
        >
          CSV
        </a>
      ),
    },
  ];
  return (
    <>
      <p>
        {count(summary.merged, 'merged change')}: {figures(summary.kept)} kept, {figures(summary.not_kept)} not kept,{' '}
        {figures(summary.no_effect)} without effect, {figures(summary.cannot_tell)} inconclusive,{' '}
        {figures(summary.waiting)} being measured{summary.lost > 0 ? `, ${figures(summary.lost)} lost` : ''}.{' '}
        {summary.minutes_saved_measured ? (
          <strong>Measured: {formatSaved(summary.minutes_saved_measured)} per 28 days.</strong>
        ) : null}
        {summary.bands_judged >= leastJudged
          ? ` ${figures(summary.bands_hit)} of ${figures(summary.bands_judged)} predictions held what was measured.`
          : null}
      </p>
      <DataTable
        caption="Merged changes, newest first"
        captionHidden
        columns={columns}
        rows={rows}
        rowKey={({ owner, repo, id }) => `${owner}/${repo} ${id}`}
        noun="changes"
        csvHref={`${base}/api/advisor/results?${new URLSearchParams({ ...scope, format: 'csv' })}`}
      />
    </>
  );
}

/** Fewer say nothing of predictions. */
const leastJudged = 10;

/** Minutes, rounded outward. */
const formatSaved = ({ low, high }: { low: number; high: number }): string =>
  `${figures(low, 0)} to ${figures(high, 0)} minutes fewer`;
