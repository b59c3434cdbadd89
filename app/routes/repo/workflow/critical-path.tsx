import { count, quantity } from '../../../../server/domain/quantity.ts';
import { Empty } from '../../../components/notice.tsx';
import { PartBars } from '../../../components/part-bars.tsx';
import type { JobStats, OperationResult } from './operations.ts';

type CriticalPathData = JobStats['critical_path'];

interface Props extends Pick<OperationResult, 'evidence' | 'csv'> {
  data: JobStats;
}

const maxJobs = 4;

/** The jobs that decide when runs end, the one most often on the path first; bars are as long as their median time. */
export function CriticalPath({ data: { critical_path: path, runs_sampled, runs_under_way }, evidence, csv }: Props) {
  if (runs_sampled === 0) return <Empty cause={runs_under_way > 0 ? 'No completed runs.' : 'No runs yet.'} />;
  if (path.jobs.length === 0) return <Empty cause="No job durations." />;
  const csvHref = csv('job-stats', { table: 'critical_path' });
  return (
    <>
      <PartBars
        label="Critical-path jobs by median time"
        parts={[{ label: 'median time', tone: 'one' }]}
        bars={path.jobs.slice(0, maxJobs).map((job) => toBar(job, evidence))}
      />
      <details className="source">
        <summary>{`Critical-path jobs of ${count(path.runs, 'run')}`}</summary>
        <p>
          {path.definition} {csvHref ? <a href={csvHref}>CSV</a> : null}
        </p>
      </details>
    </>
  );
}

const toBar = (
  { name, share_pct: share, median_ms: ms }: CriticalPathData['jobs'][number],
  evidence: Props['evidence'],
) => ({
  key: name,
  name,
  text: (
    <>
      <a href={evidence('critical_path_time', { job: name })}>{quantity(ms, 'milliseconds')}</a>{' '}
      <a
        className="muted"
        href={evidence('critical_path_share', { job: name })}
      >{`${quantity(share, 'percent')} of runs`}</a>
    </>
  ),
  values: [ms],
});
