import { Badge } from '../../../components/badge.tsx';
import { withChoices } from '../../../components/choices.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { runColumns, Trigger } from '../../run-columns.tsx';
import { type SortValues, sortBy } from '../team/sort-by.ts';
import type { Run } from './operations.ts';

interface Props {
  runs: readonly Run[];
  selected: string | null;
  search: string;
  now: number;
  zone: string;
  csvHref?: string;
}

/** Runs in the order that the address asks for, newest first when it asks for none. */
export function RunTable({ runs, selected, search, now, zone, csvHref }: Props) {
  const { rows, key, direction } = sortBy(runs, values, 'age', new URLSearchParams(search).get('sort'));
  const href = (by: string, towards: string) => withChoices(search, { sort: `${by}-${towards}`, run: null });
  return (
    <DataTable
      caption="Runs"
      captionHidden
      columns={columns(selected, search, now, zone)}
      rows={rows}
      sorting={{ key, direction, href }}
      rowKey={(run) => run.id}
      noun="runs"
      csvHref={csvHref}
      empty={{ cause: 'This workflow has not run yet.' }}
    />
  );
}

const values: SortValues<Run, 'age' | 'run' | 'result' | 'attempt' | 'by' | 'duration' | 'queue'> = {
  age: ({ created_at }) => -Date.parse(created_at),
  run: ({ run_number }) => run_number,
  result: ({ conclusion, status }) => conclusion ?? status,
  attempt: ({ run_attempt }) => run_attempt,
  by: ({ actor }) => actor?.login.toLowerCase() ?? null,
  duration: ({ duration_ms }) => duration_ms,
  queue: ({ queue_wait_ms }) => queue_wait_ms,
};

const columns = (selected: string | null, search: string, now: number, zone: string): Column<Run>[] => {
  const of = runColumns(now, zone);
  return [
    {
      ...{ key: 'run', label: 'Run', heading: true, sort: 'desc' },
      cell: (run) => (
        <>
          <a
            href={`${withChoices(search, { run: run.id, attempt: null })}#jobs`}
            aria-current={String(run.id) === selected || undefined}
          >
            #{run.run_number}
          </a>{' '}
          {run.display_title}
          <Trigger of={run} />
        </>
      ),
    },
    { ...of.result, sort: 'asc' },
    { ...of.attempt, sort: 'desc' },
    { key: 'by', label: 'By', sort: 'asc', cell: ({ actor }) => actor?.login ?? 'a deleted account' },
    { ...of.created, key: 'age', label: 'Age', sort: 'asc' },
    { ...of.duration, sort: 'desc' },
    { ...of.queue, sort: 'desc' },
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
