import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import type { SyncReport } from '../../../server/api/history.ts';
import { duration } from '../../charts/quantity.ts';
import { Badge, type Status } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Form } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice, Partial } from '../../components/notice.tsx';

type Result = z.output<typeof SyncReport>;
type Row = Result['results'][number];

interface Props {
  result: object;
  csrf: string;
  hidden: Record<string, string>;
  now: number;
  zone: string;
}

const states: Record<Row['status'], [Status, string]> = {
  ok: ['pass', 'complete'],
  partial: ['warning', 'more to read'],
  locked: ['running', 'in progress elsewhere'],
  error: ['fail', 'failed'],
};

/** What a synchronization did, repository by repository, and a button that goes on while anything is left. */
export function SyncOutcome({ result, csrf, hidden, now, zone }: Props) {
  const done = result as Result;
  const rest = useRef<HTMLDivElement>(null);
  // A call that brought nothing would bring nothing again: then a person decides.
  const goesOn = done.partial && done.runs_upserted > 0;
  useEffect(() => {
    if (goesOn) rest.current?.querySelector('form')?.requestSubmit();
  }, [goesOn]);
  const words = `${done.runs_upserted} runs new or changed in ${done.repos_synced} of ${done.repos_total} repositories, in ${duration(done.duration_ms)}.`;
  return (
    <>
      {done.partial ? <Partial>{words} More is left to read.</Partial> : <Notice tone="done">{words}</Notice>}
      {done.partial ? (
        <div ref={rest}>
          <Form csrf={csrf} intent="sync" submit="Go on" hidden={hidden} inline />
        </div>
      ) : null}
      <DataTable<Row>
        caption="Result of the synchronization"
        rows={done.results}
        rowKey={(row) => row.repo}
        noun="repositories"
        empty={{ cause: 'No repository was in reach of this synchronization.' }}
        columns={[
          { key: 'repo', label: 'Repository', heading: true, cell: (row) => row.repo },
          {
            key: 'status',
            label: 'Result',
            cell: (row) => (
              <>
                <Badge status={states[row.status][0]}>{states[row.status][1]}</Badge>
                {row.error ? <span className="sub muted">{row.error}</span> : null}
              </>
            ),
          },
          { key: 'synced', label: 'New or changed', numeric: true, cell: (row) => row.synced },
          { key: 'total', label: 'Kept', numeric: true, cell: (row) => row.total_in_db },
          {
            key: 'through',
            label: 'Read up to',
            cell: (row) =>
              row.synced_through ? <Moment at={row.synced_through} now={now} zone={zone} /> : 'not yet to an end',
          },
        ]}
      />
    </>
  );
}
