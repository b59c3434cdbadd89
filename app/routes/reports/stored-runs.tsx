import { quantity } from '../../charts/quantity.ts';
import { RunBadge } from '../../components/badge.tsx';
import { withChoices } from '../../components/choices.ts';
import { DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Moment } from '../../components/moment.tsx';
import { Pager } from '../../components/pager.tsx';
import type { Route } from '../+types/reports';

type Answer = Extract<NonNullable<Route.ComponentProps['loaderData']['runs']>, { ok: true }>['data'];

interface Props {
  answer: Answer;
  page: number;
  search: string;
  now: number;
  zone: string;
  csvHref: string;
}

const conclusions = ['success', 'failure', 'cancelled', 'skipped', 'timed_out', 'startup_failure', 'action_required'];

export function StoredRuns({ answer, page, search, now, zone, csvHref }: Props) {
  const { runs, total, limit, offset } = answer;
  const chosen = new URLSearchParams(search).get('conclusion');
  return (
    <>
      <FilterBar
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
        caption="Kept runs, newest first"
        captionHidden
        noun="runs"
        csvHref={csvHref}
        rows={runs}
        rowKey={(run) => run.id}
        empty={{
          cause: answer.synced_through
            ? 'No kept run has this result.'
            : 'This repository has not been synchronized yet.',
        }}
        columns={columns(now, zone)}
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

const columns = (now: number, zone: string) => [
  {
    key: 'run',
    label: 'Run',
    heading: true,
    cell: (run: Answer['runs'][number]) => (
      <>
        <a href={run.html_url}>
          {run.workflow_name ?? 'workflow'} #{run.run_number}
        </a>
        <span className="sub muted">
          {[run.event?.replaceAll('_', ' '), run.head_branch, run.head_sha?.slice(0, 7)].filter(Boolean).join(' · ')}
        </span>
      </>
    ),
  },
  {
    key: 'result',
    label: 'Result',
    cell: (run: Answer['runs'][number]) => <RunBadge status={run.status} conclusion={run.conclusion} />,
  },
  { key: 'attempt', label: 'Attempt', numeric: true, cell: (run: Answer['runs'][number]) => run.run_attempt },
  { key: 'actor', label: 'By', cell: (run: Answer['runs'][number]) => run.actor ?? 'ghost' },
  {
    key: 'created',
    label: 'Created',
    cell: (run: Answer['runs'][number]) => <Moment at={run.created_at} now={now} zone={zone} />,
  },
  {
    key: 'duration',
    label: 'Duration',
    numeric: true,
    cell: (run: Answer['runs'][number]) => quantity(run.duration_ms, 'milliseconds'),
  },
  {
    key: 'queue',
    label: 'Queue wait',
    numeric: true,
    cell: (run: Answer['runs'][number]) => quantity(run.queue_wait_ms, 'milliseconds'),
  },
];
