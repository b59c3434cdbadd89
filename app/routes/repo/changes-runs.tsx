import { count, figures } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { RunLink } from '../tables/run-columns.tsx';
import type { Change, Outcomes } from './changes.tsx';

type Outcome = Outcomes['changes'][number];
type Failures = Outcome['failures'][number];

/** What became of the runs of the changed files; no column where that could not be read, or where no change started one. */
export function runsColumn(outcomes: Outcomes | null): Column<Change>[] {
  if (outcomes === null || outcomes.measurement.value === 0) return [];
  const bySha = new Map(outcomes.changes.map((one) => [one.sha, one]));
  return [{ key: 'runs', label: 'Failure streak', cell: ({ sha }) => <RunsSince outcome={bySha.get(sha)} /> }];
}

function RunsSince({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome?.followed_by_failures === false) return <span className="muted">none</span>;
  if (!outcome?.followed_by_failures) return <Unknown reason={`Unknown: ${outcome?.unknown ?? 'not loaded'}.`} />;
  return outcome.failures.map((one) => <FailedSince key={one.path} failure={one} />);
}

/** A sequence, not a cause. */
function FailedSince({
  failure: { path, passed_before: before, first_failed: first, failures, lasts },
}: {
  failure: Failures;
}) {
  return (
    <>
      <Badge status="warning">failing since this change</Badge>
      <span className="sub muted">
        {path.split('/').at(-1)}: {figures(failures)} in a row from <RunLink run={first} /> on
        {lasts ? ', none passed since' : null}; <RunLink run={before} /> had passed
      </span>
    </>
  );
}

interface RunsKnownProps {
  data: Outcomes;
  evidenceHref: string;
  csvHref: string;
  /** Where runs are synchronized; none where there is nothing to keep them in. */
  syncHref?: string;
}

/** After how many changes runs failed, and from which runs that is known. */
export function RunsKnown({ data, evidenceHref, csvHref, syncHref }: RunsKnownProps) {
  const { value, sample, left_out } = data.measurement;
  const unjudged = left_out.reduce((sum, { count: some }) => sum + some, 0);
  if (value === null && unjudged === 0) return null;
  return (
    <>
      <p>
        {value === null ? (
          'Not enough runs to relate failures to changes.'
        ) : (
          <>
            <SharedParamsLink href={evidenceHref}>
              {`${figures(value)} of ${figures(sample)} started a failure streak`}
            </SharedParamsLink>
            .{unjudged > 0 ? ` ${figures(unjudged)} unknown.` : null}
          </>
        )}
      </p>
      <details className="source">
        <summary>{`From ${count(data.runs_read, 'run')}`}</summary>
        <p>
          A failure streak is two or more failures after a pass. This does not show the cause of failures. Changes
          include deleted files.
        </p>
        <p>
          <Source data={data} />{' '}
          {data.runs_source === 'live' && syncHref ? <a href={syncHref}>Sync runs for a longer history.</a> : null}{' '}
          <a href={csvHref}>CSV</a>
        </p>
      </details>
    </>
  );
}

function Source({ data }: Pick<RunsKnownProps, 'data'>) {
  const runs = `${count(data.runs_read, 'run')} of ${data.default_branch ?? 'the default branch'}`;
  if (data.runs_source === 'live') return `From ${runs} among the latest 100 runs of the repository.`;
  return (
    <>
      {`From ${runs} stored, at most 1,000 per workflow, `}
      {data.runs_from === null ? null : (
        <>
          from <Moment at={data.runs_from} as="date" />{' '}
        </>
      )}
      through <Moment at={data.runs_through} as="date-time" />.
    </>
  );
}
