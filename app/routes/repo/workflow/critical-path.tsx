import { figures, quantity } from '../../../../server/domain/quantity.ts';
import { ActionLink } from '../../../charts/link.tsx';
import { Empty } from '../../../components/notice.tsx';
import { ShareBar } from '../../../components/share-bar.tsx';
import { SharedParamsLink } from '../../../components/shared-params.tsx';
import type { JobStats, OperationResult } from './operations.ts';

type CriticalPathData = JobStats['critical_path'];

interface Props extends Pick<OperationResult, 'evidence' | 'csv'> {
  data: JobStats;
}

const maxJobs = 4;

/** The jobs that decide when runs end, the one most often on the path first; bars are as long as that share. */
export function CriticalPath({ data: { critical_path: path, runs_sampled, runs_under_way }, evidence, csv }: Props) {
  if (runs_sampled === 0) return <Empty cause={runs_under_way > 0 ? 'No completed runs.' : 'No runs yet.'} />;
  if (path.jobs.length === 0) return <Empty cause="No job durations." />;
  const csvHref = csv('job-stats', { table: 'critical_path' });
  return (
    <>
      <figure className="chart" aria-label="Critical-path jobs by share of runs">
        <p className="source text-right">Share of runs, median</p>
        <ul className="grid gap-2">
          {path.jobs.slice(0, maxJobs).map((job) => (
            <PathJob key={job.name} job={job} evidence={evidence} />
          ))}
        </ul>
      </figure>
      <details className="source">
        <summary>{`n = ${figures(path.runs)}`}</summary>
        <p>
          {path.definition} <ActionLink href={csvHref}>CSV</ActionLink>
        </p>
      </details>
    </>
  );
}

interface PathJobProps extends Pick<Props, 'evidence'> {
  job: CriticalPathData['jobs'][number];
}

const PathJob = ({ job: { name, share_pct: share, median_ms: ms }, evidence }: PathJobProps) => (
  <li>
    <div className="flex flex-wrap justify-end gap-x-4">
      <span className="mr-auto">{name}</span>
      <SharedParamsLink href={evidence('critical_path_share', { job: name })}>
        {quantity(share, 'percent')}
      </SharedParamsLink>
      <SharedParamsLink className="min-w-20 text-right" href={evidence('critical_path_time', { job: name })}>
        {quantity(ms, 'milliseconds')}
      </SharedParamsLink>
    </div>
    <ShareBar percent={share} />
  </li>
);
