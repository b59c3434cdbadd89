import type { z } from 'zod';
import type { RunsReport } from '../../../server/reports/history/runs.ts';
import { Link } from '../../charts/link.tsx';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable, withoutEmpty } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Pager } from '../../components/pager.tsx';
import { runColumns, Trigger } from '../tables/run-columns.tsx';

type Answer = z.output<typeof RunsReport>;

interface Props {
  answer: Answer;
  page: number;
  search: string;
  csvHref: string;
}

const conclusions = ['success', 'failure', 'cancelled', 'skipped', 'timed_out', 'startup_failure', 'action_required'];

export function StoredRuns({ answer, page, search, csvHref }: Props) {
  const { zone } = usePageContext();
  const { runs, total, limit, offset, synced_through: through } = answer;
  const chosen = new URLSearchParams(search).get('conclusion');
  return (
    <>
      {through || total > 0 ? (
        <p className="muted">
          {through ? (
            <>
              Synced through <Moment at={through} as="date-time" /> ({zone}).{' '}
            </>
          ) : (
            'The first sync has not finished. '
          )}
          <Link href="#read">Data coverage</Link>
        </p>
      ) : null}
      <FilterBar
        label="Filter runs"
        search={search}
        filters={[
          {
            kind: 'links',
            name: 'conclusion',
            label: 'Result',
            value: chosen ?? '',
            options: [
              { value: '', label: 'all' },
              ...conclusions.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
            ],
          },
        ]}
      />
      <DataTable
        caption="Stored runs, newest first"
        captionHidden
        noun="runs"
        csvHref={csvHref}
        rows={runs}
        rowKey={(run) => run.id}
        empty={{
          cause: through ? 'No runs with this result.' : 'This repository has not been synced yet.',
        }}
        columns={withoutEmpty(columns, runs)}
      />
      <Pager
        from={offset + 1}
        to={offset + runs.length}
        total={total}
        noun="runs"
        previousHref={page > 1 ? withChoices(search, { page: page - 1 }) : null}
        nextHref={offset + limit < total ? withChoices(search, { page: page + 1 }) : null}
      />
    </>
  );
}

type Run = Answer['runs'][number];

const getName = ({ workflow_name: workflow, run_number: number }: Run) => `${workflow ?? 'workflow'} #${number}`;

const columns: readonly Column<Run>[] = [
  {
    key: 'run',
    label: 'Run',
    heading: true,
    cell: (run) => (
      <>
        {run.html_url === '#' ? getName(run) : <Link href={run.html_url}>{getName(run)}</Link>}
        <Trigger run={run} repository={run.repo} />
      </>
    ),
  },
  runColumns.result,
  runColumns.attempt,
  { key: 'actor', label: 'By', cell: (run) => run.actor ?? 'deleted account' },
  runColumns.created,
  runColumns.duration,
  runColumns.queue,
];
