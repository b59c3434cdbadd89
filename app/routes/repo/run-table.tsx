import { Badge } from '../../components/badge.tsx';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { runColumns, Trigger } from '../run-columns.tsx';
import type { Route } from './+types/workflow';

export type Run = Extract<Route.ComponentProps['loaderData']['runs'], { ok: true }>['data'][number];

interface Props {
  runs: Run[];
  selected: string | null;
  search: string;
  now: number;
  zone: string;
  csvHref?: string;
}

export function RunTable({ runs, selected, search, now, zone, csvHref }: Props) {
  return (
    <DataTable
      caption="Runs, newest first"
      captionHidden
      columns={columns(selected, search, now, zone)}
      rows={runs}
      rowKey={(run) => run.id}
      noun="runs"
      csvHref={csvHref}
      empty={{ cause: 'This workflow has not run yet.' }}
    />
  );
}

const columns = (selected: string | null, search: string, now: number, zone: string): Column<Run>[] => {
  const of = runColumns(now, zone);
  return [
    {
      key: 'run',
      label: 'Run',
      heading: true,
      cell: (run) => (
        <>
          <a
            href={`${withChoices(search, { run: run.id })}#jobs`}
            aria-current={String(run.id) === selected || undefined}
          >
            #{run.run_number}
          </a>{' '}
          {run.display_title}
          <Trigger of={run} />
        </>
      ),
    },
    of.result,
    of.attempt,
    { key: 'actor', label: 'By', cell: ({ actor }) => actor?.login ?? 'a deleted account' },
    of.created,
    of.duration,
    of.queue,
    {
      key: 'unusual',
      label: 'Unusual',
      cell: ({ anomalies }) =>
        anomalies.map(({ metric, direction, severity }) => (
          <Badge key={metric} status="warning">
            {`${metric === 'duration' ? 'duration' : 'queue'} ${direction}, ${severity}`}
          </Badge>
        )),
    },
    { key: 'link', label: 'Platform', cell: (run) => (run.html_url === '#' ? null : <a href={run.html_url}>open</a>) },
  ];
};
