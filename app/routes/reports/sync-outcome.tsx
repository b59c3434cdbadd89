import type { z } from 'zod';
import type { SyncReport } from '../../../server/api/sync/sync.ts';
import { count } from '../../../server/domain/quantity.ts';
import { Badge, type Status } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Form } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import type { Background } from './sync-progress.tsx';
import { SyncSummary } from './sync-summary.tsx';

export type Result = z.output<typeof SyncReport>;
type Row = Result['results'][number];

interface Props {
  /** What the first call did. */
  result: Result;
  /** Whether the service reads the rest in the background, or has. */
  background: Background;
  csrf: string;
  hidden: Record<string, string>;
  now: number;
  zone: string;
}

const states: Record<Row['status'], [Status, string]> = {
  ok: ['pass', 'complete'],
  partial: ['warning', 'incomplete'],
  locked: ['running', 'already running'],
  error: ['fail', 'failed'],
};

/** What a synchronization did, repository by repository; what is left is read in the background, or by a button. */
export function SyncOutcome({ result, background, csrf, hidden }: Props) {
  const isContinued = result.partial && background !== 'none';
  const hasFailed = result.results.some(({ status }) => status === 'error');
  return (
    <>
      <SyncSummary result={result} background={background} />
      {result.partial && !isContinued ? (
        <Form csrf={csrf} intent="sync" submit="Continue" hidden={hidden} inline />
      ) : null}
      {isContinued && !hasFailed ? null : <Results rows={result.results} />}
    </>
  );
}

function Results({ rows }: { rows: Row[] }) {
  return (
    <DataTable<Row>
      caption="Sync result"
      rows={rows}
      rowKey={(row) => row.repo}
      noun="repositories"
      empty={{ cause: 'No repositories to sync.' }}
      columns={[
        { key: 'repo', label: 'Repository', heading: true, cell: (row) => row.repo },
        {
          key: 'status',
          label: 'Result',
          cell: (row) => (
            <>
              <Badge status={states[row.status][0]}>{states[row.status][1]}</Badge>
              {row.error ? <span className="sub muted">{row.error}</span> : null}
              {row.unread_runs > 0 ? (
                <span className="sub muted">{count(row.unread_runs, 'run', 'runs')} could not be read.</span>
              ) : null}
              {row.unreachable_since ? (
                <span className="sub muted">
                  Not accessible since <Moment at={row.unreachable_since} />
                </span>
              ) : null}
            </>
          ),
        },
        { key: 'synced', label: 'New or changed', numeric: true, cell: (row) => row.synced },
        { key: 'total', label: 'Stored', numeric: true, cell: (row) => row.total_in_db },
        {
          key: 'through',
          label: 'Synced through',
          cell: (row) => (row.synced_through ? <Moment at={row.synced_through} /> : 'still syncing'),
        },
      ]}
    />
  );
}
