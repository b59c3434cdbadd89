import { count, figures } from '../../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../../server/http/adapters.ts';
import type { getResults } from '../../../../server/reports/advisor-results/operations.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { usePageContext } from '../../../components/page-context.ts';

type Data = Extract<PanelsOf<{ results: typeof getResults }>['results'], { ok: true }>['data'];
type Row = Data['rows'][number];

/** What came of the changes of a repository that were merged, each with its runs as CSV. */
export function ResultsTable({ data, params }: { data: Data; params: { owner: string; repo: string } }) {
  const { base } = usePageContext();
  const { summary, rows } = data;
  const columns: Column<Row>[] = [
    {
      key: 'change',
      label: 'Change',
      heading: true,
      cell: ({ title, workflow_path: path, pull_request: { number, html_url: url } }) => (
        <>
          {title}
          <span className="sub muted">{path}</span>
          <span className="sub">
            <a href={url}>Pull request #{number}</a>
          </span>
        </>
      ),
    },
    { key: 'merged', label: 'Merged', cell: ({ merged_at: at }) => <Moment at={at} as="date" /> },
    { key: 'result', label: 'Result', cell: ({ sentence }) => sentence },
    {
      key: 'runs',
      label: 'Runs counted',
      cell: ({ id, title }) => (
        <a
          href={`${base}/api/advisor/verdict?${new URLSearchParams({ ...params, id, format: 'csv' })}`}
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
        rowKey={({ id }) => id}
        noun="changes"
        csvHref={`${base}/api/advisor/results?${new URLSearchParams({ ...params, format: 'csv' })}`}
      />
    </>
  );
}

/** Fewer say nothing of predictions. */
const leastJudged = 10;

/** Minutes, rounded outward. */
const formatSaved = ({ low, high }: { low: number; high: number }): string =>
  `${figures(low, 0)} to ${figures(high, 0)} minutes fewer`;
