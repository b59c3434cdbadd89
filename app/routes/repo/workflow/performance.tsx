import { count, quantity } from '../../../../server/domain/quantity.ts';
import { StackedBars } from '../../../charts/stacked-bars.tsx';
import { Empty } from '../../../components/notice.tsx';
import { JobTable, StepTable } from './job-tables.tsx';
import type { JobStats, OperationResult } from './operations.ts';

/** Where the time of runs goes: jobs and steps. */
export function Performance({ data, search, csv }: { data: JobStats; search: string } & Pick<OperationResult, 'csv'>) {
  const { runs_sampled, runs_under_way } = data;
  if (runs_sampled === 0) return <Empty cause={runs_under_way > 0 ? 'No completed runs.' : 'No runs yet.'} />;
  return (
    <>
      <p className="source">
        {`Jobs of ${count(runs_sampled, 'run')}, by latest attempt; `}
        {`${count(runs_under_way, 'in-progress run')} excluded. Durations of completed jobs.`}
      </p>
      <JobTable data={data} search={search} csvHref={csv('job-stats')} />
      <StepTable data={data} search={search} csvHref={csv('job-stats', { table: 'steps' })} />
      <JobBars data={data} />
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
      title="Job time per run"
      summary="Sum of all job durations. Parallel jobs add up, so a bar can exceed the run’s duration."
      sample={`latest ${count(waterfall.length, 'sampled run')}`}
      rowLabel="Run"
      unit="milliseconds"
      parts={parts}
      rows={waterfall.map((run) => {
        const getTime = (isMeant: (name: string) => boolean) =>
          run.jobs.filter(({ name }) => isMeant(name)).reduce((sum, { duration_ms }) => sum + duration_ms, 0);
        const all = getTime(() => true);
        return {
          name: `Run ${run.run_number}`,
          note: `${count(run.jobs.length, 'job')}, ${quantity(all, 'milliseconds')} total`,
          values: parts.map((part, index) =>
            index < named.length ? getTime((name) => name === part) : getTime((name) => !named.includes(name)),
          ),
        };
      })}
    />
  );
}
