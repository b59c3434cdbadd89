import { count, quantity } from '../../../../server/domain/quantity.ts';
import { StackedBars } from '../../../charts/stacked-bars.tsx';
import { Empty } from '../../../components/notice.tsx';
import { CriticalPathTable, JobTable, StepTable } from './job-tables.tsx';
import type { JobStats, OperationResult } from './operations.ts';

/** Where the time of runs goes: jobs, steps, and which of them decide when a run ends. */
export function Performance({ data, csv, evidence }: { data: JobStats } & Pick<OperationResult, 'csv' | 'evidence'>) {
  const { runs_sampled, runs_under_way, critical_path: path } = data;
  if (runs_sampled === 0)
    return <Empty cause={runs_under_way > 0 ? 'No run has ended yet.' : 'This workflow has not run yet.'} />;
  return (
    <>
      <p className="source">
        {`Jobs of ${count(runs_sampled, 'run')}, each by its latest attempt; `}
        {`${count(runs_under_way, 'run')} under way left out. Durations are of jobs that passed or failed.`}
      </p>
      <JobTable data={data} csvHref={csv('job-stats')} />
      <StepTable data={data} csvHref={csv('job-stats', { table: 'steps' })} />
      <JobBars data={data} />
      <CriticalPathTable data={path} evidence={evidence} csvHref={csv('job-stats', { table: 'critical_path' })} />
    </>
  );
}

const namedParts = 4;

/** Time of jobs added up, so that jobs side by side make a bar longer than the run took. */
function JobBars({ data: { jobs, waterfall } }: { data: JobStats }) {
  const named = jobs.slice(0, namedParts).map(({ name }) => name);
  const hasOthers = jobs.length > namedParts;
  const parts = hasOthers ? [...named, 'other jobs'] : named;
  return (
    <StackedBars
      title="Job time of each run"
      summary="Durations of all jobs of a run, added up: jobs side by side count both, so a bar is longer than its run took."
      sample={`the newest ${count(waterfall.length, 'sampled run')}`}
      rowLabel="Run"
      unit="milliseconds"
      parts={parts}
      rows={waterfall.map((run) => {
        const getTime = (isMeant: (name: string) => boolean) =>
          run.jobs.filter(({ name }) => isMeant(name)).reduce((sum, { duration_ms }) => sum + duration_ms, 0);
        const all = getTime(() => true);
        return {
          name: `Run ${run.run_number}`,
          note: `${count(run.jobs.length, 'job')}, ${quantity(all, 'milliseconds')} in all`,
          values: parts.map((part, index) =>
            index < named.length ? getTime((name) => name === part) : getTime((name) => !named.includes(name)),
          ),
        };
      })}
    />
  );
}
