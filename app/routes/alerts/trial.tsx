import type { z } from 'zod';
import type { AlertPreview } from '../../../server/alerts/operations/preview.ts';
import { count, figures } from '../../../server/domain/quantity.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice, Partial } from '../../components/notice.tsx';
import { TrialCharts } from './trial-chart.tsx';

export type Trial = z.output<typeof AlertPreview>;
type Tried = Trial['repositories'][number];

const maxMoments = 5;

interface TrialProps {
  data: Trial;
  csvHref: string | undefined;
  isSaved?: boolean;
}

/** What a rule would have done, and of what that can be said. */
export function TrialResult({ data, csvHref, isSaved = false }: TrialProps) {
  const { repositories, repositories_left_out: excluded, last_30_days: month, last_90_days: quarter } = data;
  if (repositories.length === 0)
    return (
      <Notice title="No data to back-test.">
        No repository in this scope has been synced. <a href="/reports">Sync now</a>
      </Notice>
    );
  return (
    <>
      {repositories.every(({ evaluated }) => evaluated === 0) ? (
        <Notice tone="partial" title={`${isSaved ? '' : 'Not saved. '}Not enough history to back-test.`}>
          The stored history is too short for this window, or has no data in it.
        </Notice>
      ) : (
        <Fired
          text={`This rule would have fired ${count(month, 'time')} in the last 30 days and ${count(quarter, 'time')} in the last 90.`}
          isSaved={isSaved}
        />
      )}
      {excluded === 0 ? null : (
        <Partial>{`${count(excluded, 'more repository', 'more repositories')} not back-tested.`}</Partial>
      )}
      <TrialCharts data={data} />
      <DataTable
        csvHref={csvHref}
        caption="Back-test by repository"
        captionHidden
        rows={repositories}
        rowKey={({ repo }) => repo}
        columns={[
          { key: 'repo', label: 'Repository', heading: true, cell: ({ repo }) => repo },
          { key: 'month', label: '30 days', numeric: true, cell: (row) => formatTimes(row, row.last_30_days) },
          { key: 'quarter', label: '90 days', numeric: true, cell: (row) => formatTimes(row, row.last_90_days) },
          { key: 'when', label: 'Would have fired', cell: (row) => <Moments data={row} /> },
          { key: 'known', label: 'Coverage', cell: (row) => <Coverage data={row} /> },
        ]}
      />
    </>
  );
}

const Fired = ({ text, isSaved }: { text: string; isSaved: boolean }) =>
  isSaved ? <p>{text}</p> : <Notice title="Not saved.">{text}</Notice>;

/** Where nothing was judged, there is no number of times. */
const formatTimes = ({ evaluated }: Tried, times: number) =>
  evaluated === 0 ? <Unknown reason="no evaluations in stored history" /> : figures(times);

function Moments({ data: { fired, last_90_days: times, evaluated } }: { data: Tried }) {
  if (evaluated === 0) return <Unknown reason="no evaluations in stored history" />;
  if (fired.length === 0) return <span className="muted">never</span>;
  const more = times - Math.min(fired.length, maxMoments);
  return (
    <>
      {fired.slice(0, maxMoments).map((at) => (
        <span key={at} className="beside">
          <Moment at={at} as="date-time" />
        </span>
      ))}
      {more > 0 ? <span className="sub muted">{figures(more)} earlier</span> : null}
    </>
  );
}

function Coverage({ data: { evaluated, covered_from: from, thinned, incomplete } }: { data: Tried }) {
  return (
    <>
      {count(evaluated, 'evaluation')} since <Moment at={from} as="date" />
      {thinned ? <span className="sub muted">Evenly sampled.</span> : null}
      {incomplete === null ? null : <span className="sub muted">{`No current value: ${incomplete}`}</span>}
    </>
  );
}
