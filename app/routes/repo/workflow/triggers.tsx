import { count } from '../../../../server/domain/quantity.ts';
import { HourGrid } from '../../../charts/hour-grid.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Empty } from '../../../components/notice.tsx';
import { Columns, InColumn } from '../../../components/panel.tsx';
import type { OperationResult, Reliability } from './operations.ts';
import { fromMonday } from './queue.tsx';

type Tally = Pick<Reliability['events'][number], 'runs' | 'passed' | 'failed' | 'cancelled' | 'other' | 'running'>;

/** What set off the runs: events, branches, hours and people. */
export function Triggers({ data, csv }: { data: Reliability; csv: OperationResult['csv'] }) {
  if (data.runs_read === 0) return <Empty cause="No runs yet." />;
  const table = (name: string) => csv('workflow-reliability', { table: name });
  const people = data.actors.filter(({ is_bot }) => !is_bot);
  const bots = data.actors.filter(({ is_bot }) => is_bot);
  return (
    <>
      <HourGrid
        title="Runs by hour of creation"
        summary={`${count(data.runs_read, 'run')} by weekday and hour.`}
        counts={fromMonday(data.run_hours)}
        one="run"
        workday={data.workday}
        zone={data.timezone}
        sample={count(data.runs_read, 'run')}
      />
      <Columns>
        <InColumn>
          <DataTable
            caption="Events"
            columns={columns<Reliability['events'][number]>('Event', ({ event }) => event.replaceAll('_', ' '))}
            rows={data.events}
            rowKey={({ event }) => event}
            csvHref={table('events')}
          />
        </InColumn>
        <InColumn>
          <DataTable
            caption="Branches"
            columns={columns<Reliability['branches'][number]>('Branch', ({ branch }) => branch ?? 'no branch')}
            rows={data.branches.slice(0, maxBranches)}
            rowKey={({ branch }) => branch ?? ''}
            total={data.branches.length}
            noun="branches"
            csvHref={table('branches')}
          />
        </InColumn>
      </Columns>
      <Columns>
        <InColumn>
          <DataTable
            caption="People, by name"
            columns={actorColumns}
            rows={people}
            rowKey={({ login }) => login ?? ''}
            csvHref={table('actors')}
            empty={{ cause: 'No runs triggered by people.' }}
          />
        </InColumn>
        <InColumn>
          <DataTable
            caption="Bots, by name"
            columns={actorColumns}
            rows={bots}
            rowKey={({ login }) => login ?? ''}
            csvHref={table('actors')}
            empty={{ cause: 'No runs triggered by bots.' }}
          />
        </InColumn>
      </Columns>
      {data.scheduled > 0 ? <p className="source">{`Scheduled: ${count(data.scheduled, 'run')}.`}</p> : null}
    </>
  );
}

const maxBranches = 15;

function columns<Row extends Tally>(label: string, getName: (row: Row) => string): Column<Row>[] {
  return [
    { key: 'name', label, heading: true, cell: getName },
    { key: 'runs', label: 'Runs', numeric: true, cell: ({ runs }) => runs },
    { key: 'passed', label: 'Passed', numeric: true, cell: ({ passed }) => passed },
    { key: 'failed', label: 'Failed', numeric: true, cell: ({ failed }) => failed },
    { key: 'cancelled', label: 'Cancelled', numeric: true, cell: ({ cancelled }) => cancelled },
    {
      key: 'other',
      label: 'Other',
      numeric: true,
      explain: 'Skipped, in progress or other.',
      cell: ({ other, running }) => other + running,
    },
  ];
}

/** Counts alone: how runs ended says little about who set them off. */
const actorColumns: readonly Column<Reliability['actors'][number]>[] = [
  { key: 'name', label: 'Name', heading: true, cell: ({ login }) => login ?? 'deleted accounts' },
  { key: 'runs', label: 'Runs', numeric: true, cell: ({ runs }) => runs },
];
