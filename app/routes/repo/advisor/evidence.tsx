import type { PanelsOf } from '../../../../server/http/adapters.ts';
import type { getRecommendation } from '../../../../server/reports/advisor/operations.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { Section } from '../../../components/panel.tsx';

type Detail = Extract<PanelsOf<{ detail: typeof getRecommendation }>['detail'], { ok: true }>['data'];
type Run = Detail['evidence']['runs'][number];

const shownRuns = 25;

const columns: Column<Run>[] = [
  {
    key: 'run',
    label: 'Run',
    heading: true,
    cell: ({ html_url: url, run_number: number, attempt }) => (
      <>
        {url === '#' ? `#${number}` : <a href={url}>#{number}</a>}
        {attempt > 1 ? ` attempt ${attempt}` : ''}
      </>
    ),
  },
  { key: 'at', label: 'Created', cell: ({ arrived_at: at }) => <Moment at={at} as="date-time" /> },
  { key: 'event', label: 'Event', value: ({ event }) => event },
  { key: 'conclusion', label: 'Result', value: ({ conclusion }) => conclusion ?? 'none' },
  {
    key: 'minutes',
    label: 'Minutes',
    numeric: true,
    value: ({ minutes_before: before }) => before,
  },
  {
    key: 'after',
    label: 'With the change',
    numeric: true,
    value: ({ minutes_after: after }) => after,
  },
  { key: 'why', label: 'Why it counts', value: ({ why }) => why },
];

/** The runs that a recommendation rests on. */
export function Evidence({
  data: { evidence },
  params,
}: {
  data: Detail;
  params: Record<'owner' | 'repo' | 'id', string>;
}) {
  const { base } = usePageContext();
  const csvQuery = new URLSearchParams({ ...params, format: 'csv' });
  return (
    <Section title="Runs">
      <DataTable
        caption="Runs that show it, newest first"
        captionHidden
        columns={columns}
        rows={evidence.runs.slice(0, shownRuns)}
        rowKey={({ run_id: id, attempt }) => `${id} ${attempt}`}
        total={evidence.runs.length}
        noun={evidence.truncated ? 'newest runs' : 'runs'}
        csvHref={`${base}/api/advisor/recommendation?${csvQuery}`}
      />
    </Section>
  );
}
